//! `fathom help`.

use crate::command::Cli;

#[test]
fn a_code_says_when_whence_and_what_to_do() {
    let expected = "split
  asks       whether one request of fathom is one request of the device \
                    (P06)
  number     P06 of the methodology
  level      note
  when       \
                    direct I/O, and the device made more than 1.05 requests of one of
             \
                    ours
  threshold  1.05 ×: Requests of the device for each of ours that are let \
                    pass
             (ours [D], 4.1, P06)
  evidence   counters of the block \
                    devices
  example    each read became 4.00 requests of vda: IOPS and times are \
                    not the
             device's own
  what to do use a block size of at most the \
                    device's queue/max_sectors_kb
";
    for word in ["split", "[split]", "P06"] {
        Cli::new(["help", word]).check(0, expected, "");
    }
}

#[test]
fn the_codes_of_check_are_told_from_those_of_a_result() {
    let expected = "mounted (`fathom check`)
  level      qualified
  when       a device with a \
                    mounted file system
  example    it has a mounted file system. Writes would be \
                    refused
  what to do use a path on the file system, or unmount it
";
    Cli::new(["help", "mounted"]).check(0, expected, "");
}

#[test]
fn an_option_is_explained_by_its_name() {
    let expected = "\
--destroy <DEVICE[=SIGNATURE]>

Device whose contents may be destroyed; with what it carries, as /dev/sdb=ext4
  or serial:S3EV0001=ext4; with =data for content that has no known signature

  commands   quick, run, ramp, suite, diskspd, iotest, rhel-iotest, dd, iometer,
             mdtest, ior, durability
";
    Cli::new(["help", "destroy"]).check(0, expected, "");
}

#[test]
fn the_exit_status_is_explained() {
    let expected = "\
The status with which fathom ends, for scripts. Of several runs the most
  important counts.

  0    all went well
  1    a limit was missed: the load was not steady, the storage fell behind, or
       got slower; a limit of --require, or a regression at a gate
  2    the command line or the workload cannot be meant
  3    the run finished, but some I/O failed or some block was wrong
  4    the system refused: a permission, a missing file or device, a full disk,
       a protected target
  5    undecided: a regression is neither shown nor excluded, a run to compare
       is SUSPECT or INVALID, or a limit or a promise cannot be told
  6    not comparable: more differs between the runs than the result
  7    checked: fit to be measured, with doubts; a state worse than --require;
       members were lost
  8    checked: unfit to be measured; INVALID, against --require
  9    the run could not be saved in the history; its result is in a file that a
       message on standard error names (3 and 130 take precedence)
  101  a defect of fathom itself
  130  interrupted by a signal; after the first one there is a report all the
       same
";
    Cli::new(["help", "exit"]).check(0, expected, "");
}

#[test]
fn every_code_is_listed() {
    let list = Cli::new(["help", "checks"]).stdout();
    for group in fathom_verdict::Group::ALL {
        assert!(list.lines().any(|line| line == group.title()));
        for topic in group.topics() {
            let line = format!("  {} ", topic.entry.code.name());
            assert!(list.lines().any(|one| one.starts_with(&line)), "{line}");
        }
    }
}

#[test]
fn a_command_is_explained_as_by_its_option() {
    for words in [vec!["check"], vec!["profiles", "show"]] {
        let asked = Cli::new(std::iter::once("help").chain(words.clone())).stdout();
        let option = Cli::new(words.into_iter().chain(["--help"])).stdout();
        assert_eq!(asked, option);
    }
    assert_eq!(Cli::new(["help"]).stdout(), Cli::new(["--help"]).stdout());
}

#[test]
fn what_is_neither_is_refused_with_the_nearest() {
    let expected = "error: `stael` is neither a command nor a code
  try:     `fathom help steal`
";
    Cli::new(["help", "stael"]).check(2, "", expected);
    let expected = "error: `nothing-like-it` is neither a command nor a code
  try:     `fathom \
                    help checks` lists the codes, `fathom help` the commands
";
    Cli::new(["help", "nothing-like-it"]).check(2, "", expected);
    let expected = "\
error: `run` has no `steal`
  try:     `fathom help run`
";
    Cli::new(["help", "run", "steal"]).check(2, "", expected);
}

#[test]
fn help_that_cannot_be_written_is_said() {
    let said = "error: cannot write to standard output\n  because: no space left on device\n";
    for words in [
        &["--help"][..],
        &["run", "--help"],
        &["help"],
        &["help", "run"],
        &["--version"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let (ended, _) = Cli::new(words).stdout_to(full.expect("it is there")).end();
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (Some(4), said),
            "{words:?}"
        );
    }
}

/// Also those that pass words on to another program's parser.
#[test]
fn every_command_has_its_help_in_both_lengths() {
    let list = Cli::new(["--help"]).stdout();
    let (commands, _) = list.split_once("\nOptions:").expect("options come last");
    let rows = commands.lines().filter_map(|line| line.strip_prefix("  "));
    let rows = rows.filter(|row| !row.starts_with(' '));
    let names: Vec<&str> = rows.filter_map(|row| row.split("  ").next()).collect();
    assert_eq!(names.len(), 39);
    for name in names {
        // To these `-h` is an option of the other program.
        let is_foreign = ["diskspd", "fio"].contains(&name);
        let options = ["--help", "-h"].into_iter();
        for option in options.take(if is_foreign { 1 } else { 2 }) {
            let text = Cli::new([name, option]).stdout();
            let usage = format!("Usage: fathom {name}");
            assert!(
                text.lines().any(|line| line.starts_with(&usage)),
                "{name} {option}"
            );
        }
    }
}

/// Formats are listed where they are asked for.
#[test]
fn the_forms_of_output_stand_in_the_help() {
    let all = fathom_report::formats().map(|format| format.name);
    let all: Vec<&str> = all.collect();
    let some = fathom_report::COMPARISON_FORMATS
        .iter()
        .map(|format| format.name);
    let some: Vec<&str> = some.collect();
    for (command, formats) in [
        ("quick", &all),
        ("iotest", &all),
        ("import", &all),
        ("ab", &some),
    ] {
        let help = Cli::new([command, "--help"]).stdout();
        for format in formats {
            let begin = format!("{format} ");
            let is_listed = help
                .lines()
                .any(|line| line.trim_start().starts_with(&begin));
            assert!(is_listed, "{command}: {format}");
        }
    }
}

//! `fathom help`.

use crate::command::Cli;

#[test]
fn a_code_says_when_whence_and_what_to_do() {
    let expected = "\
split
  asks       whether one request of fathom is one request of the device
  level      note
  when       direct I/O, and the device made more than 1.05 requests per request
             of fathom
  threshold  1.05 ×: Requests of the device for each of ours that are let pass
             (ours)
  evidence   counters of the block devices
  example    each read became 4.00 requests of vda. IOPS and times are not those
             of the device
  remedy     use a block size of at most the device's queue/max_sectors_kb
";
    for word in ["split", "[split]"] {
        Cli::new(["help", word]).check(0, expected, "");
    }
}

#[test]
fn a_code_that_is_a_command_is_explained_below_it() {
    let page = Cli::new(["help", "trend"]).stdout();
    let (command, code) = page.split_once("\ntrend\n").expect("both");
    assert_eq!(command, Cli::new(["trend", "--help"]).stdout());
    let label = code
        .lines()
        .next()
        .and_then(|line| line.split_whitespace().next());
    assert_eq!(label, Some("asks"));
}

#[test]
fn the_codes_of_check_are_told_from_those_of_a_result() {
    let expected = "\
mounted (`fathom check`)
  level      qualified
  when       a device with a mounted file system
  example    it has a mounted file system. Writes would be refused
  remedy     use a path on the file system, or unmount it
";
    Cli::new(["help", "mounted"]).check(0, expected, "");
}

#[test]
fn a_word_of_a_report_is_explained() {
    let suspect = "\
SUSPECT, questionable
  A check failed that could change the number by more than 5 %. Remove the cause
  and measure again. `SUSPECT (4 of 8)`: it concerns 4 of the 8 rows of the
  table.
";
    for words in [&["SUSPECT"][..], &["suspect"]] {
        Cli::new(std::iter::once(&"help").chain(words)).check(0, suspect, "");
    }
    let service = "\
service time, service, latency
  Time from the submission of a request to its completion. It excludes the time
  that a request waited for its turn in the load generator.
";
    for words in [&["service", "time"][..], &["service time"], &["SERVICE"]] {
        Cli::new(std::iter::once(&"help").chain(words)).check(0, service, "");
    }
    let held = "queue_depth_held\n  Mean number of outstanding requests\n";
    Cli::new(["help", "queue_depth_held"]).check(0, held, "");
    let misspelt = "\
error: `servise time` is not a command, a code or a word of a report
  try:     `fathom help service time`
";
    Cli::new(["help", "servise", "time"]).check(2, "", misspelt);
}

/// The columns and labels of the reports, and the columns of `fathom watch`.
#[test]
fn every_word_on_a_screen_is_explained() {
    let words = "run random-read-4k --engine sim --time 1 --warm-up 0 --no-save --quiet --full";
    let full = Cli::line(words).stdout();
    let watch = Cli::line("watch --plain --count 1 --interval 100ms").stdout();
    let columns = |text: &str, first: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.starts_with(first));
        let cells = line.expect("a heading").split("  ");
        let cells = cells.map(str::trim).filter(|cell| !cell.is_empty());
        cells.map(str::to_owned).collect()
    };
    let labels = full.lines().filter_map(|line| line.split_once("  "));
    let labels = labels.map(|(label, _)| label.to_owned());
    let labels = labels.filter(|label| !label.is_empty() && label.chars().count() < 12);
    let mut all: Vec<String> = labels.collect();
    all.extend(columns(&full, "op "));
    all.extend(columns(&watch, "device "));
    all.sort();
    all.dedup();
    assert!(all.len() > 35, "{all:?}");
    let unknown = all.iter().filter(|word| {
        let (ended, _) = Cli::new(["help", word]).end();
        ended.status != Some(0)
    });
    assert_eq!(unknown.collect::<Vec<_>>(), Vec::<&String>::new());
}

#[test]
fn an_option_is_explained_by_its_name() {
    let expected = "\
--destroy <DEVICE[=SIGNATURE]>

Device to overwrite, with its current contents: /dev/sdb=ext4,
  serial:S3EV0001=ext4, or =data for unknown content

  commands   quick, run, ramp, suite, diskspd, iotest, rhel-iotest, dd, iometer,
             mdtest, ior, vdbench, durability, fit
";
    Cli::new(["help", "destroy"]).check(0, expected, "");
}

#[test]
fn the_exit_status_is_explained() {
    let expected = "\
Exit status of fathom, for scripts. Of several, the first of these is returned:
  130, 101, 2, 4, 3, 9, 8, 1, 7, 6, 5.

  0    success
  1    a limit was missed: --require, a --gate, a load that did not become
       steady, or storage that fell behind or slowed down; `throttled` found
       what limits the storage; a test of `selftest` failed; `fit` found no
       target that fits
  2    invalid command line or workload
  3    the run finished, but I/O errors occurred or a block was wrong
  4    the system refused: missing permission, file or device, full disk, or
       protected target
  5    undecided: a regression is neither shown nor excluded, a compared run is
       SUSPECT or INVALID, or there is too little data for a limit or promise
  6    not comparable: the setups of the runs differ
  7    warnings: `check` found problems, the state is worse than --require, or
       members were lost
  8    `check` found the path unfit, or --require met an INVALID result
  9    the run could not be saved in the history; a message on standard error
       names the file with its result
  101  internal error of fathom
  130  interrupted by a signal; the first signal still prints a report
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
fn a_profile_is_explained_with_how_it_is_measured() {
    let expected = "\
etcd, a profile
  etcd: appends to the write-ahead log, each durable before the next

  measure    `fathom run etcd --target DIR`
  print      `fathom profiles etcd`
";
    Cli::new(["help", "etcd"]).check(0, expected, "");
}

#[test]
fn what_is_neither_is_refused_with_the_nearest() {
    let expected = "error: `stael` is not a command, a code or a word of a report
  try:     `fathom help steal`
";
    Cli::new(["help", "stael"]).check(2, "", expected);
    let expected = "error: `nothing-like-it` is not a command, a code or a word of a report
  try:     `fathom help words`, `fathom help checks` (codes) or `fathom help` (commands)
";
    Cli::new(["help", "nothing-like-it"]).check(2, "", expected);
    let expected = "error: `postgres` is not a command, a code or a word of a report
  try:     `fathom run NAME --target DIR` measures its load: pg-oltp
";
    Cli::new(["help", "postgres"]).check(2, "", expected);
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
    assert_eq!(names.len(), 49);
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

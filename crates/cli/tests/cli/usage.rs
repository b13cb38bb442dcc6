//! Command lines that cannot be meant, and those that ask for help.

use crate::command::Cli;
use fathom_core::engine::EngineRow;

const BRIEF: &str = "\
Puts a real workload on real storage and tells the truth about it

Usage: fathom [OPTIONS] <COMMAND>

Measure:
  quick        Measure the disk under a directory in about 45 s
  run          Run workloads on targets, one after another
  ramp         Walk one workload from little to much load, and find its bend
  suite        Run many workloads that answer one question, as one suite
  verify       Check the blocks that an earlier run stamped
  durability   Say which acknowledged writes are there after power was cut

Compare:
  compare      Say whether runs differ, and how sure that is
  ab           Run two commands in turn until it can be said which is faster
  report       Draw runs as one HTML page with charts, several side by side

Look:
  check        Say what would be measured under a path, and if it is fit to be
  watch        Watch block devices at work, as iostat does
  devices      List block devices, how they are stacked, what is mounted
  show         Show the report of a run again

Plan:
  need         Read from a recording how much storage a load needs
  plan         Find volumes that give what a load needs, at what price
  simulate     Run a workload on a modelled volume, in virtual time
  catalog      Show what is known of volumes, instances and their prices

Other tools' languages:
  fio          Run job files and command lines of fio, and report as fio does
  diskspd      Run a command line of DISKSPD, and report as DISKSPD does
  iotest       Write streams and read them back, as SAS's iotest.sh does
  rhel-iotest  Test file systems for SAS, as its rhel_iotest.sh does
  dd           Write zeros to a file, or read one, with the operands of GNU dd
  iometer      Run a configuration file of Iometer
  mdtest       Make, look at, read and remove many files, as mdtest does
  ior          Write and read a file by many tasks, or one each, as IOR does
  convert      Say a workload in the language of another tool, or as TOML
  import       Keep results from elsewhere, also of fio, DISKSPD and Iometer

History:
  history      List the runs that were kept, the latest first
  tag          Give a run a name for later, as in `fathom show tag:baseline`
  note         Write a note on a run, in place of the one it has
  remove       Remove runs from the history for good
  prune        Remove the oldest runs: show which, and with --yes do it
  export       Write runs into one file, for another history or `show`
  deliver      Send results of the history to where they are collected
  clean        Remove the scratch files of runs that were killed

About fathom:
  profiles     List the workloads that come with fathom
  generate     Write manual pages, shell completions, or what Kubernetes needs
  image        Put keys and a job into a live image, without building it anew
  help         Say what a command does, or what a code in a report means

Options:
";

const EXITS: &str = "
Exit status:
    0  all went well
    1  a limit was missed: the load was not steady, the storage fell behind, or
       got slower; a limit of --require, or a regression at a gate
    2  the command line or the workload cannot be meant
    3  the run finished, but some I/O failed or some block was wrong
    4  the system refused: a permission, a missing file or device, a full disk,
       a protected target
    5  undecided: a regression is neither shown nor excluded, a run to compare
       is SUSPECT or INVALID, or a limit or a promise cannot be told
    6  not comparable: more differs between the runs than the result
    7  checked: fit to be measured, with doubts; a state worse than --require;
       members were lost
    8  checked: unfit to be measured; INVALID, against --require
    9  the run could not be saved in the history; its result is in a file that a
       message on standard error names (3 and 130 take precedence)
  101  a defect of fathom itself
  130  interrupted by a signal; after the first one there is a report all the
       same
";

#[test]
fn nothing_is_answered_with_five_questions() {
    let expected = "\
How fast is this disk, and is that true?  fathom quick
How much does it carry within 5 ms?       fathom ramp ms-oltp --slo 'p99<=5ms'
Is B faster than A?                       fathom ab --a \"run …\" --b \"run …\"
What keeps the disks busy right now?      fathom watch
Which volume is enough, at what price?    fathom plan --iops 10000
";
    Cli::new::<&str>([]).check(0, expected, "");
}

#[test]
fn help_has_the_commands_in_groups_and_the_exit_statuses() {
    for option in ["-h", "--help"] {
        let help = Cli::new([option]).stdout();
        let options = help.find("Options:\n").map(|at| at + "Options:\n".len());
        let (commands, rest) = help.split_at(options.expect("options"));
        assert_eq!(commands, BRIEF);
        assert!(option == "-h" || rest.ends_with(EXITS), "{rest}");
    }
}

#[test]
fn the_version_is_that_of_the_package() {
    let version = concat!("fathom ", env!("CARGO_PKG_VERSION"), "\n");
    Cli::new(["--version"]).check(0, version, "");
}

#[test]
fn the_long_version_says_what_the_build_is_and_what_works_here() {
    let told = Cli::new(["--version", "--verbose"]).stdout();
    let words: Vec<&str> = told
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .collect();
    let engines = EngineRow::of_runs().map(|_| "engine").collect::<Vec<_>>();
    let head = ["fathom", "commit", "built", "sqlite", "names"];
    assert_eq!(words, [&head[..], &engines[..]].concat());
}

#[test]
fn wrong_words_are_refused_with_the_right_ones() {
    let cases: [(&[&str], &str); 9] = [
        (
            &["benchmark"],
            "error: unrecognized subcommand 'benchmark'\n\nUsage: fathom [OPTIONS] <COMMAND>\n",
        ),
        (
            &["run", "quick", "--ramp_time", "4"],
            "error: unexpected argument '--ramp_time' found\n\n  tip: to pass '--ramp_time' as a \
             value, use '-- --ramp_time'\n\nUsage: fathom run <NAME|FILE.toml>...\n",
        ),
        (
            &["run"],
            "error: the following required arguments were not provided:\n  <NAME|FILE.toml>...\n\n\
             Usage: fathom run <NAME|FILE.toml>...\n",
        ),
        (
            &["run", "quick", "--time", "60q"],
            "error: invalid value '60q' for '--time <DURATION>': `60q` is not a duration: expected \
             a number with its unit, as in `60s`, `250ms`, `100us` or `1h30m`\n",
        ),
        (
            &["run", "quick", "--block-size", "4Q"],
            "error: invalid value '4Q' for '--block-size <SIZE>': `4Q` is not a size: expected a \
             number with B, K, KiB, MiB, GiB, TiB (powers of 1024) or KB, MB, GB, TB (powers of \
             1000), as in `8KiB`\n",
        ),
        (
            &["run", "quick", "--read", "101"],
            "error: invalid value '101' for '--read <PERCENT>': `101` is not a percentage: \
             expected a number from 0 to 100\n",
        ),
        (
            &["run", "quick", "--rate", "1000"],
            "error: invalid value '1000' for '--rate <RATE>': `1000` is not a rate: expected \
             requests or bytes a second, as in `1000 IOPS`, `5k IOPS` or `100 MB/s`\n",
        ),
        (
            &["run", "quick", "--affinity", "3-1"],
            "error: invalid value '3-1' for '--affinity <LIST>': expected processor numbers, as in \
             1 or 0-3,6\n",
        ),
        (
            &["run", "quick", "--ios", "0"],
            "error: invalid value '0' for '--ios <N>': 0 is not in 1..18446744073709551615\n",
        ),
    ];
    for (words, message) in cases {
        let stderr = format!("{message}\nFor more information, try '--help'.\n");
        Cli::new(words).check(2, "", &stderr);
    }
}

#[test]
fn an_unknown_format_is_answered_with_all_there_are() {
    let names: Vec<&str> = fathom_report::formats().map(|format| format.name).collect();
    let stderr = format!(
        "error: invalid value 'yaml:a' for '--output <FORMAT[:FILE]>': the formats are {}\n\nFor \
         more information, try '--help'.\n",
        names.join(", ")
    );
    Cli::new(["run", "quick", "--output", "yaml:a"]).check(2, "", &stderr);
}

#[test]
fn whoever_closes_the_pipe_has_read_enough() {
    for words in [
        ["profiles", "--json"],
        ["generate", "man"],
        ["run", "--help"],
    ] {
        Cli::new(words).check_closed_stdout();
    }
}

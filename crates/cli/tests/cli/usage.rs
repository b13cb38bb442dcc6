//! Command lines that cannot be meant, and those that ask for help.

use crate::command::Cli;
use fathom_core::engine::EngineRow;
use fathom_tools::shell_words;

const BRIEF: &str = "\
Run real workloads on real storage and report how far the numbers can be trusted

Usage: fathom [OPTIONS] <COMMAND>

Measure:
  quick        Measure the disk under a directory in about 45 s
  run          Run workloads on targets, one after another
  ramp         Increase the load step by step and find the saturation point
  suite        Run a suite of workloads and write one report
  verify       Check the blocks stamped by an earlier run
  durability   After a power cut, verify which acknowledged writes survived

Compare:
  compare      Compare runs: do they differ, and how certain is that
  ab           Run two commands in turn and find out which one is faster
  trend        Show how a metric changed over weeks, and what changed with it
  report       Write an HTML report with charts, for one run or several

Inspect:
  explain      Explain a pasted result: is the number right, and is it good?
  check        Check a path and the devices below it before measuring
  watch        Watch the activity of block devices, like iostat
  throttled    Report whether the storage is limited now, and by what
  capture      Record every block request of an application, to replay it
  blame        Explain why the slowest requests of a capture are slow
  learn        Turn a trace into a workload that behaves like it
  devices      List block devices, their stacking and mounts
  show         Show the report of a saved run

Plan:
  need         Find how much storage performance a recorded load needs
  plan         Find volumes that sustain a load, and their price
  fit          Check whether a recorded load fits on a volume or a path
  simulate     Run a workload on a simulated volume, in virtual time
  catalog      Show known limits and prices of volumes and instances

Other tools' commands:
  fio          Run fio job files and command lines and print a fio report
  diskspd      Run a DISKSPD command line and print a DISKSPD report
  iotest       Write streams and read them back, like SAS's iotest.sh
  rhel-iotest  Test file systems for SAS, like rhel_iotest.sh of SAS
  dd           Write zeros to a file or read a file, with the operands of GNU dd
  iometer      Run an Iometer configuration file
  mdtest       Create, stat, read and remove many files, like mdtest
  ior          Write and read one shared file or one file per task, like IOR
  vdbench      Run a vdbench parameter file and print vdbench's summary
  convert      Convert a workload to another tool's format, or to TOML
  import       Import results of fio, DISKSPD, Iometer or another fathom

History:
  history      List saved runs, the latest first
  tag          Tag a run, for example to use it as `fathom show tag:baseline`
  note         Set the note of a run, replacing an earlier note
  remove       Delete runs from the history permanently
  prune        Delete the oldest runs; lists them unless --yes is given
  export       Export runs to one file, for another history or `show`
  deliver      Send saved results to a collector
  clean        Remove the scratch files of killed runs

About fathom:
  profiles     List the built-in workloads, or print one
  studies      List the figures of published studies, or compute them again
  selftest     Test fathom itself on this machine, in about three minutes
  generate     Generate man pages, completions, manifests, dashboards, alerts
  image        Add keys and a job to a live image without rebuilding it
  help         Explain a command, or a code or word of a report

Options:
";

const EXITS: &str = "
Exit status:
    0  success
    1  a limit was missed: --require, a --gate, a load that did not become
       steady, or storage that fell behind or slowed down; `throttled` found
       what limits the storage; a test of `selftest` failed; `fit` found no
       target that fits
    2  invalid command line or workload
    3  the run finished, but I/O errors occurred or a block was wrong
    4  the system refused: missing permission, file or device, full disk, or
       protected target
    5  undecided: a regression is neither shown nor excluded, a compared run is
       SUSPECT or INVALID, or there is too little data for a limit or promise
    6  not comparable: the setups of the runs differ
    7  warnings: `check` found problems, the state is worse than --require, or
       members were lost
    8  `check` found the path unfit, or --require met an INVALID result
    9  the run could not be saved in the history; a message on standard error
       names the file with its result
  101  internal error of fathom
  130  interrupted by a signal; the first signal still prints a report
Of several, the first of these is returned: 130, 101, 2, 4, 3, 9, 8, 1, 7, 6, 5.
";

#[test]
fn nothing_is_answered_with_five_questions() {
    let expected = "\
How fast is this disk, and can I trust the number?
    fathom quick
    # 42 s; writes a 1 GiB file, then for 24 s at full speed; removes it
Which load keeps p99 within 5 ms?
    fathom ramp ms-oltp --slo 'p99<=5ms'
    # about 15 min; writes a 4 GiB file, then 30 % of the load; removes it
Is B faster than A?
    fathom ab --a 'run random-read-4k --size 1GiB --keep' --b \\
        'run random-read-4k --size 1GiB --keep --queue-depth 4'
    # 7 to 28 min; writes 1 GiB once and keeps it in ./fathom-data.dat
What keeps the disks busy right now?
    fathom watch
    # until q is pressed; writes nothing
Which volume is sufficient, and what does it cost?
    fathom plan --iops 10000
    # at once; measures nothing
";
    Cli::new::<&str>([]).check(0, expected, "");
}

/// What would measure for minutes prints its workload, or measures the null engine.
#[test]
fn what_is_printed_can_be_pasted() {
    let printed = Cli::new::<&str>([]).stdout();
    let printed = printed.replace(" \\\n    ", "");
    let lines = printed.lines().filter_map(|line| line.strip_prefix("    "));
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with('#')).collect();
    let shortened = [
        " --print",
        " --print",
        " --pairs-max 6 --quiet",
        " --count 1 --interval 100ms",
        "",
    ];
    assert_eq!(lines.len(), shortened.len());
    for (line, short) in lines.iter().zip(shortened) {
        let null = "4k --engine null --ios 10 --warm-up 0 --target null";
        let line = line.replace("4k --size 1GiB --keep", null);
        let words = shell_words(&format!("{line}{short}")).expect("a line");
        let (ended, _) = Cli::new(&words[1..]).end();
        assert_eq!(
            (ended.status, ended.stderr.as_str()),
            (Some(0), ""),
            "{line}"
        );
    }
}

#[test]
fn help_has_the_commands_in_groups_and_the_exit_statuses() {
    let mut short = BRIEF.to_owned();
    let by_name = [
        (
            "Other tools' commands:\n",
            "fio, diskspd, iotest, rhel-iotest, dd, iometer, mdtest, ior, vdbench, convert,\n  \
             import",
        ),
        (
            "History:\n",
            "history, tag, note, remove, prune, export, deliver, clean",
        ),
    ];
    for (title, names) in by_name {
        let (before, group) = short.split_once(title).expect("they are a group");
        let (_, after) = group.split_once("\n\n").expect("groups follow");
        short = format!("{before}{title}  {names}\n\n{after}");
    }
    for (option, expected) in [("-h", short.as_str()), ("--help", BRIEF)] {
        let help = Cli::new([option]).stdout();
        let options = help.find("Options:\n").map(|at| at + "Options:\n".len());
        let (commands, rest) = help.split_at(options.expect("options"));
        assert_eq!(commands, expected);
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
    let cases: [(&[&str], &str); 12] = [
        (
            &["benchmark"],
            "error: unrecognized subcommand 'benchmark'\n  try:     `fathom -h` lists the \
             commands\n\nUsage: fathom [OPTIONS] <COMMAND>\n",
        ),
        (
            &["run", "quick", "--ramp_time", "4"],
            "error: unexpected argument '--ramp_time' found\n  try:     `fathom run \
             --help`\n\nUsage: fathom run <NAME|FILE.toml>...\n",
        ),
        (
            &["run"],
            "error: the following required arguments were not provided:\n  <NAME|FILE.toml>...\n  \
             try:     `fathom run --help`\n\nUsage: fathom run <NAME|FILE.toml>...\n",
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
            &["run", "quick", "--rate", "1000 MB"],
            "error: invalid value '1000 MB' for '--rate <RATE>': `1000 MB` is not a rate: expected \
             requests or bytes a second, as in `1000 IOPS`, `5k IOPS` or `100 MB/s`\n",
        ),
        (
            &["plan", "--iops", "8000", "--capacity", "200"],
            "error: invalid value '200' for '--capacity <SIZE>': expected a size with its unit, \
             such as 8KiB or 500GiB\n",
        ),
        (
            &["plan", "--iops", "many"],
            "error: invalid value 'many' for '--iops <N>': expected a number of requests a second, \
             such as 8000 or 10k\n",
        ),
        (
            &["plan", "--iops", "8000", "--max-volumes", "many"],
            "error: invalid value 'many' for '--max-volumes <N>': expected a whole number\n",
        ),
        (
            &["run", "quick", "--affinity", "3-1"],
            "error: invalid value '3-1' for '--affinity <LIST>': expected CPU numbers, such as \
             1 or 0-3,6\n",
        ),
        (
            &["run", "quick", "--ios", "0"],
            "error: invalid value '0' for '--ios <N>': 0 is not in 1..18446744073709551615\n",
        ),
    ];
    for (words, message) in cases {
        let page = format!("  try:     `fathom {} --help`\n", words[0]);
        let page = if message.ends_with("MMAND>\n") || message.ends_with("toml>...\n") {
            ""
        } else {
            &page
        };
        Cli::new(words).check(2, "", &format!("{message}{page}"));
    }
}

#[test]
fn an_unknown_format_is_answered_with_all_there_are() {
    let names: Vec<&str> = fathom_report::formats().map(|format| format.name).collect();
    let stderr = format!(
        "error: invalid value 'yaml:a' for '--output <FORMAT[:FILE]>': the formats are {}\n  \
         try:     `fathom run --help`\n",
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

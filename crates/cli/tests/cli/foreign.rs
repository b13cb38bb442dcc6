//! The commands that take other programs' options.

use crate::command::Cli;
use crate::document::{fields, read};
use serde_json::json;

/// A simulated disk of 100 MB/s for requests of 1 MB; the same result in every run.
const SIM: [&str; 4] = ["--engine", "sim", "--sim-service-time", "10ms"];

fn words<'a>(command: &'a str, own: &[&'a str], theirs: &'a str) -> Vec<&'a str> {
    let mut words = vec![command];
    words.extend(SIM);
    words.extend(own);
    words.extend(theirs.split(' '));
    words
}

#[test]
fn dd_prints_its_lines_where_dd_does() {
    let run = words("dd", &[], "if=/dev/zero of=/data/x bs=1MB count=100");
    let stderr = "\
100+0 records in
100+0 records out
100000000 bytes (100 MB, 95 MiB) copied, 1 s, 100 MB/s
";
    let (ended, _) = Cli::new(run).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), stderr));
    let labels: Vec<&str> = ended
        .stdout
        .lines()
        .filter_map(|line| line.split("  ").next())
        .filter(|label| !label.is_empty())
        .collect();
    assert_eq!(labels, ["data", "cache", "write", "state"]);
}

#[test]
fn dd_says_as_much_as_it_is_asked_to() {
    let dd = "if=/dev/zero of=/data/x bs=1MB count=100 status=";
    let quiet = |status: &str| {
        let operands = format!("{dd}{status}");
        let (ended, _) = Cli::new(words("dd", &["--quiet"], &operands)).end();
        (ended.status, ended.stdout, ended.stderr)
    };
    let two = "100+0 records in\n100+0 records out\n";
    assert_eq!(quiet("none"), (Some(0), String::new(), String::new()));
    assert_eq!(quiet("noxfer"), (Some(0), String::new(), two.to_owned()));
}

#[test]
fn dd_leaves_its_file_and_spares_others() {
    let dd = "dd --quiet if=/dev/zero of=x bs=64k count=16 conv=fsync";
    let (ended, folder) = Cli::line(dd).end();
    let last = ended.stderr.lines().count();
    assert_eq!(
        (ended.status, ended.stdout.as_str(), last),
        (Some(0), "", 3)
    );
    let written = std::fs::read(folder.path().join("x")).expect("the file stays");
    assert_eq!(written, vec![0; 1 << 20]);
    let stderr = "error: cannot open DIR/mine for writing
  because: the file exists (4 bytes) and \
                  was not created by fathom, or was changed since
  try:     --overwrite if you \
                  mean to destroy its contents, or another name
";
    let dd = ["dd", "if=/dev/zero", "of=mine", "bs=4k", "count=1"];
    let folder = Cli::new(dd).file("mine", "mine").check(1, "", stderr);
    let kept = std::fs::read(folder.path().join("mine")).expect("it is there");
    assert_eq!(kept, b"mine");
}

#[test]
fn dd_keeps_what_lies_before_the_place_it_seeks() {
    let before: Vec<u8> = (0..20_000_u32).map(|byte| byte as u8).collect();
    let seek = "dd --overwrite --no-save --quiet if=/dev/zero of=file bs=1k count=4 seek=2 \
                status=none";
    let (ended, folder) = Cli::line(seek).file("file", &before).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let mut expected = before[..2048].to_vec();
    expected.resize(6144, 0);
    assert!(std::fs::read(folder.path().join("file")).expect("written") == expected);
    // With conv=notrunc, what lies behind stays as well.
    let (ended, folder) = Cli::line(format!("{seek} conv=notrunc"))
        .file("file", &before)
        .end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    expected.extend(&before[6144..]);
    assert!(std::fs::read(folder.path().join("file")).expect("written") == expected);
}

#[test]
fn dd_with_a_wrong_word_is_refused_as_dd_does() {
    let stderr = "\
dd: invalid conversion: ‘fdatasnyc’
Try 'dd --help' for more information.
";
    let dd = "dd if=/dev/zero of=x bs=1M count=1024 conv=fdatasnyc";
    Cli::line(dd).check(1, "", stderr);
}

#[test]
fn iotest_writes_files_and_removes_them() {
    let iotest = "iotest --quiet --cold --output json:r.json -i 2 -t . -b 8 -s 64";
    let folder = Cli::line(iotest).check(0, "", "");
    let entries = std::fs::read_dir(folder.path()).expect("the folder is there");
    let names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    assert_eq!(names, ["r.json"]);
    let result = read(&folder.path().join("r.json"));
    let paths = [
        "provenance.engine.name",
        "provenance.timings.layout_ns",
        "phases.0.jobs.0.write.bytes",
        "phases.0.jobs.1.write.ios",
        "phases.1.jobs.0.read.bytes",
        "phases.1.jobs.1.read.ios",
    ];
    let layout = &result["provenance"]["timings"]["layout_ns"];
    let expected = json!(["psync", layout, 512 << 10, 8, 512 << 10, 8]);
    assert_eq!(fields(&result, &paths), expected);
    // Nothing is laid out: the files grow under the writes.
    assert!(layout.as_u64().is_some_and(|nanos| nanos < 100_000_000));
}

#[test]
fn iotest_prints_the_lines_of_the_script() {
    let run = words("iotest", &["--quiet", "--full"], "-i 1 -t . -b 100 -s 1000");
    let stdout = Cli::new(run).stdout();
    let script: Vec<&str> = stdout
        .lines()
        .take_while(|line| *line != "WHAT THE SCRIPT DOES NOT SAY")
        .filter(|line| !line.starts_with("  mount point"))
        .collect();
    let expected = "\
<<STATUS>> executing write testing
           launching iteration: 1
           waiting for all write tests to complete
           write test complete
<<STATUS>> executing read testing
           launching iteration: 1
           waiting for all read tests to complete
           read test complete



RESULTS
-------

INVOCATION            : iotest --engine sim --sim-service-time 10ms --quiet \
--full -i 1 -t . -b 100 -s 1000


TARGET DETAILS
  directory           : .
  filesize            : 102400000 bytes or 97.65 megabytes


STATISTICS
  average read time in seconds     :    1.00                     
  average read throughput rate     :   97.65 megabytes per second
  average write time in seconds    :    1.00                     
  average write throughput rate    :   97.65 megabytes per second


<<STATUS>> processing complete
";
    assert_eq!(script, expected.lines().chain([""]).collect::<Vec<_>>());
}

#[test]
fn a_directory_has_to_be_one() {
    let stderr = "\
error: cannot test nowhere
  because: it is not a directory
  try:     a directory that is there, as in -t /saswork
";
    let iotest = ["iotest", "-i", "1", "-t", "nowhere", "-b", "1", "-s", "64"];
    Cli::new(iotest).check(4, "", stderr);
}

#[test]
fn rhel_iotest_has_the_usage_of_the_script() {
    let stdout = "\
usage: fathom rhel-iotest [--file-size SIZE] [--cold] -t [ROLE=]DIRECTORY ...
`fathom rhel-iotest --help` before any -t has all of it
";
    Cli::new(["rhel-iotest", "-t", "/", "--help"]).check(0, stdout, "");
}

/// A configuration of Iometer with two steps.
const ICF: &str = "\
Version 1.1.0
'TEST SETUP ====
'Run Time
'\thours      minutes    seconds
\t0 0 2
'Test Type
\tNORMAL
'END test setup
'ACCESS SPECIFICATIONS ====
'Access specification name,default assignment
\tReads,DISK
'size,% of size,% reads,% random,delay,burst,align,reply
\t8192,100,100,100,0,1,0,0
'Access specification name,default assignment
\tOrdered,DISK
'size,% of size,% reads,% random,delay,burst,align,reply
\t8192,100,100,0,0,1,0,0
'END access specifications
";

/// The words of a run of it.
fn iometer<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    let own = ["--quiet", "--size", "1GiB"];
    [&["iometer"][..], &SIM, &own, rest].concat()
}

/// The rows of all, up to the requests a second.
fn rows_of_all(table: &str) -> Vec<String> {
    let lines = table.lines().filter(|line| line.starts_with("ALL,"));
    lines
        .map(|line| line.split(',').take(9).collect::<Vec<_>>().join(","))
        .collect()
}

/// 10 ms each; what is on its way when the time is over does not count.
const ROWS: [&str; 2] = [
    "ALL,All,Reads,1,1,1,99.500000,99.500000,0.000000",
    "ALL,All,Ordered,1,1,1,99.500000,99.500000,0.000000",
];

#[test]
fn a_file_of_iometer_gives_its_table_which_is_read_again() {
    let run = iometer(&["--output", "json:r.json", "x.icf", "r.csv"]);
    let folder = Cli::new(run).file("x.icf", ICF).check(0, "", "");
    let table = std::fs::read_to_string(folder.path().join("r.csv")).expect("the table");
    assert_eq!(rows_of_all(&table), ROWS);
    let own = ["--no-save", "--quiet", "-o", "iometer-csv"];
    let words = [&["import"][..], &own, &["r.csv"]].concat();
    let (ended, _folder) = Cli::in_folder(folder, words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(rows_of_all(&ended.stdout), ROWS);
}

#[test]
fn specifications_of_iometer_alone_run_for_a_time_that_is_given() {
    let (_, specs) = ICF.split_once("'END test setup\n").expect("a setup");
    let specs = format!("Version 1.1.0\n{specs}");
    let run = |time: &[&'static str]| {
        let words = [&["--output", "iometer-csv", "x.icf"][..], time].concat();
        Cli::new(iometer(&words)).file("x.icf", &specs).end().0
    };
    let ended = run(&[]);
    let first = ended.stderr.lines().next().unwrap_or_default();
    let without = (Some(2), "error: the file has no run time");
    assert_eq!((ended.status, first), without);
    let ended = run(&["--time", "2s"]);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(rows_of_all(&ended.stdout), ROWS);
}

#[test]
fn dd_counts_blocks_read_and_written_by_their_own_sizes() {
    let lines = |operands: &str| {
        let (ended, _) = Cli::new(words("dd", &["--quiet"], operands)).end();
        let lines: Vec<String> = ended.stderr.lines().take(2).map(str::to_owned).collect();
        (ended.status, lines.join(", "))
    };
    // As GNU dd 9.1 has printed them.
    for (sizes, records) in [
        (
            "ibs=512 obs=4k count=80",
            "80+0 records in, 10+0 records out",
        ),
        (
            "ibs=4k obs=512 count=10",
            "10+0 records in, 80+0 records out",
        ),
        ("obs=4k bs=1k count=8", "8+0 records in, 8+0 records out"),
        ("bs=1MB count=3MB", "3+0 records in, 3+0 records out"),
        (
            "bs=4k count=8192 iflag=count_bytes",
            "2+0 records in, 2+0 records out",
        ),
    ] {
        let operands = format!("if=/dev/zero of=/data/x {sizes}");
        assert_eq!(lines(&operands), (Some(0), records.to_owned()), "{sizes}");
    }
}

#[test]
fn dd_appends_to_what_is_there() {
    let dd = |conv: &[&'static str]| {
        let own = "dd --overwrite --no-save --quiet if=/dev/zero of=file bs=1k count=4 \
                   oflag=append status=none";
        let dd = own.split(' ').chain(conv.iter().copied());
        let (ended, folder) = Cli::new(dd).file("file", [7; 2048]).end();
        // dd warns of it, whatever it is to say otherwise.
        let warning = match conv {
            [] => "dd: you probably want conv=notrunc with oflag=append\n",
            _ => "",
        };
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), warning));
        std::fs::read(folder.path().join("file")).expect("written")
    };
    assert_eq!(dd(&[]), vec![0; 4096]);
    assert_eq!(
        dd(&["conv=notrunc"]),
        [vec![7; 2048], vec![0; 4096]].concat()
    );
}

#[test]
fn iotest_refuses_a_word_that_it_would_not_read() {
    let words = "iotest -t . stray -i 1 -b 1 -s 64";
    let (ended, _) = Cli::line(words).end();
    let first = ended.stderr.lines().next().unwrap_or_default().to_owned();
    let expected = "error: `stray` is no option; the script reads its options up to the first \
                    other word and nothing after it";
    assert_eq!((ended.status, first.as_str()), (Some(2), expected));
}

#[test]
fn an_option_of_fathom_behind_the_words_of_another_program_is_named() {
    let note = "note: --no-save is an option of fathom, and comes before the words of dd: fathom \
                dd --no-save …\n";
    let refused = "dd: unrecognized option '--no-save'\nTry 'dd --help' for more information.\n";
    let dd = ["dd", "if=/dev/null", "--no-save"];
    Cli::new(dd).check(1, "", &format!("{note}{refused}"));
    let refused = "dd: unrecognized option '--nothing'\nTry 'dd --help' for more information.\n";
    Cli::new(["dd", "if=/dev/null", "--nothing"]).check(1, "", refused);
}

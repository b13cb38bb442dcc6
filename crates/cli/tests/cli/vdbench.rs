//! `fathom vdbench`: its summary, which `explain` reads again, its statuses and its files.

use crate::command::Cli;

/// Two runs on a simulated volume: at a rate, and as fast as its threads go.
const LOAD: &str = "\
sd=sd1,lun=$lun,size=1g,openflags=o_direct,threads=2
wd=wd1,sd=sd1,xfersize=8k
rd=run1,wd=wd1,iorate=50,elapsed=4,interval=1,distribution=deterministic
rd=run2,wd=wd1,iorate=max,elapsed=4,interval=1,forthreads=(1,4)
";

const SIM: [&str; 6] = [
    "--engine",
    "sim",
    "--sim-service-time",
    "10ms",
    "--no-save",
    "--quiet",
];

fn vdbench<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [
        &["vdbench"][..],
        &SIM,
        &["-f", "load.vdb", "lun=/dev/simulated"],
        rest,
    ]
    .concat()
}

/// A summary without its times of day and the use of processors.
fn told(summary: &str) -> String {
    let rows = summary.lines().map(|line| match line.get(12..) {
        Some(row) if row.starts_with(' ') && line.len() > 100 => &row[..row.len() - 12],
        Some(row) => row,
        None => line,
    });
    let rows: Vec<&str> = rows.map(str::trim_end).collect();
    rows.join("\n") + "\n"
}

#[test]
fn the_summary_is_read_again_by_explain() {
    let (ended, _) = Cli::new(vdbench(&[])).file("load.vdb", LOAD).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(told(&ended.stdout), include_str!("vdbench_summary.txt"));
    Cli::new(["explain", "summary.txt"])
        .file("summary.txt", &ended.stdout)
        .check(0, include_str!("vdbench_explained.txt"), "");
}

#[test]
fn runs_are_named_without_a_request() {
    let named = "\
Simulating RD=run1; I/O rate: 50; elapsed=8 warmup=2; For loops: None
Simulating RD=run2; I/O rate: Uncontrolled MAX; elapsed=8 warmup=2; For loops: threads=1
Simulating RD=run2; I/O rate: Uncontrolled MAX; elapsed=8 warmup=2; For loops: threads=4
";
    let words = vdbench(&["-e", "8", "-w", "2", "-s"]);
    Cli::new(words).file("load.vdb", LOAD).check(0, named, "");
}

#[test]
fn wrong_words_end_as_with_vdbench() {
    let stderr = "\
error: `-j` is not possible: `fathom durability` checks writes after a loss of power
 --> command line:1:40
  |
1 | vdbench -f load.vdb lun=/dev/simulated -j
  |                                        ^^
  = help: without it
";
    let (ended, _) = Cli::new(vdbench(&["-j"])).file("load.vdb", LOAD).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(157), stderr));
}

#[test]
fn a_directory_of_reports_has_to_be_there_and_what_is_in_it_is_kept() {
    let stderr = "\
error: `reports` is not a directory
 --> command line:1:12
  |
1 | vdbench -o reports
  |            ^^^^^^^
  = help: a directory that is there, or without -o
";
    let words = vdbench(&["-o", "reports"]);
    let (ended, folder) = Cli::new(words.clone()).file("load.vdb", LOAD).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(157), stderr));
    let directory = folder.path().join("reports");
    std::fs::create_dir(&directory).expect("a directory");
    // What a run has written, the next one replaces.
    let (ended, folder) = Cli::in_folder(folder, words.clone()).end();
    assert_eq!(ended.status, Some(0));
    let (ended, folder) = Cli::in_folder(folder, words.clone()).end();
    assert_eq!(ended.status, Some(0));
    let path = directory.join("summary.html");
    let written = std::fs::read_to_string(&path).expect("a summary");
    let head = "<title>summary of vdbench by fathom</title><pre>\n";
    assert_eq!(written, format!("{head}{}</pre>\n", ended.stdout));
    std::fs::write(&path, "somebody's own").expect("a file");
    let (ended, _folder) = Cli::in_folder(folder, words).end();
    assert_eq!(ended.status, Some(157));
    assert_eq!(
        std::fs::read_to_string(&path).expect("a file"),
        "somebody's own"
    );
}

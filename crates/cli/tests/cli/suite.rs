//! `fathom suite`: many runs as one, and taken up again.

use crate::command::Cli;
use std::path::Path;

const SUITE: &str = r#"
name = "two"
description = "Two sizes, read and written"

[[run]]
workload = "random-mixed-8k"
label = "io"
read = [100, 0]
block_size = ["4KiB", "8KiB"]
queue_depth = [4]
time = "2s"
warm_up = "0s"
"#;

const WORDS: [&str; 6] = ["suite", "two.toml", "--engine", "sim", "--quiet", "--into"];

const REPORT: &str = "\
QUALIFIED   simulated: no storage was measured. engine sim, suite two: at most 39,998 IOPS and 327.7
            MB/s in 4 runs (simulated), of which 4 QUALIFIED
            Two sizes, read and written
QUALIFIED   read 4 KiB and 3 more: virtual time: the numbers describe a model of storage, not a
            device [simulated]

run            IOPS   MB/s  ±    mean     p99  state      file
read 4 KiB   39,998  163.8     100 µs  100 µs  QUALIFIED  001-io-r100-4KiB.json
read 8 KiB   39,998  327.7     100 µs  100 µs  QUALIFIED  002-io-r100-8KiB.json
write 4 KiB  39,998  163.8     100 µs  100 µs  QUALIFIED  003-io-r0-4KiB.json
write 8 KiB  39,998  327.7     100 µs  100 µs  QUALIFIED  004-io-r0-8KiB.json
IOPS, MB/s and times are means over the repetitions; times are response times of open loads and
service times of closed loads, over all operations; ± is the largest distance of a repetition from
the mean

IOPS
block size    read   write
     4 KiB  39,998  39,998
     8 KiB  39,998  39,998

MB/s
block size   read  write
     4 KiB  163.8  163.8
     8 KiB  327.7  327.7

mean time
block size    read   write
     4 KiB  100 µs  100 µs
     8 KiB  100 µs  100 µs
";

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| {
            let name = entry.expect("an entry").file_name();
            name.to_string_lossy().into_owned()
        })
        .collect();
    names.sort();
    names
}

#[test]
fn a_suite_is_one_report_and_goes_on_where_it_was_left() {
    let store = ["kept", "--store", "h.db"];
    let cli = Cli::new(WORDS.into_iter().chain(store)).file("two.toml", SUITE);
    let folder = cli.check(0, REPORT, "");
    let history = ["history", "--tag", "suite:two", "--store", "h.db", "--json"];
    let (listed, folder) = Cli::in_folder(folder, history).end();
    let runs = crate::document::listed(&listed.stdout, "runs");
    assert_eq!(runs.len(), 4, "{listed:?}");
    let kept = folder.path().join("kept");
    let all = [
        "pass01-001-io-r100-4KiB.json",
        "pass01-002-io-r100-8KiB.json",
        "pass01-003-io-r0-4KiB.json",
        "pass01-004-io-r0-8KiB.json",
        "report.html",
        "report.junit.xml",
        "report.md",
        "report.txt",
        "suite.json",
    ];
    assert_eq!(names_in(&kept), all);
    // Only the run that is missing is made again.
    let first = std::fs::read(kept.join(all[0])).expect("a result");
    std::fs::remove_file(kept.join(all[2])).expect("it was there");
    let again = Cli::in_folder(folder, WORDS.into_iter().chain(["kept"]));
    let folder = again.check(0, REPORT, "");
    let kept = folder.path().join("kept");
    assert_eq!(names_in(&kept), all);
    assert_eq!(std::fs::read(kept.join(all[0])).expect("a result"), first);
    // Another load in the same folder would mix what cannot be compared.
    let other = WORDS.into_iter().chain(["kept", "--time", "3s"]);
    Cli::in_folder(folder, other).check(
        4,
        "",
        "error: cannot keep the suite in kept\n  because: it was begun with other workloads or \
         options: io-r100-4KiB differs\n  try:     the same suite, targets and options to go on, \
         or another folder with --into\n",
    );
}

#[test]
fn rounds_end_when_the_followed_run_is_steady() {
    let rounds = SUITE.replace(
        "[[run]]",
        "[rounds]\nfollow = \"io-r0-4KiB\"\nmax = 9\n\n[[run]]",
    );
    let cli = Cli::new(WORDS.into_iter().chain(["kept"])).file("two.toml", rounds);
    let stdout = cli.stdout();
    let lines: Vec<&str> = stdout
        .lines()
        .skip_while(|line| !line.starts_with("rounds"))
        .take(2)
        .collect();
    let expected = [
        "rounds      write 4 KiB by round: 39,998, 39,998, 39,998, 39,998, 39,998 IOPS; steady: \
         range 0 % of",
        "            the mean, excursion 0 %",
    ];
    assert_eq!(lines, expected);
}

/// `FOLDER/*.json`, as a shell writes it out, has the plan of the suite among the results.
#[test]
fn the_page_of_a_folder_passes_over_the_plan() {
    let cli = Cli::new(WORDS.into_iter().chain(["kept"])).file("two.toml", SUITE);
    let folder = cli.check(0, REPORT, "");
    let names = names_in(&folder.path().join("kept")).into_iter();
    let is_json = |name: &String| Path::new(name).extension() == Some("json".as_ref());
    let named = names.filter(is_json);
    let named: Vec<String> = named.map(|name| format!("kept/{name}")).collect();
    assert_eq!((named.len(), named[4].as_str()), (5, "kept/suite.json"));
    let words = ["report".to_owned()].into_iter().chain(named);
    let page = ["-o", "html:page.html"].map(str::to_owned);
    let said = "written: page.html (html)\n";
    let folder = Cli::in_folder(folder, words.chain(page)).check(0, "", said);
    assert!(folder.path().join("page.html").exists());
    let alone = ["report", "kept/suite.json", "-o", "alone.html"];
    assert_eq!(Cli::in_folder(folder, alone).end().0.status, Some(2));
}

/// Runs of many workloads cannot stand each against the first.
#[test]
fn the_page_of_several_folders_is_a_matrix() {
    let made = |name: &'static str| WORDS.into_iter().chain([name]);
    let cli = Cli::new(made("one")).file("two.toml", SUITE);
    let folder = cli.check(0, REPORT, "");
    let folder = Cli::in_folder(folder, made("other")).check(0, REPORT, "");
    let words = ["report", "one", "other", "-o", "html:page.html"];
    let said = "written: page.html (html)\n";
    let folder = Cli::in_folder(folder, words).check(0, "", said);
    let page = std::fs::read_to_string(folder.path().join("page.html")).expect("a page");
    let head = page
        .split_once("<h1>")
        .and_then(|(_, rest)| rest.split_once('<'));
    let expected = "simulated: no storage was measured. 4 rows by 2 columns: one (4 simulated), \
                    other (4 simulated); 8 runs in all";
    assert_eq!(head.map(|(head, _)| head), Some(expected));
}

/// A suite that was begun without a target, taken up with one.
#[test]
fn where_a_suite_was_begun_is_said() {
    let words = "suite two.toml --engine sim --quiet --into kept";
    let folder = Cli::line(words)
        .file("two.toml", SUITE)
        .check(0, REPORT, "");
    let other = words.split(' ').chain(["--target", "sim-b"]);
    Cli::in_folder(folder, other).check(
        4,
        "",
        "error: cannot keep the suite in kept\n  because: it was begun on scratch files in the \
         current directory\n  try:     the same suite, targets and options to go on, or another \
         folder with --into\n",
    );
}

#[test]
fn an_option_that_would_flatten_an_axis_is_refused() {
    let words = ["suite", "size-matrix", "--read", "50"];
    Cli::new(words).check(
        2,
        "",
        "error: --read cannot be used with the suite `size-matrix`\n  because: its runs differ in \
         read\n  try:     omit --read, or use your own suite file\n",
    );
}

/// Of several roles each has a target of its own, and none is missed after hours of runs.
#[test]
fn roles_without_a_target_are_told_before_the_first_run() {
    let words = ["suite", "sas", "--target", "WORK=work", "--quiet"];
    Cli::new(words).check(
        2,
        "",
        "error: the suite `sas` has no target for all its roles\n  because: there is no target for \
         SASDATA, UTILLOC\n  try:     use --target SASDATA=PATH and so on, or --target DIRECTORY \
         for all roles\n",
    );
    let words = ["suite", "iris-processes", "--target", "data=.", "--quiet"];
    Cli::new(words).check(
        2,
        "",
        "error: the run ranread-t1 of the suite `iris-processes` has no target\n  because: it has \
         no role, but each target is given for a role\n  try:     use --target PATH for the runs \
         without a role\n",
    );
}

/// What SAS would say of each of its file systems stands below the table.
#[test]
fn the_file_systems_of_sas_are_judged_each_by_itself() {
    let words = "suite sas --engine sim --sim-volume gp3:1TiB --size 64MiB --bytes 64MiB \
                 --no-save --quiet --into kept";
    let (ended, folder) = Cli::line(words).end();
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    let labels: Vec<&str> = ended
        .stdout
        .lines()
        .skip_while(|line| !line.starts_with("VERDICT"))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with("sas-s"))
        .collect();
    let expected: Vec<String> = ["SASDATA", "WORK", "UTILLOC"]
        .into_iter()
        .flat_map(|role| [1, 2, 4, 8, 16].map(|count| format!("sas-session-{role}-t{count}")))
        .collect();
    assert_eq!(labels, expected);
    let targets: Vec<String> = ["001-sas-session-SASDATA-t1", "010-sas-session-WORK-t16"]
        .into_iter()
        .map(|name| {
            let place = folder.path().join(format!("kept/pass01-{name}.json"));
            let text = std::fs::read_to_string(place).expect("a result");
            let result = fathom_core::result::RunResult::from_json(&text).expect("a result");
            result.provenance.workload.phases[0].jobs[0]
                .targets
                .join(",")
        })
        .collect();
    assert_eq!(targets, ["@SASDATA", "@WORK"]);
}

#[test]
fn a_suite_is_not_kept_among_the_devices() {
    let words = ["suite", "two.toml", "--engine", "sim", "--quiet", "--into"];
    let words = words.into_iter().chain(["/dev/fathom-suite"]);
    let refused = Cli::new(words).file("two.toml", SUITE);
    refused.check(
        4,
        "",
        "error: cannot keep the suite in /dev/fathom-suite\n  because: it would be a file of the \
         kernel's own file system devtmpfs\n  try:     another folder with --into\n",
    );
    assert!(!Path::new("/dev/fathom-suite").exists());
}

#[test]
fn a_suite_writes_the_forms_that_are_asked_for() {
    let outputs = ["kept", "-o", "suite.xml", "--output", "markdown"];
    let (ended, folder) = Cli::new(WORDS.into_iter().chain(outputs))
        .file("two.toml", SUITE)
        .end();
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(ended.stdout, text("kept/report.md"));
    assert_eq!(text("suite.xml"), text("kept/report.junit.xml"));
    let twice = ["again", "-o", "html", "-o", "text"];
    let stderr = "error: two outputs cannot both go to standard output\n  try:     name a file for \
                  one of them, as in --output html:suite.html\n";
    let folder = Cli::in_folder(folder, WORDS.into_iter().chain(twice)).check(2, "", stderr);
    assert!(!folder.path().join("again").exists());
}

#[test]
fn the_list_adds_up() {
    let expected = "\
RUN          WORKLOAD          TIME  FILE
read 4 KiB   random-mixed-8k  2.0 s  001-io-r100-4KiB.json
read 8 KiB   random-mixed-8k  2.0 s  002-io-r100-8KiB.json
write 4 KiB  random-mixed-8k  2.0 s  003-io-r0-4KiB.json
write 8 KiB  random-mixed-8k  2.0 s  004-io-r0-8KiB.json
all          4 runs           8.0 s
files in the results folder begin with the repetition: pass01-FILE
";
    let list = Cli::new(["suite", "two.toml", "--list"]);
    list.file("two.toml", SUITE).check(0, expected, "");
}

#[test]
fn only_a_list_is_printed_for_programs() {
    let stderr = "error: --json has no effect\n  because: it prints a list\n  try:     --list, or \
                  the results folder of --into, which has JSON\n";
    Cli::new(["suite", "size-matrix", "--json"]).check(2, "", stderr);
}

/// The command of the nightly unit, as systemd hands it to the shell.
fn nightly_command() -> String {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../deploy/systemd/fathom-suite@.service"
    );
    let unit = std::fs::read_to_string(path).expect("the unit");
    let mut lines = unit.lines();
    let line = lines.find_map(|line| line.strip_prefix("ExecStart=/bin/sh -c '"));
    let command = line
        .and_then(|line| line.strip_suffix('\''))
        .expect("a shell");
    command
        .replace("/usr/bin/fathom", env!("CARGO_BIN_EXE_fathom"))
        .replacen("%i", "two.toml --engine sim", 1)
        .replace("%i", "two")
        .replace("$$", "$")
        .replace("%%", "%")
}

#[test]
fn every_night_measures_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("two.toml"), SUITE).expect("a suite");
    let night = || {
        let made = std::process::Command::new("/bin/sh")
            .args(["-c", &nightly_command()])
            .current_dir(folder.path())
            .env("TARGET", "unused")
            .env("STATE_DIRECTORY", folder.path())
            .env("FATHOM_STORE", folder.path().join("h.db"))
            .output()
            .expect("a shell");
        String::from_utf8_lossy(&made.stderr).into_owned()
    };
    assert_eq!([night(), night()], ["", ""]);
    let runs = ["history", "--tag", "suite:two", "--store", "h.db", "--json"];
    let (listed, _) = Cli::in_folder(folder, runs).end();
    assert_eq!(crate::document::listed(&listed.stdout, "runs").len(), 8);
}

#[test]
fn a_folder_that_has_all_runs_is_no_measurement() {
    let words = "suite two.toml --engine sim --quiet --no-save";
    let (first, folder) = Cli::line(words).file("two.toml", SUITE).end();
    assert_eq!((first.stdout.as_str(), first.stderr.as_str()), (REPORT, ""));
    let error = "error: nothing was measured\n  because: the folder fathom-two has all 4 runs \
                 already\n  try:     use --into DIRECTORY with a new directory\n";
    let folder = Cli::line_in(folder, words).check(2, REPORT, error);
    let said = "nothing was measured: fathom-two has all 4 runs already\n";
    let named = words.split(' ').chain(["--into", "fathom-two"]);
    Cli::in_folder(folder, named).check(0, REPORT, said);
}

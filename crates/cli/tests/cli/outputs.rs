//! Where results go, and where they cannot.

use crate::command::Cli;
use crate::document::{fields, read};
use crate::loads::{SIMULATED, with};
use serde_json::json;

const NULL: &str = "run random-read-4k --engine null --ios 100 --warm-up 0s --size 1MiB --quiet \
                    --no-live";

fn null<'a>(more: &[&'a str]) -> Vec<&'a str> {
    NULL.split(' ').chain(more.iter().copied()).collect()
}

#[test]
fn a_bad_place_fails_before_anything_is_measured() {
    let cases = [
        (
            "json:nowhere/result.json",
            4,
            "error: cannot write the result to nowhere/result.json\n  because: no such file or \
             directory\n  try:     use another file, or - for standard output\n",
        ),
        (
            "json:.",
            4,
            "error: cannot write the result to .\n  because: it is a directory\n  try:     use \
             another file, or - for standard output\n",
        ),
        (
            "json:null",
            2,
            "error: cannot write the result to null\n  because: it is a target of the run\n  try:  \
             \u{20}  use another file, or - for standard output\n",
        ),
    ];
    for (output, status, stderr) in cases {
        Cli::new(null(&["--output", output])).check(status, "", stderr);
    }
}

#[test]
fn several_outputs_are_all_written() {
    let run = null(&[
        "--output",
        "json:a.json",
        "--output",
        "json:b.json",
        "--output",
        "json",
    ]);
    let (ended, folder) = Cli::new(run).end();
    let text = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    assert_eq!(text("a.json"), text("b.json"));
    assert_eq!(ended.stdout, text("a.json"));
}

#[test]
fn an_older_result_is_replaced_as_a_whole() {
    let older = "x".repeat(1 << 20);
    let run = null(&["--output", "json:result.json"]);
    let refusal = "error: cannot write the result to result.json\n  because: the file exists \
                   (1048576 bytes)\n  try:     another name, or --replace-results to replace it\n";
    Cli::new(&run)
        .file("result.json", &older)
        .check(4, "", refusal);
    // The second is the older word, which gives up targets as well.
    for option in ["--replace-results", "--overwrite"] {
        let run = null(&["--output", "json:result.json", option]);
        let folder = Cli::new(run).file("result.json", &older).check(0, "", "");
        let result = read(&folder.path().join("result.json"));
        assert_eq!(fields(&result, &["schema_version"]), json!([1]));
    }
}

/// Results are one thing, and what the load is written to another.
#[test]
fn replacing_results_gives_up_no_target() {
    let run = "run random-write-4k --target mine.dat --ios 4 --no-save --quiet \
               --replace-results";
    let (ended, folder) = Cli::line(run).file("mine.dat", [1; 8192]).end();
    assert_eq!(ended.status, Some(4));
    let kept = std::fs::read(folder.path().join("mine.dat")).expect("a file");
    assert_eq!(kept, [1; 8192]);
}

/// A file whose ending says the format, and the answer on the screen all the same.
#[test]
fn a_file_alone_has_the_form_of_its_ending() {
    let run = with(SIMULATED, &["--no-save", "--no-live", "-o", "run.html"]);
    let (ended, folder) = Cli::new(run).end();
    assert_eq!(ended.status, Some(0));
    let last = ended.stderr.lines().last();
    assert_eq!(last, Some("written: run.html (html)"));
    let page = std::fs::read_to_string(folder.path().join("run.html")).expect("a page");
    let first = ended.stdout.lines().next().unwrap_or_default();
    assert_eq!(
        (page.lines().next(), first.split(": ").next()),
        (Some("<!DOCTYPE html>"), Some("simulated engine sim"))
    );
}

#[test]
fn what_is_simulated_is_not_called_measured() {
    let run = with(SIMULATED, &["--no-save", "--quiet", "-o", "csv"]);
    let table = Cli::new(run).stdout();
    let mut lines = table
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>());
    let (head, row) = (lines.next().expect("a head"), lines.next().expect("a row"));
    let column = head
        .iter()
        .position(|name| *name == "origin")
        .expect("it is there");
    assert_eq!(row[column], "simulated");
}

#[test]
fn an_older_result_outlives_a_run_that_fails() {
    let run = "run random-read-4k --target nowhere/file --quiet --output json:old.json \
               --overwrite --output json:new.json";
    let (ended, folder) = Cli::line(run).file("old.json", "older").end();
    assert_eq!(ended.status, Some(4));
    let older = std::fs::read_to_string(folder.path().join("old.json")).expect("a file");
    assert_eq!(
        (older.as_str(), folder.path().join("new.json").exists()),
        ("older", false)
    );
}

#[test]
fn two_results_do_not_share_a_place() {
    let cases: [(&[&str], &str); 3] = [
        (
            &["--output", "text", "--output", "json"],
            "error: two outputs cannot both go to standard output\n  try:     write one of them to \
             a file, as in --output json:result.json\n",
        ),
        (
            &["--output", "text:a", "--output", "json:a"],
            "error: a would be written twice\n  try:     use a separate file for each --output\n",
        ),
        (
            &["random-write-4k", "--output", "json:all.json"],
            "error: all.json would be written twice\n  because: each workload has its own \
             result\n  \
             try:     use --output 'json:all-{name}.json', or run one workload after another\n",
        ),
    ];
    for (more, stderr) in cases {
        Cli::new(null(more)).check(2, "", stderr);
    }
}

#[test]
fn each_workload_has_its_file() {
    let run = null(&["random-mixed-8k", "--output", "json:all-{name}.json"]);
    let folder = Cli::new(run).check(0, "", "");
    for name in ["random-read-4k", "random-mixed-8k"] {
        let result = read(&folder.path().join(format!("all-{name}.json")));
        let paths = ["provenance.workload.name"];
        assert_eq!(fields(&result, &paths), json!([name]));
    }
}

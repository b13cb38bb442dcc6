//! One metric over many runs.

use crate::command::Cli;
use crate::document::fields;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A simulated run with a service time, saved with a tag.
const RUN: &str = "run random-read-4k --engine sim --time 1s --quiet --tag nightly --store h.db \
                   --sim-service-time";

/// A folder with a history of twelve runs, the last four slower and with more processors.
fn history() -> TempDir {
    let mut folder = tempfile::tempdir().expect("a folder");
    for number in 0..12 {
        let time = if number < 7 { "1ms" } else { "1200us" };
        let (ended, same) = Cli::line_in(folder, format!("{RUN} {time}")).end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
        folder = same;
    }
    folder
}

#[test]
fn the_run_at_which_a_metric_changed_is_named() {
    let folder = history();
    let words = ["trend", "nightly", "--gate", "--store", "h.db"];
    let files = ["-o", "t.json"];
    let (ended, folder) = Cli::in_folder(folder, [&words[..], &files].concat()).end();
    assert_eq!(ended.status, Some(1), "{ended:?}");
    let answer = ended.stdout.split("\n\n").next().unwrap_or_default();
    let answer = answer.replace('\n', " ");
    let begin = "simulated read IOPS of random-read-4k on sim fell 16.7 % (9";
    assert!(answer.starts_with(begin), "{answer}");
    assert!(
        answer.ends_with("no known part of the setup changed in this run"),
        "{answer}"
    );
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it was written");
    let found: Value = serde_json::from_str(&read("t.json")).expect("JSON");
    let paths = [
        "trend_version",
        "others",
        "trends.0.workload",
        "trends.0.op",
        "trends.0.metric",
        "trends.0.left_out",
        "trends.0.found.levels",
        "trends.0.found.changes.0.at",
        "trends.0.found.differences",
    ];
    let median = found["trends"][0]["found"]["levels"][1]["median"].clone();
    let expected = json!([
        1,
        0,
        "random-read-4k",
        "read",
        "iops",
        0,
        [
            { "begin": 0, "runs": 7, "median": 32_000.0 },
            { "begin": 7, "runs": 5, "median": median },
        ],
        7,
        [[]],
    ]);
    assert_eq!(fields(&found, &paths), expected);
    // The name that it had before prints the same.
    let (new, folder) =
        Cli::in_folder(folder, ["trend", "nightly", "--json", "--store", "h.db"]).end();
    let old = "history --changes --tag nightly --json --store h.db";
    Cli::line_in(folder, old).check(0, &new.stdout, "");
}

#[test]
fn the_answer_is_written_in_every_format() {
    let words = "trend nightly --store h.db -o junit:t.xml -o t.csv -o t.html -o t.md -o \
                 openmetrics:t.prom";
    let (ended, folder) = Cli::line_in(history(), words).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let read =
        |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("it was written");
    let xml = read("t.xml");
    let suites =
        "<testsuites name=\"fathom\" tests=\"1\" failures=\"1\" errors=\"0\" time=\"0.000\">";
    assert_eq!(xml.lines().nth(1), Some(suites));
    let metrics = read("t.prom");
    let worse = metrics.matches("\nfathom_trend_worse{").count();
    assert_eq!(worse, 1, "{metrics}");
    let rows = read("t.csv");
    assert_eq!(rows.lines().count(), 13, "{rows}");
    assert_eq!(read("t.html").matches("<figure").count(), 1);
    assert!(read("t.md").starts_with("**simulated read IOPS"));
}

#[test]
fn what_is_not_there_is_refused() {
    let (ended, folder) = Cli::line(format!("{RUN} 1ms")).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
    let message = "error: no run of the history matches weekly\n  because: it is neither a tag, \
                   nor a workload, nor part of a target or disk\n  try:     `fathom history` lists \
                   the runs\n";
    let folder =
        Cli::in_folder(folder, ["trend", "weekly", "--store", "h.db"]).check(2, "", message);
    let message = "error: the history has no table of p95\n  try:     use another --metric, such \
                   as p90 or p99\n";
    let words = ["trend", "--metric", "p95", "--store", "h.db"];
    let folder = Cli::in_folder(folder, words).check(2, "", message);
    // One run decides nothing.
    let (ended, _) = Cli::in_folder(folder, ["trend", "--gate", "--store", "h.db"]).end();
    assert_eq!(ended.status, Some(5), "{ended:?}");
}

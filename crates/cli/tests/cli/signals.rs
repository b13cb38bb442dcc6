//! Signals: the first ends the measurement and reports, the second leaves.

use crate::command::Cli;
use crate::document::{fields, read};
use rustix::process::Signal;
use serde_json::json;

const LONG: [&str; 16] = [
    "run",
    "random-read-4k",
    "--engine",
    "psync",
    "--no-direct",
    "--size",
    "1MiB",
    "--time",
    "1h",
    "--warm-up",
    "0s",
    "--interval",
    "100ms",
    "--no-live",
    "--output",
    "json:result.json",
];

#[test]
fn the_first_signal_reports() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut running = Cli::new(LONG).start();
        running.wait_for_line("[1/1 ");
        running.send(signal);
        let (ended, folder) = running.end();
        assert_eq!(
            (ended.status, ended.stdout.as_str()),
            (Some(130), ""),
            "{ended:?}"
        );
        let result = read(&folder.path().join("result.json"));
        let paths = ["phases.0.ended_by", "phases.0.jobs.0.read.errors"];
        assert_eq!(fields(&result, &paths), json!(["interrupted", 0]));
        let files = std::fs::read_dir(folder.path()).expect("the folder is there");
        assert_eq!(files.count(), 1, "the scratch file is removed");
    }
}

#[test]
fn the_second_signal_leaves_without_a_report() {
    let mut running = Cli::new(LONG).start();
    running.wait_for_line("[1/1 ");
    // Both wait for the process, so that it sees them at once when it goes on.
    running.send(Signal::STOP);
    running.send(Signal::INT);
    running.send(Signal::TERM);
    running.send(Signal::CONT);
    let (ended, folder) = running.end();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(130), ""));
    assert_eq!(
        ended.stderr.lines().last(),
        Some("error: the run was aborted")
    );
    let files = std::fs::read_dir(folder.path()).expect("the folder is there");
    assert_eq!(files.count(), 0, "neither result nor scratch file is left");
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let mut running = Cli::new(LONG).start_ignoring("HUP");
    running.wait_for_line("[1/1 ");
    running.send(Signal::HUP);
    running.wait_for_line("[1/1 ");
    running.send(Signal::TERM);
    let (ended, _folder) = running.end();
    assert_eq!(ended.status, Some(130));
}

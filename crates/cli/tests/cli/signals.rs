//! Signals: the first ends the measurement and reports, the second leaves.

use crate::command::Cli;
use crate::document::{fields, read};
use crate::loads::{LONG_IN_LINES, with};
use fathom_testing::skip;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::Signal;
use serde_json::json;
use std::fs::File;
use std::path::Path;

/// A run that ends by a signal alone, and leaves a result then.
fn long() -> Vec<&'static str> {
    with(LONG_IN_LINES, &["--output", "json:result.json"])
}

#[test]
fn the_first_signal_reports() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let mut running = Cli::new(long()).start();
        running.wait_for_line("[1/1 ");
        running.send(signal);
        let (ended, folder) = running.end();
        assert_eq!(ended.status, Some(130), "{ended:?}");
        assert!(ended.stdout.lines().count() <= 24, "{ended:?}");
        let result = read(&folder.path().join("result.json"));
        let paths = ["phases.0.ended_by", "phases.0.jobs.0.read.errors"];
        assert_eq!(fields(&result, &paths), json!(["interrupted", 0]));
        let files = std::fs::read_dir(folder.path()).expect("the folder is there");
        assert_eq!(files.count(), 1, "the scratch file is removed");
    }
}

/// Of seven phases six were not run: the result says so, and the history does not call it complete.
#[test]
fn a_run_that_was_stopped_is_interrupted() {
    let words = "quick . --engine psync --no-direct --size 1MiB --time 1h --warm-up 0s \
                 --interval 100ms --no-live --store h.db --output json:result.json";
    let mut running = Cli::line(words).start();
    running.wait_for_line("[1/7 ");
    running.send(Signal::INT);
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(130), "{ended:?}");
    let result = read(&folder.path().join("result.json"));
    let caveats = result["caveats"].as_array().expect("a list").iter();
    let said = caveats.filter(|caveat| caveat["code"] == "interrupted");
    let said: Vec<_> = said
        .filter_map(|caveat| caveat["message"].as_str())
        .collect();
    let expected = "6 of 7 phases were not run: random-read-deep, random-read-single, \
                    sequential-write, random-write-deep, random-write-single, commit";
    assert_eq!(said.first(), Some(&expected));
    let list = ["history", "--json", "--store", "h.db"];
    let (listed, _) = Cli::in_folder(folder, list).end();
    let runs = crate::document::listed(&listed.stdout, "runs");
    assert_eq!(fields(&runs[0], &["status"]), json!(["interrupted"]));
}

#[test]
fn the_second_signal_leaves_without_a_report() {
    let mut running = Cli::new(long()).start();
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

/// Requests that came due while the generator was stopped are late on its account, in the middle of
/// a phase and at its end alike: that is neither the storage's time nor an overload.
#[test]
fn what_a_stopped_generator_delays_is_its_own() {
    let words = "run random-read-4k --engine psync --no-direct --size 1MiB --time 1s \
                 --warm-up 0s --rate '1000 IOPS' --interval 100ms --no-live --output \
                 json:result.json";
    // The other run says how long the stop lasts at least: to the middle, and beyond the end.
    for stop in ["300ms", "2s"] {
        let mut running = Cli::line(words).start();
        running.wait_for_line("[1/1 ");
        running.send(Signal::STOP);
        let other = format!("run random-read-4k --engine null --warm-up 0s --time {stop}");
        let (other, _) = Cli::line(other).end();
        assert_eq!(other.status, Some(0), "{other:?}");
        running.send(Signal::CONT);
        let (ended, folder) = running.end();
        assert_eq!(ended.status, Some(0), "{ended:?}");
        let result = read(&folder.path().join("result.json"));
        let caveats = result["caveats"].as_array().expect("a list");
        let codes = caveats.iter().map(|one| one["code"].as_str());
        let ours = ["generator_paused", "overloaded", "rate_missed"].map(Some);
        let told: Vec<_> = codes.filter(|code| ours.contains(code)).collect();
        assert_eq!(told, [Some("generator_paused")]);
        let job = &result["phases"][0]["jobs"][0];
        assert_eq!(job["due"], json!(1000));
    }
}

#[test]
fn a_signal_while_a_file_is_laid_out() {
    let words = "run random-read-4k --target . --engine psync --size 512MiB --no-live \
                 --output json:result.json";
    let mut running = Cli::line(words).start();
    running.wait_for_line("laying out ");
    running.send(Signal::STOP);
    running.send(Signal::INT);
    running.send(Signal::CONT);
    let (ended, folder) = running.end();
    let last: Vec<&str> = ended.stderr.lines().rev().take(2).collect();
    let place = folder.path().join("fathom-data.dat");
    let thing = format!("error: cannot lay out {}", place.display());
    assert_eq!(last, ["  because: it was interrupted", &thing]);
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(130), ""));
    let files = std::fs::read_dir(folder.path()).expect("the folder is there");
    assert_eq!(files.count(), 0);
}

#[test]
fn a_signal_while_the_result_is_written_ends_the_program() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("pipe");
    mknodat(CWD, &path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).expect("a pipe");
    // Open for both, so that neither side waits for the other; and too small for a result.
    let pipe = File::options()
        .read(true)
        .write(true)
        .open(&path)
        .expect("it is there");
    rustix::pipe::fcntl_setpipe_size(&pipe, 4096).expect("it is empty");
    let run = "run random-read-4k --engine sim --sim-servers 1 --time 1s --quiet --output \
               json:pipe";
    let running = Cli::line_in(folder, run).start();
    let mut fds = [PollFd::new(&pipe, PollFlags::IN)];
    poll(&mut fds, None).expect("it is open");
    running.send(Signal::INT);
    let (ended, _folder) = running.end();
    assert_eq!((ended.status, ended.signal), (None, Some(2)));
}

#[test]
fn an_ignored_signal_stays_ignored() {
    let mut running = Cli::new(long()).start_ignoring("HUP");
    running.wait_for_line("[1/1 ");
    running.send(Signal::HUP);
    running.wait_for_line("[1/1 ");
    running.send(Signal::TERM);
    let (ended, _folder) = running.end();
    assert_eq!(ended.status, Some(130));
}

const SUITE: &str = r#"
name = "two"
description = "Two depths"
[[run]]
workload = "random-read-4k"
label = "io"
queue_depth = [1, 2]
size = "1MiB"
time = "1h"
warm_up = "0s"
"#;

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut names: Vec<String> = names
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

/// The runs of a suite lend their files to each other; whatever ends it, they go with it, after a
/// kill with the next run.
#[test]
fn a_suite_that_is_ended_leaves_no_scratch_file() {
    let words = "suite two.toml --engine psync --no-direct --no-live --no-save --into kept";
    for signal in [Signal::INT, Signal::TERM, Signal::KILL] {
        let suite = Cli::line(words).file("two.toml", SUITE);
        let mut running = suite.start();
        running.wait_for_line("[1/1 ");
        assert!(running.path("fathom-data.dat").exists());
        running.send(signal);
        let (ended, mut folder) = running.end();
        if signal == Signal::KILL {
            assert_eq!(ended.signal, Some(9));
            let path = folder.path().join("fathom-data.dat");
            let file = File::open(&path).expect("it is left");
            if !fathom_device::mark::is_left_behind(&file, &path).expect("it can be asked") {
                skip("the temporary folder has no extended attributes");
                continue;
            }
            let told = "removed DIR/fathom-data.dat (1 MiB)\n";
            folder = Cli::in_folder(folder, ["clean"]).check(0, told, "");
        } else {
            assert_eq!(ended.status, Some(130), "{ended:?}");
        }
        assert_eq!(names_in(folder.path()), ["kept", "two.toml"], "{ended:?}");
    }
}

/// While the report of a run is written a signal ends the process at once; not in the next run.
#[test]
fn a_later_run_of_a_suite_hears_a_signal_too() {
    let brief = SUITE.replace("1h", "100ms").replace("[1, 2]", "[1]");
    let text = format!("{brief}{}", &SUITE[SUITE.find("[[run]]").expect("a run")..]).replacen(
        r#"label = "io""#,
        r#"label = "brief""#,
        1,
    );
    let words = "suite two.toml --engine psync --no-direct --no-live --no-save --into kept";
    let mut running = Cli::line(words).file("two.toml", &text).start();
    running.wait_for_line("suite two: repetition 1, run 2 of 3");
    running.wait_for_line("[1/1 ");
    running.send(Signal::TERM);
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(130), "{ended:?}");
    assert_eq!(names_in(folder.path()), ["kept", "two.toml"], "{ended:?}");
}

/// Nobody would look after the run: it would go on writing, and hold its file.
#[test]
fn a_run_of_pairs_that_are_killed_ends_with_them() {
    let side = "run random-write-4k --size 1MiB --engine psync --no-direct --time 1h --warm-up 0s";
    let words = ["ab", "--a", side, "--b", side, "--results", "kept"];
    let mut running = Cli::new(words).start();
    running.wait_for_file("fathom-data.dat");
    running.send(Signal::KILL);
    let (ended, folder) = running.end();
    assert_eq!(ended.signal, Some(9));
    while folder.path().join("fathom-data.dat").exists() {
        std::thread::yield_now();
    }
}

/// The kernel sends one signal for each thread of the parent: three of a user would end the run
/// at once, and leave its file. Every third try showed it.
#[test]
fn a_parent_of_many_threads_dies_once() {
    let words = "run random-write-4k --size 1MiB --engine psync --no-direct --time 1h --no-save";
    let own = std::process::id().to_string();
    for _ in 0..16 {
        let run = Cli::line(words).with("FATHOM_PARENT", &own);
        let mut running = run.start();
        running.wait_for_file("fathom-data.dat");
        while running.is_there() {
            running.send(Signal::TERM);
        }
        let (ended, folder) = running.end();
        assert_eq!((ended.status, ended.signal), (Some(130), None), "{ended:?}");
        assert_eq!(names_in(folder.path()), Vec::<String>::new());
    }
}

/// The parent may be killed before the run can ask to end with it.
#[test]
fn a_run_whose_parent_is_gone_does_nothing() {
    let words = "run random-write-4k --size 1MiB --ios 1 --no-save";
    let run = Cli::line(words).with("FATHOM_PARENT", "1");
    let (ended, folder) = run.end();
    assert_eq!((ended.status, ended.signal), (None, Some(15)));
    assert_eq!(names_in(folder.path()), Vec::<String>::new());
}

/// As early as before the run listens, and while it begins.
#[test]
fn a_signal_at_any_moment_of_the_start_leaves_nothing() {
    let words = "run random-write-4k --size 1MiB --engine psync --no-direct --time 1h --no-save";
    for moment in 0..40 {
        let running = Cli::line(words).start();
        (0..moment * 100).for_each(|_| std::thread::yield_now());
        running.send(Signal::TERM);
        let (ended, folder) = running.end();
        let is_interrupted = matches!(
            (ended.status, ended.signal),
            (Some(130), None) | (None, Some(15))
        );
        assert!(is_interrupted, "{moment}: {ended:?}");
        assert_eq!(
            names_in(folder.path()),
            Vec::<String>::new(),
            "{moment}: {ended:?}"
        );
    }
}

#[test]
fn watching_that_is_interrupted_says_so_and_its_recording_is_whole() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let words = "watch --interval 100ms --plain --record recording --count 100000";
        let mut running = Cli::line(words).start();
        running.wait_for_output();
        running.send(signal);
        let (ended, folder) = running.end();
        let found = (ended.status, ended.signal, ended.stderr.as_str());
        assert_eq!(found, (Some(130), None, ""));
        let read = ["watch", "--read", "recording"];
        let (ended, _) = Cli::in_folder(folder, read).end();
        assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
    }
}

#[test]
fn pairs_that_are_interrupted_say_so() {
    let side = "run random-read-4k --engine null --time 1h --warm-up 0s";
    for more in [&[][..], &["--gate", "5"]] {
        let words = [&["ab", "--a", side, "--b", side], more].concat();
        let mut running = Cli::new(words).start();
        running.wait_for_line("the runs are saved ");
        running.send(Signal::INT);
        let (ended, folder) = running.end();
        assert_eq!((ended.status, ended.signal), (Some(130), None), "{ended:?}");
        assert_eq!(names_in(folder.path()), [""; 0]);
    }
}

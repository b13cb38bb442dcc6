//! A real stall: the process stands still for a second, and the result must show it in every
//! request that it delayed.

use crate::command::Cli;
use crate::loads::{LONG_IN_LINES, with};
use fathom_core::Op;
use fathom_core::result::RunResult;
use rustix::process::Signal;

/// A run of a second, as a clock for the time in which the other one stands still.
fn a_second_passes() {
    let words = "run random-read-4k --engine null --target null --size 1MiB --warm-up 0s --time 1s \
                 --quiet --output json:clock.json";
    let (ended, _folder) = Cli::line(words).end();
    assert_eq!(ended.status, Some(0), "{ended:?}");
}

#[test]
fn a_stopped_process_shows_in_every_response_it_delayed() {
    let more = ["--rate", "1000 IOPS", "--output", "json:result.json"];
    let mut running = Cli::new(with(LONG_IN_LINES, &more)).start();
    running.wait_for_line("[1/1 ");
    running.send(Signal::STOP);
    a_second_passes();
    running.send(Signal::CONT);
    // Lines of the stop come at once when it is over; the requests that it delayed take longer.
    a_second_passes();
    running.wait_for_line("[1/1 ");
    running.send(Signal::INT);
    let (ended, folder) = running.end();
    assert_eq!(ended.status, Some(130), "{ended:?}");
    let text = std::fs::read_to_string(folder.path().join("result.json")).expect("a result");
    let result = RunResult::from_json(&text).expect("a result");
    let job = &result.phases[0].jobs[0];
    let read = job.ops.get(Op::Read).expect("the job reads");
    let encoded = read
        .response_histogram
        .as_ref()
        .expect("an open load has response times");
    let responses = encoded.decode().expect("own bytes");

    // The stop is as long as the longest response: a second, and what it took to start the clock.
    let longest_ns = read.response_ns.max;
    assert!(longest_ns >= 1_000_000_000, "{longest_ns} ns");
    // One request a millisecond was due meanwhile; each waited for what was left of the stop. A
    // busy machine adds late ones of its own, but no request is counted twice.
    let due = longest_ns / 1_000_000;
    let late = |ns: u64| responses.len() - responses.count_up_to(ns);
    let half = longest_ns / 2;
    let (all, longer) = (late(1_000_000), late(half));
    assert!(
        all + 20 >= due && all <= job.due.unwrap_or(0),
        "{all} late of {due} due"
    );
    assert!(
        longer + 20 >= due / 2 && longer <= due * 3 / 4,
        "{longer} late by half of it"
    );
    // The service time alone shows one request at the most.
    let encoded = read
        .service_histogram
        .as_ref()
        .expect("the histogram is kept");
    let services = encoded.decode().expect("own bytes");
    let stalled = services.len() - services.count_up_to(half);
    assert!(
        stalled <= 1,
        "{stalled} services of more than half the stop"
    );
}

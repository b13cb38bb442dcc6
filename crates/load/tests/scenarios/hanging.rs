//! Storage that hangs past the end of the measured time: its requests are in the times.

use crate::scenario::{Scenario, job, open};
use fathom_core::result::{LateRequests, OpResult, PhaseResult};
use fathom_core::spec::Arrivals;
use fathom_core::{Nanos, Op};

const MS: u64 = 1_000_000;

/// Reads of 10 ms, four at a time, for 8 s; nothing is served from 5 s on for so long.
fn hanging(length: Nanos) -> Scenario {
    let mut four = job("reads");
    four.queue_depth = 4;
    let mut scenario = Scenario::new(four, Nanos::from_millis(10));
    scenario.volume.servers = 4;
    scenario
        .lasting(Nanos::from_secs(8))
        .stalling(Nanos::from_secs(5), length)
}

fn read(result: &PhaseResult) -> &OpResult {
    result.jobs[0].ops[Op::Read].as_ref().expect("it reads")
}

/// Requests, values of the histogram, the longest, whether that is a bound, what was late.
fn told(result: &PhaseResult) -> (u64, u64, u64, bool, Option<LateRequests>) {
    let read = read(result);
    let times = &read.service_ns;
    let is_bound = read.is_max_a_bound();
    (read.ios, times.count, times.max / MS, is_bound, read.late)
}

#[test]
fn requests_that_come_back_while_they_are_waited_for_are_in_the_times() {
    let result = hanging(Nanos::from_secs(10)).run();
    let late = LateRequests {
        returned: 4,
        returned_longest_ns: 10_010 * MS,
        completed_longest_ns: 10 * MS,
        ..LateRequests::default()
    };
    assert_eq!(told(&result), (2000, 2004, 10_010, false, Some(late)));
    let slowest: Vec<u64> = read(&result).slowest[..5]
        .iter()
        .map(|one| one.service_ns / MS)
        .collect();
    assert_eq!(slowest, [10_010, 10_010, 10_010, 10_010, 10]);
    assert_eq!(result.measured_ns, 8000 * MS);
}

#[test]
fn requests_that_do_not_come_back_count_with_their_age() {
    let mut scenario = hanging(Nanos::from_secs(1000));
    // From 5 s to 30 s after the end at 8 s.
    let late = |seconds: u64| LateRequests {
        in_flight: 4,
        in_flight_longest_ns: seconds * 1000 * MS,
        completed_longest_ns: 10 * MS,
        ..LateRequests::default()
    };
    assert_eq!(
        told(&scenario.run()),
        (2000, 2004, 33_000, true, Some(late(33)))
    );
    scenario.phase().drain_timeout = Nanos::from_secs(2);
    assert_eq!(
        told(&scenario.run()),
        (2000, 2004, 5000, true, Some(late(5)))
    );
    // One request at a time, by the turn of its own.
    scenario.phase().jobs[0].queue_depth = 1;
    let late = LateRequests {
        in_flight: 1,
        ..late(5)
    };
    assert_eq!(told(&scenario.run()), (500, 501, 5000, true, Some(late)));
}

#[test]
fn storage_that_never_answers_has_times_all_the_same() {
    let result = hanging(Nanos::from_secs(1000))
        .stalling(Nanos::ZERO, Nanos::from_secs(1000))
        .run();
    let late = LateRequests {
        in_flight: 4,
        in_flight_longest_ns: 38_000 * MS,
        ..LateRequests::default()
    };
    assert_eq!(told(&result), (0, 4, 38_000, true, Some(late)));
}

#[test]
fn responses_count_from_the_intended_start() {
    let mut scenario = hanging(Nanos::from_secs(1000));
    scenario.phase().jobs[0].pacing = open(100.0, Arrivals::Constant);
    let result = scenario.run();
    let read = read(&result);
    // Of those that came due from 5 s on four were handed over, the last after 30 ms.
    assert_eq!(read.late.map(|late| late.in_flight), Some(4));
    assert_eq!(read.response_ns.max, read.service_ns.max);
    assert_eq!(read.response_ns.count, read.ios + 4);
}

#[test]
fn what_hangs_in_the_cool_down_load_is_waited_for_after_it() {
    let mut scenario = hanging(Nanos::from_secs(10));
    scenario.phase().cool_down = Nanos::from_secs(1);
    let late = LateRequests {
        returned: 4,
        returned_longest_ns: 10_010 * MS,
        completed_longest_ns: 10 * MS,
        ..LateRequests::default()
    };
    assert_eq!(
        told(&scenario.run()),
        (2000, 2004, 10_010, false, Some(late))
    );
}

#[test]
fn slow_storage_is_not_late() {
    // 1.3 requests a second for each server: what is in flight at the end takes as long as all.
    let mut four = job("reads");
    four.queue_depth = 4;
    let mut scenario = Scenario::new(four, Nanos::from_millis(750));
    scenario.volume.servers = 4;
    let result = scenario.lasting(Nanos::from_secs(8)).run();
    assert_eq!(told(&result), (40, 40, 750, false, None));
}

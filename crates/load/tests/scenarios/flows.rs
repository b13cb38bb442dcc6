//! Jobs that keep a ratio of requests to each other, and requests that take too long.

use crate::scenario::{Scenario, job};
use fathom_core::Nanos;
use fathom_core::result::{EndReason, PhaseResult};
use fathom_core::spec::{Flow, Job};

/// A job in flow 7.
fn flowing(name: &str, weight: u32) -> Job {
    Job {
        flow: Some(Flow { id: 7, weight }),
        ..job(name)
    }
}

fn completed(result: &PhaseResult) -> Vec<u64> {
    result.jobs.iter().map(|job| job.completed).collect()
}

#[test]
fn requests_are_as_the_weights() {
    let mut scenario = Scenario::new(flowing("one", 1), Nanos::from_micros(100));
    scenario.volume.servers = 3;
    scenario.phase().jobs.push(flowing("five", 5));
    scenario.phase().jobs.push(flowing("ten", 10));
    scenario.phase().jobs.push(job("alone"));
    let counts = completed(&scenario.run());
    let [one, five, ten, alone] = counts[..] else {
        panic!("{counts:?}")
    };
    assert!(one > 900 && alone > 9000, "{counts:?}");
    let ratios = [five, ten].map(|count| (count as f64 / one as f64).round() as u64);
    assert_eq!(ratios, [5, 10], "{counts:?}");
}

#[test]
fn who_has_ended_is_not_waited_for() {
    let mut short = flowing("short", 1);
    short.stop.ios = Some(10);
    let mut scenario = Scenario::new(flowing("long", 1), Nanos::from_micros(100));
    scenario.volume.servers = 2;
    scenario.phase().jobs.push(short);
    let counts = completed(&scenario.run());
    assert!(counts[0] > 9_000 && counts[1] == 10, "{counts:?}");
}

#[test]
fn a_request_that_takes_too_long_is_an_error_as_one_that_timed_out() {
    let mut reads = job("reads");
    reads.stop.slowest = Some(Nanos::from_millis(1));
    let mut scenario = Scenario::new(reads, Nanos::from_micros(100))
        .stalling(Nanos::from_millis(50), Nanos::from_millis(5));
    scenario.stop_on_error = true;
    let result = scenario.run();
    let errors = &result.jobs[0].errors;
    let told: Vec<_> = errors
        .iter()
        .map(|error| (error.errno, error.count))
        .collect();
    assert_eq!((told, result.ended_by), (vec![(110, 1)], EndReason::Errors));
}

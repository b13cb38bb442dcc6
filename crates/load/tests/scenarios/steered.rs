//! The depth of the queue, steered by the time that requests take.

use crate::scenario::{Scenario, job};
use fathom_core::interval::Part;
use fathom_core::result::{EndReason, PhaseResult, SteeredDepth};
use fathom_core::spec::{Pacing, Steering};
use fathom_core::{Nanos, Percent};

const WINDOW: Nanos = Nanos::from_millis(300);

/// On a volume that takes 100 us for each request, one after another, so that a queue of N takes
/// N times as long.
fn scenario(within_us: u64, share: f64) -> Scenario {
    let mut reads = job("reads");
    reads.queue_depth = 64;
    reads.pacing = Pacing::Steered(Steering {
        within: Nanos::from_micros(within_us),
        share: Percent(share),
        window: WINDOW,
        follow: false,
    });
    let mut scenario = Scenario::new(reads, Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario
}

fn steered(result: &PhaseResult) -> SteeredDepth {
    result.jobs[0].steered.clone().expect("the job is steered")
}

fn found(depths: &[u32], windows: u64) -> SteeredDepth {
    SteeredDepth {
        found: true,
        depths: depths.to_vec(),
        windows,
        within_percent: 100.0,
    }
}

#[test]
fn the_last_window_at_the_depth_found_is_the_measured_time() {
    let result = scenario(1_350, 99.0).run();
    // 1, 2, 4, 8, 16 (bad), 12, 14 (bad), 13, and 13 once more.
    assert_eq!(steered(&result), found(&[13], 9));
    assert_eq!(result.ended_by, EndReason::DepthFound);
    let drained = result.warm_up_ns - 8 * WINDOW.0;
    assert!(drained < 4_000_000, "{drained} ns to drain twice");
    assert_eq!(result.measured_ns, WINDOW.0);
    let reads = &result.jobs[0];
    assert_eq!((reads.completed, reads.queue_depth), (3_000, 13));
    let held = reads.queue_depth_held;
    assert!((held - 13.0).abs() < 1e-6, "{held} held");
    let measured: Vec<_> = result
        .intervals
        .iter()
        .filter(|interval| interval.part == Part::Measure)
        .map(|interval| (interval.start_ns, interval.length_ns))
        .collect();
    assert_eq!(measured, [(result.warm_up_ns, WINDOW.0)]);
}

#[test]
fn the_first_late_request_ends_a_window_that_all_must_keep_to() {
    let result = scenario(1_350, 100.0).run();
    assert_eq!(steered(&result), found(&[13], 9));
    // The two bad windows took hardly longer than a request.
    let short = result.warm_up_ns - 6 * WINDOW.0;
    assert!(short < 10_000_000, "{short} ns beside the good windows");
    assert_eq!(result.jobs[0].completed, 3_000);
}

#[test]
fn a_depth_that_is_not_kept_is_searched_on() {
    // The ninth window, which would be the measured one, stalls for the most of it.
    let result = scenario(1_350, 99.0)
        .stalling(Nanos::from_millis(2_450), Nanos::from_millis(250))
        .run();
    // 13 was bad in the end, and 12 is taken instead.
    assert_eq!(steered(&result), found(&[12], 11));
    assert_eq!(result.ended_by, EndReason::DepthFound);
    assert_eq!(result.measured_ns, WINDOW.0);
    assert_eq!(
        (result.jobs[0].completed, result.jobs[0].queue_depth),
        (3_000, 12)
    );
}

#[test]
fn where_one_request_is_too_slow_one_window_of_that_is_measured() {
    let result = scenario(50, 90.0).run();
    let expected = SteeredDepth {
        found: false,
        depths: vec![1],
        windows: 2,
        within_percent: 0.0,
    };
    assert_eq!(steered(&result), expected);
    let times = (result.ended_by, result.warm_up_ns, result.measured_ns);
    assert_eq!(times, (EndReason::NoDepth, WINDOW.0, WINDOW.0));
    assert_eq!(result.jobs[0].completed, 3_000);
}

#[test]
fn a_search_that_is_cut_off_says_so() {
    let mut scenario = scenario(1_350, 99.0);
    scenario.phase().duration = Some(Nanos::from_secs(1));
    let result = scenario.run();
    let expected = SteeredDepth {
        found: false,
        depths: vec![8],
        windows: 3,
        within_percent: 100.0,
    };
    assert_eq!(steered(&result), expected);
    let times = (result.ended_by, result.warm_up_ns, result.measured_ns);
    assert_eq!(times, (EndReason::Duration, 0, 1_000_000_000));
    assert_eq!(result.jobs[0].completed, 9_999);
}

#[test]
fn threads_look_for_their_depths_and_are_measured_together() {
    let mut scenario = scenario(1_350, 99.0);
    scenario.phase().jobs[0].threads = 2;
    let result = scenario.run();
    // One has doubled to 8 beside 4 of the other when both are too slow together.
    let steered = steered(&result);
    assert_eq!((steered.found, steered.depths), (true, vec![6, 6]));
    assert_eq!(
        (result.ended_by, result.measured_ns),
        (EndReason::DepthFound, WINDOW.0)
    );
    let reads = &result.jobs[0];
    assert_eq!((reads.completed, reads.queue_depth), (3_000, 12));
}

#[test]
fn a_search_that_follows_lasts_as_long_as_its_phase() {
    let mut scenario = scenario(1_350, 99.0);
    let phase = scenario.phase();
    phase.duration = Some(Nanos::from_secs(6));
    if let Pacing::Steered(steering) = &mut phase.jobs[0].pacing {
        steering.follow = true;
    }
    let result = scenario.run();
    let times = (result.ended_by, result.warm_up_ns, result.measured_ns);
    assert_eq!(times, (EndReason::Duration, 0, 6_000_000_000));
    let steered = steered(&result);
    assert_eq!((steered.found, steered.windows), (true, 19));
    assert_eq!(result.jobs[0].queue_depth, 64);
}

//! Sleeps that end late: a thread learns when to wake, and starts requests in time.

use crate::scenario::{Scenario, job, open};
use fathom_core::result::{Lateness, PhaseResult};
use fathom_core::spec::Arrivals;
use fathom_core::{Nanos, Op};

/// An open load of a second on a volume that is never busy, with sleeps that end `late`.
fn paced(rate: f64, late: Vec<Nanos>) -> Scenario {
    let mut paced = job("paced");
    paced.pacing = open(rate, Arrivals::Constant);
    paced.queue_depth = 64;
    let mut scenario = Scenario::new(paced, Nanos(1_000));
    scenario.volume.servers = 64;
    scenario.wake_ups = late;
    scenario
}

/// What the threads learned, and of the lag the percentiles: the service time is 1 us for all.
fn learned(result: &PhaseResult) -> (Option<u64>, Vec<u64>) {
    let job = &result.jobs[0];
    let read = job.ops.get(Op::Read).expect("it reads");
    let lag = |name| read.response_ns.percentiles[name].saturating_sub(1_000);
    (job.workers[0].spin_ns, ["50", "95", "99"].map(lag).into())
}

/// Of each 100 sleeps 98 end 12 us late, and two 60 us.
fn scattered() -> Vec<Nanos> {
    let late = |turn| Nanos::from_micros(if turn % 50 == 7 { 60 } else { 12 });
    (0..100).map(late).collect()
}

#[test]
fn a_thread_wakes_as_much_earlier_as_its_sleeps_end_late() {
    // What one sleep in nine exceeds is 12 us; the two in a hundred stay late by the rest.
    let (spin, lag) = learned(&paced(10_000.0, scattered()).run());
    assert_eq!((spin, lag), (Some(13_178), vec![0, 160, 47_799]));
}

#[test]
fn a_rate_whose_gaps_leave_no_time_to_sleep_finds_out_that_wake_ups_are_fast() {
    let (spin, lag) = learned(&paced(30_000.0, scattered()).run());
    assert_eq!((spin, lag), (Some(12_150), vec![0, 39, 133]));
}

#[test]
fn sleeps_that_end_later_than_any_gap_are_not_slept() {
    let (spin, lag) = learned(&paced(30_000.0, vec![Nanos::from_micros(60)]).run());
    assert_eq!((spin, lag), (Some(36_097), vec![0, 0, 0]));
}

#[test]
fn the_same_world_teaches_the_same() {
    let result = || paced(10_000.0, scattered()).run();
    assert_eq!(result(), result());
    // Without lateness nothing is learned, and nothing stated.
    let (spin, lag) = learned(&paced(10_000.0, Vec::new()).run());
    assert_eq!((spin, lag), (None, vec![0, 0, 0]));
}

/// Requests that waited for a slot, and of p50, p99 and p99.9 the generator's part and the whole,
/// in microseconds.
fn late(result: &PhaseResult) -> (Option<u64>, Vec<(u64, u64)>) {
    let job = &result.jobs[0];
    let read = job.ops.get(Op::Read).expect("it reads");
    let named = |one: &Lateness| matches!(one.percentile, "50" | "99" | "99.9");
    let parts = Lateness::of(job, read).filter(named);
    let parts = parts.map(|one| (one.generator_ns() / 1_000, one.response_ns / 1_000));
    (job.queued, parts.collect())
}

#[test]
fn a_thread_that_oversleeps_owes_it_to_all_that_came_due() {
    // Every second sleep is ended by a completion, so one of the two ends 4 ms late.
    let pauses = (0..1_000).map(|turn| match turn {
        300 | 301 => Nanos::from_millis(4),
        _ => Nanos::from_micros(12),
    });
    let result = paced(10_000.0, pauses.collect()).run();
    assert_eq!(
        late(&result),
        (Some(0), vec![(0, 1), (3_488, 3_489), (3_988, 3_989)])
    );
}

#[test]
fn the_same_times_of_a_volume_that_stalls_are_not_the_generators() {
    let mut stalling = paced(10_000.0, vec![Nanos::from_micros(12)]);
    stalling.phase().jobs[0].queue_depth = 1;
    stalling.volume.servers = 1;
    stalling = stalling.stalling(Nanos::from_millis(500), Nanos::from_millis(4));
    let result = stalling.run();
    assert_eq!(late(&result), (Some(40), vec![(0, 1), (0, 1)]));
}

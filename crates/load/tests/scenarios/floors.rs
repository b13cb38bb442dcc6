//! Jobs that end when they are slower than they have to be.

use crate::scenario::{Scenario, job};
use fathom_core::result::{EndReason, TooSlow};
use fathom_core::spec::{Floor, Job};
use fathom_core::{Bytes, Nanos};

fn with_floor(ios: u64) -> Job {
    let mut reads = job("reads");
    reads.stop.floor = Some(Floor {
        ios: Some(ios),
        bytes: Some(Bytes(4096)),
        over: Nanos::from_secs(2),
        ..Floor::default()
    });
    reads
}

/// 10,000 requests a second, but for a stall of 400 ms at 1 s and one of a second at 5 s.
fn scenario(reads: Job) -> Scenario {
    let mut scenario = Scenario::new(reads, Nanos::from_micros(100));
    scenario.volume.stalls = [(1_000, 400), (5_000, 1_000)]
        .map(|(at, length)| fathom_engine::sim::Stall {
            at: Nanos::from_millis(at),
            length: Nanos::from_millis(length),
        })
        .to_vec();
    scenario.lasting(Nanos::from_secs(10))
}

#[test]
fn a_job_below_its_floor_ends() {
    let result = scenario(with_floor(8_000)).run();
    // The first stall is within the two seconds before the first rate; 2 to 4 s is fast, 4 to 6 s
    // has the second one, and the request in service before it. The worker hears of it at the end
    // of its next interval.
    let expected = TooSlow {
        op: "read".to_owned(),
        start_ns: 4_000_000_000,
        length_ns: 2_000_000_000,
        iops: 5_000.5,
        bytes_per_second: 20_482_048.0,
    };
    assert_eq!(result.jobs[0].too_slow, Some(expected));
    assert_eq!(result.ended_by, EndReason::TooSlow);
    assert_eq!(result.jobs[0].active_ns / 100_000_000, 70);
}

#[test]
fn a_job_above_its_floor_lasts() {
    let result = scenario(with_floor(4_000)).run();
    let ends = (result.jobs[0].too_slow.as_ref(), result.ended_by);
    assert_eq!(ends, (None, EndReason::Duration));
}

#[test]
fn a_floor_of_writes_is_none_of_reads() {
    let mut reads = with_floor(4_000);
    if let Some(floor) = &mut reads.stop.floor {
        floor.write_ios = Some(1_000_000);
    }
    let result = scenario(reads).run();
    let ends = (result.jobs[0].too_slow.as_ref(), result.ended_by);
    assert_eq!(ends, (None, EndReason::Duration));
}

#[test]
fn the_jobs_beside_go_on() {
    let mut scenario = scenario(with_floor(8_000));
    let beside = job("beside");
    scenario.phase().jobs.push(beside);
    let result = scenario.run();
    assert_eq!(result.ended_by, EndReason::Duration);
    let slow = result.jobs.iter().map(|job| job.too_slow.is_some());
    assert_eq!(slow.collect::<Vec<_>>(), [true, false]);
    assert_eq!(result.jobs[1].active_ns, 10_000_000_000);
}

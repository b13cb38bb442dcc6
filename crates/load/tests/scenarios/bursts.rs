//! Bursts by the clock, and jobs that follow them.

use crate::scenario::{Scenario, job, kind};
use fathom_core::result::LoadModel;
use fathom_core::spec::{Pacing, SyncEvery};
use fathom_core::{Bytes, Nanos, Op};

/// The write cycle of a database: every second 1 MiB in 256 KiB requests, then 128 KiB in 8 KiB
/// requests by two threads, reads all along.
fn cycle() -> Scenario {
    let mut burst = job("burst");
    burst.kinds = vec![kind(Op::Write, 256 << 10)];
    burst.pacing = Pacing::Cyclic {
        every: Nanos::from_secs(1),
        bytes: Bytes::MIB,
    };
    let mut follower = job("follower");
    follower.threads = 2;
    follower.kinds = vec![kind(Op::Write, 8 << 10)];
    follower.pacing = Pacing::Triggered {
        bytes: Bytes(128 << 10),
    };
    follower.after = Some("burst".to_owned());
    let mut scenario = Scenario::new(job("readers"), Nanos::from_millis(1));
    scenario.phase().jobs.extend([burst, follower]);
    scenario.volume.servers = 64;
    scenario.workload.interval = Nanos::from_millis(100);
    scenario.lasting(Nanos::from_millis(3_500))
}

#[test]
fn a_burst_comes_every_period_and_its_follower_after_it() {
    let result = cycle().run();
    let writes = |index: usize| {
        let job = &result.jobs[index];
        (
            job.load_model,
            job.ops.get(Op::Write).expect("the job writes").ios,
        )
    };
    // Bursts at 0, 1, 2 and 3 s: 4 requests each, and 16 of the follower after each.
    assert_eq!(writes(1), (LoadModel::Bursts, 16));
    assert_eq!(writes(2), (LoadModel::Bursts, 64));
    // One request after the other: 4 ms for a burst; the follower's threads have 8 each.
    let lengths = |index: usize| {
        let burst = result.jobs[index]
            .burst_ns
            .as_ref()
            .expect("the job has bursts");
        (burst.count, burst.min / 1_000_000, burst.max / 1_000_000)
    };
    assert_eq!(lengths(1), (4, 4, 4));
    assert_eq!(lengths(2), (8, 8, 8));
    // By interval: the follower's writes fall into the first 100 ms of each second.
    let busy: Vec<usize> = result
        .intervals
        .iter()
        .enumerate()
        .filter(|(_, interval)| {
            interval.jobs[2]
                .ops
                .get(Op::Write)
                .is_some_and(|op| op.ios > 0)
        })
        .map(|(index, _)| index)
        .collect();
    assert_eq!(busy, [0, 10, 20, 30]);
    assert_eq!(
        result.jobs[0]
            .ops
            .get(Op::Read)
            .expect("the readers read")
            .ios,
        3499
    );
}

#[test]
fn a_burst_longer_than_its_period_delays_the_next() {
    let mut burst = job("burst");
    burst.kinds = vec![kind(Op::Write, 256 << 10)];
    burst.pacing = Pacing::Cyclic {
        every: Nanos::from_millis(100),
        bytes: Bytes::MIB,
    };
    let result = Scenario::new(burst, Nanos::from_millis(50)).run();
    let lengths = result.jobs[0]
        .burst_ns
        .as_ref()
        .expect("the job has bursts");
    // 4 requests of 50 ms: 5 bursts of 200 ms fill the second; the last ends with it.
    assert_eq!((lengths.max, lengths.min), (200_000_000, 200_000_000));
    assert_eq!(result.jobs[0].submitted, 20);
}

#[test]
fn the_flush_after_its_last_write_belongs_to_the_burst() {
    let mut burst = job("burst");
    burst.kinds = vec![kind(Op::Write, 256 << 10)];
    burst.pacing = Pacing::Cyclic {
        every: Nanos::from_secs(1),
        bytes: Bytes::MIB,
    };
    burst.durability.sync = Some(SyncEvery {
        writes: 4,
        data_only: true,
    });
    let result = Scenario::new(burst, Nanos::from_millis(10))
        .lasting(Nanos::from_secs(3))
        .run();
    let job = &result.jobs[0];
    let lengths = job.burst_ns.as_ref().expect("the job has bursts");
    // Four writes and a flush of 10 ms each; without the flush it would be 40 ms.
    assert_eq!(
        (lengths.count, lengths.min, lengths.max),
        (3, 50_000_000, 50_000_000)
    );
    assert_eq!(job.ops.get(Op::Flush).expect("the job flushes").ios, 3);
}

#[test]
fn a_flush_does_not_wait_for_the_next_arrival() {
    let mut journal = job("journal");
    journal.kinds = vec![kind(Op::Write, 4096)];
    journal.pacing = crate::scenario::open(100.0, fathom_core::spec::Arrivals::Constant);
    journal.durability.sync = Some(SyncEvery {
        writes: 1,
        data_only: true,
    });
    let result = Scenario::new(journal, Nanos::from_millis(1)).run();
    let job = &result.jobs[0];
    let flush = job.ops.get(Op::Flush).expect("the job flushes");
    let write = job.ops.get(Op::Write).expect("the job writes");
    assert_eq!((write.ios, flush.ios, job.due), (100, 100, Some(100)));
    assert_eq!(write.response_ns.max, 1_000_000);
    assert_eq!(job.queue_depth_held.to_bits(), 0.2_f64.to_bits());
}

#[test]
fn threads_share_a_burst_in_whole_requests() {
    let mut burst = job("burst");
    burst.threads = 4;
    burst.kinds = vec![kind(Op::Write, 8 << 10)];
    burst.pacing = Pacing::Cyclic {
        every: Nanos::from_millis(100),
        bytes: Bytes(40_000),
    };
    let result = Scenario::new(burst, Nanos::from_millis(1)).run();
    let job = &result.jobs[0];
    // 40,000 bytes are five requests, where a fourth of them is two for each thread.
    assert_eq!(job.submitted, 50);
    assert_eq!(job.burst_ns.as_ref().expect("bursts").count, 40);
}

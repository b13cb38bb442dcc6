//! Closed loads: throughput and outstanding requests obey Little's law exactly.

use crate::scenario::{Scenario, job, kind};
use fathom_core::result::{EndReason, LoadModel};
use fathom_core::spec::{Pacing, QueueScope, SyncEvery};
use fathom_core::{Nanos, Op};

#[test]
fn depth_over_service_time_is_the_rate() {
    // 8 servers of 100 us: 80,000 a second at any depth from 8; below, depth / 100 us.
    let rate = |depth: u32| {
        let mut reads = job("reads");
        reads.queue_depth = depth;
        let mut scenario = Scenario::new(reads, Nanos::from_micros(100));
        scenario.volume.servers = 8;
        let result = scenario.run();
        let job = &result.jobs[0];
        let read = job.ops.get(Op::Read).expect("the job reads");
        (
            read.ios,
            read.service_ns.mean as u64,
            job.queue_depth_held.round() as u32,
        )
    };
    assert_eq!(rate(1), (10_000 - 1, 100_000, 1));
    assert_eq!(rate(8), (8 * (10_000 - 1), 100_000, 8));
    assert_eq!(rate(32), (8 * (10_000 - 1), 399_939, 32));
}

#[test]
fn think_time_is_added_between_bursts() {
    // 4 requests of 100 us and 600 us of thinking: 4 a millisecond.
    let mut thinking = job("thinking");
    thinking.pacing = Pacing::Closed {
        think: Nanos::from_micros(600),
        burst: 4,
    };
    let result = Scenario::new(thinking, Nanos::from_micros(100)).run();
    let job = &result.jobs[0];
    assert_eq!((job.completed, job.load_model), (4000, LoadModel::Closed));
}

#[test]
fn threads_and_targets_multiply_the_depth() {
    let mut reads = job("reads");
    reads.threads = 3;
    reads.queue_depth = 4;
    let mut scenario = Scenario::new(reads, Nanos::from_micros(100));
    scenario.volume.servers = 64;
    let allowed = |scenario: &Scenario| {
        let job = &scenario.run().jobs[0];
        (
            job.queue_depth,
            job.queue_depth_possible,
            job.queue_depth_held.round() as u64,
        )
    };
    assert_eq!(allowed(&scenario), (12, 12, 12));
    scenario.targets = 2;
    assert_eq!(allowed(&scenario), (24, 24, 24));
    scenario.phase().jobs[0].queue_scope = QueueScope::Shared;
    assert_eq!(allowed(&scenario), (12, 12, 12));
}

#[test]
fn amounts_end_the_phase_and_set_its_time() {
    let mut counted = job("counted");
    counted.threads = 3;
    counted.stop.ios = Some(1000);
    let mut scenario = Scenario::new(counted, Nanos::from_micros(100));
    scenario.phase().duration = None;
    let result = scenario.run();
    let job = &result.jobs[0];
    let issued: Vec<u64> = job.workers.iter().map(|worker| worker.issued).collect();
    // One server takes 1,000 requests of 100 us in 100 ms.
    assert_eq!(result.ended_by, EndReason::Amount);
    assert_eq!((result.measured_ns, job.completed), (100_000_000, 1000));
    assert_eq!(issued, [334, 333, 333]);
}

#[test]
fn the_flush_after_the_last_write_is_part_of_the_amount() {
    let mut written = job("written");
    written.kinds = vec![kind(Op::Write, 64 << 10)];
    written.stop.ios = Some(16);
    let flushes = |every: u32| {
        let mut written = written.clone();
        written.durability.sync = Some(SyncEvery {
            writes: every,
            data_only: true,
        });
        let mut scenario = Scenario::new(written, Nanos::from_micros(100));
        scenario.phase().duration = None;
        let result = scenario.run();
        let job = &result.jobs[0];
        let flush = job.ops.get(Op::Flush).map_or(0, |flush| flush.ios);
        (job.completed - flush, flush, result.ended_by)
    };
    assert_eq!(flushes(16), (16, 1, EndReason::Amount));
    assert_eq!(flushes(8), (16, 2, EndReason::Amount));
    assert_eq!(flushes(5), (16, 3, EndReason::Amount));
}

#[test]
fn targets_are_flushed_when_the_load_is_over() {
    let flushed = |depth: u32, time: Option<Nanos>| {
        let mut written = job("written");
        written.kinds = vec![kind(Op::Write, 64 << 10)];
        written.sync_at_end = true;
        written.queue_depth = depth;
        written.stop.ios = time.is_none().then_some(16);
        let mut scenario = Scenario::new(written, Nanos::from_micros(100));
        scenario.phase().duration = time;
        let result = scenario.run();
        let job = &result.jobs[0];
        let flush = job.ops.get(Op::Flush).map_or(0, |flush| flush.ios);
        let written = job.completed - flush;
        (written, flush, result.measured_ns, job.end_flush_ns)
    };
    // 16 writes and a flush of 100 us each: all of it is in the measured time.
    assert_eq!(flushed(1, None), (16, 1, 1_700_000, Some(0)));
    assert_eq!(flushed(4, None), (16, 1, 1_700_000, Some(0)));
    // By time it is behind, after the last write, which ends with the time and is not counted.
    let time = Nanos::from_millis(1);
    assert_eq!(flushed(1, Some(time)), (9, 0, 1_000_000, Some(100_000)));
    assert_eq!(flushed(4, Some(time)), (9, 0, 1_000_000, Some(100_000)));
}

#[test]
fn bytes_end_a_job_as_well() {
    let mut counted = job("counted");
    counted.kinds = vec![kind(Op::Write, 64 << 10)];
    counted.stop.bytes = Some(fathom_core::Bytes(1 << 20));
    let mut scenario = Scenario::new(counted, Nanos::from_micros(100));
    scenario.phase().duration = None;
    let write = scenario.run().jobs[0].ops[Op::Write]
        .clone()
        .expect("the job writes");
    assert_eq!((write.ios, write.bytes), (16, 1 << 20));
}

#[test]
fn weights_share_out_the_requests() {
    let mut mix = job("mix");
    let mut read = kind(Op::Read, 8192);
    read.weight = 70.0;
    let mut write = kind(Op::Write, 4096);
    write.weight = 30.0;
    mix.kinds = vec![read, write];
    let mut scenario = Scenario::new(mix, Nanos::from_micros(10));
    scenario.phase().duration = Some(Nanos::from_secs(10));
    let result = scenario.run();
    let job = &result.jobs[0];
    let (reads, writes) = (
        job.ops.get(Op::Read).expect("reads"),
        job.ops.get(Op::Write).expect("writes"),
    );
    assert_eq!(reads.bytes, reads.ios * 8192);
    assert_eq!(writes.bytes, writes.ios * 4096);
    // A million draws: the share is 0.7 within four standard errors.
    let share = reads.ios as f64 / (reads.ios + writes.ios) as f64;
    assert!(
        (share - 0.7).abs() < 4.0 * (0.21_f64 / 1e6).sqrt(),
        "{share}"
    );
}

//! Errors, short transfers, overload: counted, located, and survived.

use crate::scenario::{Scenario, job, kind, open};
use fathom_core::result::EndReason;
use fathom_core::spec::Arrivals;
use fathom_core::{ErrorNumbers, Nanos, Op};

#[test]
fn errors_are_counted_and_the_run_goes_on() {
    let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
    scenario.volume.fail_every = Some(10);
    scenario.volume.short_every = Some(100);
    let result = scenario.run();
    let job = &result.jobs[0];
    let read = job.ops.get(Op::Read).expect("the job reads");
    // 9,999 completions: each tenth fails; a request that does both fails.
    assert_eq!((read.ios, read.errors, read.short), (9000, 999, 0));
    assert_eq!(
        (job.completed, job.failed, result.ended_by),
        (9000, 999, EndReason::Duration)
    );
    let error = &job.errors[0];
    assert_eq!(
        (error.op.as_str(), error.errno, error.count),
        ("read", 5, 1000)
    );
    assert_eq!(
        (error.message.as_str(), error.target.as_str()),
        ("Input/output error", "sim")
    );
    assert_eq!(error.first_offsets.len(), 8);
}

#[test]
fn short_transfers_are_no_completed_requests() {
    let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
    scenario.volume.short_every = Some(10);
    let result = scenario.run();
    let job = &result.jobs[0];
    let read = job.ops.get(Op::Read).expect("the job reads");
    assert_eq!((read.ios, read.short, read.errors), (9000, 999, 0));
    assert_eq!((read.bytes, read.short_bytes), (9000 * 4096, 999 * 2048));
    assert_eq!((read.iops, read.service_ns.count), (9000.0, 9000));
    assert_eq!(
        (job.completed, job.short(), job.submitted),
        (9000, 999, 10_000)
    );
}

#[test]
fn the_first_error_ends_the_run_if_asked() {
    let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
    scenario.volume.fail_every = Some(10);
    scenario.stop_on_error = true;
    let result = scenario.run();
    assert_eq!(result.ended_by, EndReason::Errors);
    assert_eq!(
        (result.jobs[0].completed, result.measured_ns),
        (9, 1_000_000)
    );
}

/// Virtual volumes fail with an error of input or output, 5.
#[test]
fn errors_that_are_tolerated_end_nothing() {
    for (numbers, completed) in [(vec![5], 9000), (vec![11], 9)] {
        let mut scenario = Scenario::new(job("reads"), Nanos::from_micros(100));
        scenario.volume.fail_every = Some(10);
        scenario.stop_on_error = true;
        scenario.tolerated.reads = ErrorNumbers::These(numbers);
        let result = scenario.run();
        assert_eq!(result.jobs[0].completed, completed);
    }
}

#[test]
fn an_overloaded_open_load_is_given_up() {
    // 2,000 a second offered to a volume that serves 1,000.
    let mut paced = job("paced");
    paced.pacing = open(2000.0, Arrivals::Constant);
    let result = Scenario::new(paced, Nanos::from_millis(1))
        .lasting(Nanos::from_secs(60))
        .run();
    assert_eq!(result.ended_by, EndReason::Overloaded);
    // The lag grows by half a second a second: 10 s are passed in the 21st second.
    assert_eq!(result.measured_ns, 21_000_000_000);
    let job = &result.jobs[0];
    let due = job.due.expect("an open load knows its arrivals");
    assert_eq!((job.completed, due), (21_000, 42_000));
}

#[test]
fn a_volume_without_room_ends_a_job_that_fills_it() {
    let mut fills = job("fills");
    fills.kinds = vec![kind(Op::Write, 4096)];
    fills.stop.when_full = true;
    let mut scenario = Scenario::new(fills, Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario.volume.short_every = Some(10);
    scenario.stop_on_error = true;
    let result = scenario.run();
    let job = &result.jobs[0];
    let write = job.ops.get(Op::Write).expect("the job writes");
    assert_eq!((write.ios, write.short, write.errors), (9, 0, 0));
    assert_eq!((job.errors.len(), result.ended_by), (0, EndReason::Amount));
}

#[test]
fn an_idle_job_makes_no_request_and_holds_nobody_up() {
    let mut idle = job("idle");
    idle.set_compat(|compat| compat.idle = true);
    let mut scenario = Scenario::new(idle.clone(), Nanos::from_micros(100));
    let alone = scenario.run();
    assert_eq!((alone.jobs[0].submitted, alone.measured_ns), (0, 0));
    let mut reads = job("reads");
    reads.stop.ios = Some(50);
    scenario.phase().jobs = vec![idle, reads];
    scenario.phase().duration = None;
    let result = scenario.run();
    let counts: Vec<u64> = result.jobs.iter().map(|job| job.completed).collect();
    assert_eq!((counts, result.measured_ns), (vec![0, 50], 5_000_000));
}

//! Errors, short transfers, overload: counted, located, and survived.

use crate::scenario::{Scenario, job, open};
use fathom_core::result::EndReason;
use fathom_core::spec::Arrivals;
use fathom_core::{Nanos, Op};

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

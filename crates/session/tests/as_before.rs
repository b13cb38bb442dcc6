//! A job that does no more than one of its name did before, in virtual time.

use fathom_core::result::RunResult;
use fathom_core::spec::{IoKind, Job, JobStop, Phase, SyncEvery, Workload};
use fathom_core::{Bytes, EngineKind, Nanos, Op};
use fathom_session::{Plan, RunError, Session, Silent};
use fathom_volume::System;
use fathom_volume::models::{Device, Node, ServiceLaw};

fn phase(op: Op, duration: Nanos, stop: JobStop) -> Phase {
    let mut job = Job {
        name: "task".to_owned(),
        kinds: vec![IoKind::plain(op, Bytes(4096))],
        stop,
        ..Job::plain()
    };
    // Flushes are not requests that are to be made again.
    job.durability.sync = (op == Op::Write).then_some(SyncEvery {
        writes: 3,
        data_only: false,
    });
    Phase {
        name: op.name().to_owned(),
        warm_up: Nanos::ZERO,
        duration: Some(duration),
        jobs: vec![job],
        ..Phase::plain()
    }
}

/// What comes of a write phase of this length and a read phase after it, on a disk that takes a
/// millisecond for a request.
fn after(duration: Nanos, ios: u64) -> Result<RunResult, RunError> {
    let law = ServiceLaw::Constant(1_000_000.0);
    let node = Node::Device(Box::new(Device::new(1 << 40, law, 1)));
    let system = System::new("disk".to_owned(), node, Vec::new(), Vec::new());
    let amount = JobStop {
        ios: Some(ios),
        ..JobStop::default()
    };
    let as_before = JobStop {
        as_before: true,
        ..amount
    };
    let workload = Workload {
        name: "stonewalled".to_owned(),
        repeat: 2,
        phases: vec![
            phase(Op::Write, duration, amount),
            phase(Op::Read, Nanos::from_secs(60), as_before),
        ],
        ..Workload::plain()
    };
    let plan = Plan::new(workload).on("sim").by(EngineKind::Sim);
    let mut session = Session::new(plan).modelled(Box::new(system));
    session.run(&mut Silent)
}

/// Writes and reads of each phase.
fn counts(result: &RunResult) -> Vec<(u64, u64)> {
    let ios = |job: &fathom_core::result::JobResult, op| {
        let done = job.ops.get(op);
        done.map_or(0, |done| done.ios)
    };
    let jobs = result.phases.iter().map(|phase| &phase.jobs[0]);
    jobs.map(|job| (ios(job, Op::Write), ios(job, Op::Read)))
        .collect()
}

#[test]
fn no_more_is_read_than_there_was_time_to_write() {
    let result = after(Nanos::from_millis(100), 5000).expect("a simulated run");
    let counts = counts(&result);
    let written = counts[0].0;
    assert!((1..=100).contains(&written), "{counts:?}");
    let expected = [
        (written, 0),
        (0, written),
        (counts[2].0, 0),
        (0, counts[2].0),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn what_was_written_in_time_is_read_whole() {
    let result = after(Nanos::from_secs(60), 30).expect("a simulated run");
    assert_eq!(counts(&result), [(30, 0), (0, 30), (30, 0), (0, 30)]);
}

#[test]
fn where_nothing_was_written_there_is_nothing_to_read() {
    let error = after(Nanos::from_micros(10), 30).expect_err("no request in time");
    let said = (error.to_string(), error.because(), error.remedy());
    let expected = (
        "job `task` has nothing to do".to_owned(),
        Some("the job of that name made no request before".to_owned()),
        Some("use a longer time for the phase before".to_owned()),
    );
    assert_eq!(said, expected);
}

//! Requests of several priorities: drawn by their weights, and told apart.

use crate::scenario::{Scenario, job, kind};
use fathom_core::result::OpResult;
use fathom_core::spec::{IoClass, IoKind, Priority};
use fathom_core::{Nanos, Op};

/// A third of the reads before all others; the rest as the job has it.
fn reads() -> Scenario {
    let mut reads = job("reads");
    reads.queue_depth = 4;
    reads.io_class = Some(IoClass::BestEffort);
    reads.io_level = Some(7);
    let urgent = IoKind {
        weight: 0.5,
        io_class: Some(IoClass::RealTime),
        io_level: Some(0),
        ..kind(Op::Read, 4096)
    };
    reads.kinds.push(urgent);
    let mut scenario = Scenario::new(reads, Nanos::from_micros(500));
    scenario.volume.servers = 4;
    scenario
}

/// Priorities, how many requests had them, and the mean of their service times.
fn told(op: &OpResult) -> Vec<(Option<Priority>, u64, f64)> {
    let all = op.urgencies.iter();
    all.map(|one| (one.priority, one.service_ns.count, one.service_ns.mean))
        .collect()
}

#[test]
fn each_priority_has_its_share_and_its_times() {
    let scenario = reads();
    let result = scenario.run();
    let op = result.jobs[0].ops.get(Op::Read).expect("it reads");
    let found = told(op);
    let of = |class, level| {
        Some(Priority {
            class,
            level,
            hint: 0,
        })
    };
    let priorities: Vec<_> = found.iter().map(|(priority, ..)| *priority).collect();
    let expected = [of(IoClass::BestEffort, 7), of(IoClass::RealTime, 0)];
    assert_eq!(priorities, expected);
    let counts: Vec<u64> = found.iter().map(|(_, count, _)| *count).collect();
    assert_eq!(counts.iter().sum::<u64>(), op.ios);
    // Six deviations of 8,000 draws.
    let share = counts[1] as f64 / op.ios as f64;
    assert!((share - 1.0 / 3.0).abs() < 0.032, "{share}");
    // The simulated volume serves all alike.
    let apart = (found[0].2 - op.service_ns.mean).abs();
    assert!(apart < 1.0, "{apart}");
    assert!(op.urgencies.iter().all(|one| one.total_ns.is_none()));
}

#[test]
fn a_job_of_one_priority_tells_none_apart() {
    let mut scenario = reads();
    scenario.phase().jobs[0].kinds.pop();
    let result = scenario.run();
    let op = result.jobs[0].ops.get(Op::Read).expect("it reads");
    assert_eq!(told(op), []);
}

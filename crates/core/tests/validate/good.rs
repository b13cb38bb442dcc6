//! A workload without a fault, and what is said when one is put into it.

use fathom_core::op::Op;
use fathom_core::spec::validate::{Violation, validate};
use fathom_core::spec::{
    Distribution, HotRange, IoKind, Job, Phase, Steady, SteadyMetric, Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent};

pub(super) const SNIA: Steady = Steady {
    metric: SteadyMetric::Iops,
    round: Nanos::from_secs(60),
    rounds: 5,
    range: Percent(20.0),
    slope: Percent(10.0),
    deviation: None,
    deviation_most: None,
    slope_most: None,
    max_rounds: 25,
};

/// Reads and writes of 8 KiB at random, without a fault.
pub(super) fn job(name: &str) -> Job {
    let kind = |op, weight| IoKind {
        op,
        block_size: Bytes(8192),
        random: Percent::ALL,
        align: Bytes(8192),
        weight,
    };
    Job {
        name: name.into(),
        kinds: vec![kind(Op::Read, 70.0), kind(Op::Write, 30.0)],
        ..Job::plain()
    }
}

pub(super) fn phase(name: &str) -> Phase {
    Phase {
        name: name.into(),
        duration: Some(Nanos::from_secs(30)),
        jobs: vec![job("a")],
        ..Phase::plain()
    }
}

pub(super) fn workload() -> Workload {
    Workload {
        name: "w".into(),
        phases: vec![phase("p")],
        ..Workload::plain()
    }
}

/// Path below the thing that is broken, message, remedy.
pub(super) type Expected<'a> = (&'a str, &'a str, &'a str);

/// All that is said about the good workload after a change.
pub(super) fn found(change: impl FnOnce(&mut Workload)) -> Vec<Violation> {
    let mut workload = workload();
    change(&mut workload);
    validate(&workload)
}

pub(super) fn violation(prefix: &str, (key, message, remedy): Expected<'_>) -> Violation {
    Violation {
        path: format!("{prefix}{key}"),
        message: message.into(),
        remedy: remedy.into(),
    }
}

#[track_caller]
pub(super) fn workload_breaks(change: impl FnOnce(&mut Workload), expected: Expected<'_>) {
    assert_eq!(found(change), [violation("", expected)]);
}

#[track_caller]
pub(super) fn phase_breaks(change: impl FnOnce(&mut Phase), expected: Expected<'_>) {
    let found = found(|workload| change(&mut workload.phases[0]));
    assert_eq!(found, [violation("phase[0].", expected)]);
}

#[track_caller]
pub(super) fn job_breaks(change: impl FnOnce(&mut Job), expected: Expected<'_>) {
    let found = found(|workload| change(&mut workload.phases[0].jobs[0]));
    assert_eq!(found, [violation("phase[0].job[0].", expected)]);
}

#[track_caller]
pub(super) fn job_is_fine(change: impl FnOnce(&mut Job)) {
    assert_eq!(
        found(|workload| change(&mut workload.phases[0].jobs[0])),
        []
    );
}

pub(super) fn sequential(job: &mut Job) {
    for kind in &mut job.kinds {
        kind.random = Percent::ZERO;
    }
}

pub(super) fn only(job: &mut Job, op: Op) {
    job.kinds.truncate(1);
    job.kinds[0].op = op;
}

pub(super) fn deviation(percent: f64) -> Distribution {
    Distribution::Normal {
        deviation: Percent(percent),
    }
}

/// Ranges, each with its shares of the requests and of the window.
pub(super) fn hot(ranges: &[(f64, f64)]) -> Distribution {
    let range = |(ios, of): &(f64, f64)| HotRange {
        ios: Percent(*ios),
        of: Percent(*of),
    };
    Distribution::Hot {
        ranges: ranges.iter().map(range).collect(),
    }
}

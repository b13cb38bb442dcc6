//! Events for the tests of the views.

use fathom_core::interval::Part;
use fathom_core::result::{IntervalJob, IntervalOp, IntervalResult};
use fathom_core::summary::LatencySummary;
use fathom_core::{Op, PerOp};
use fathom_session::Event;

const MILLI_NS: u64 = 1_000_000;

pub(super) const ENGINE: Event<'static> = Event::Engine {
    name: "io_uring",
    reason: "io_uring: available",
};

/// Phase 3 of 12: 1 s warm-up, 15 s measured, 2 s cool-down.
pub(super) fn phase_start(jobs: &[&'static str]) -> Event<'static> {
    Event::PhaseStart {
        name: "random-read",
        index: 2,
        count: 12,
        jobs: jobs.to_vec(),
        warm_up_ns: 1000 * MILLI_NS,
        duration_ns: Some(15_000 * MILLI_NS),
        cool_down_ns: 2000 * MILLI_NS,
    }
}

/// An interval in which each of the jobs reads at 67,500 IOPS and writes at 1,000.
pub(super) fn interval(part: Part, start_ms: u64, length_ms: u64, jobs: &[u32]) -> IntervalResult {
    let percentiles = [("50", 34_200), ("99", 1_200_000), ("99.9", 2_500_000)];
    let read = LatencySummary {
        count: 67_500 * length_ms / 1000,
        mean: 40_000.0,
        stddev: 9_000.0,
        min: 10_000,
        max: 3_000_000,
        percentiles: percentiles
            .map(|(name, value)| (name.to_owned(), value))
            .into(),
    };
    let write = LatencySummary {
        count: length_ms,
        max: 90_000_000,
        ..LatencySummary::default()
    };
    let job = |&job: &u32| IntervalJob {
        job,
        queue_depth_held: 32.0,
        ops: PerOp::from([(Op::Read, op(&read, 0)), (Op::Write, op(&write, 2))]),
    };
    IntervalResult {
        part,
        start_ns: start_ms * MILLI_NS,
        length_ns: length_ms * MILLI_NS,
        jobs: jobs.iter().map(job).collect(),
    }
}

fn op(service: &LatencySummary, errors: u64) -> IntervalOp {
    IntervalOp {
        ios: service.count,
        bytes: service.count * 4096,
        errors,
        service_ns: service.clone(),
        ..IntervalOp::default()
    }
}

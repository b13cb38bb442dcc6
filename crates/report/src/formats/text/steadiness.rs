//! How steady each operation was over the intervals of the measured time.

use crate::figure::{count, duration, iops};
use crate::page::Page;
use crate::sparkline::sparkline;
use fathom_core::interval::Part;
use fathom_core::result::PhaseResult;
use fathom_core::{Nanos, Op};

/// Characters of a sparkline at most.
const BARS: usize = 60;

/// Fewer intervals than this make no picture.
const LEAST_BARS: u64 = 8;

pub(super) fn write(page: &mut Page, phase: &PhaseResult, interval: Nanos) {
    for (position, job) in phase.jobs.iter().enumerate() {
        let prefix = super::job_prefix(phase, &job.name);
        for (op, result) in job.ops.present() {
            let spread = &result.iops_by_interval;
            if spread.count < 2 {
                continue;
            }
            let text = format!(
                "{prefix}{} {} ± {} IOPS, from {} to {} over {} intervals of {}",
                op.name(),
                iops(spread.mean),
                iops(spread.stddev),
                iops(spread.min),
                iops(spread.max),
                count(spread.count),
                duration(interval.0)
            );
            page.entry("steadiness", &text);
            if spread.count >= LEAST_BARS {
                page.entry("", &sparkline(&series(phase, position, op, interval), BARS));
            }
        }
    }
}

/// Requests a second in each complete interval of the measured time.
fn series(phase: &PhaseResult, job: usize, op: Op, interval: Nanos) -> Vec<f64> {
    let complete = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure && one.length_ns >= interval.0);
    complete
        .map(|one| {
            let entry = one.jobs.iter().find(|entry| entry.job as usize == job);
            let ios = entry
                .and_then(|entry| entry.ops.get(op))
                .map_or(0, |op| op.ios);
            ios as f64 / (one.length_ns as f64 / 1e9)
        })
        .collect()
}

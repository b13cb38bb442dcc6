//! Phases that ran more than once: their names, and what they say together.

use fathom_core::result::{OpResult, PhaseResult, RunResult};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_core::{Histogram, Op};

/// The phase's name, with the repeat when there are several.
pub(crate) fn label(result: &RunResult, phase: &PhaseResult) -> String {
    match count(result, &phase.name) {
        1 => phase.name.clone(),
        count => format!("{}, repeat {} of {count}", phase.name, phase.repeat),
    }
}

/// How often the phase ran.
pub(super) fn count(result: &RunResult, phase: &str) -> usize {
    let same = result.phases.iter().filter(|other| other.name == phase);
    same.count()
}

/// One operation over all repeats.
pub(super) struct Together {
    pub(super) iops: Spread,
    pub(super) bytes_per_second: Spread,
    /// `None` when the histograms are not all there: percentiles cannot be averaged.
    pub(super) service: Option<LatencySummary>,
    pub(super) response: Option<LatencySummary>,
}

/// Puts the results of one operation from several repeats together.
pub(super) fn together(ops: &[&OpResult]) -> Together {
    let spread = |value: fn(&OpResult) -> f64| {
        Spread::of(&ops.iter().map(|op| value(op)).collect::<Vec<_>>())
    };
    let service =
        |op: &OpResult| -> Option<Histogram> { op.service_histogram.as_ref()?.decode().ok() };
    let response =
        |op: &OpResult| -> Option<Histogram> { op.response_histogram.as_ref()?.decode().ok() };
    Together {
        iops: spread(|op| op.iops),
        bytes_per_second: spread(|op| op.bytes_per_second),
        service: merge(ops, service, |op| &op.service_ns),
        response: merge(ops, response, |op| &op.response_ns),
    }
}

/// How much a rate varies, in percent of it: one number on every page. None where fewer than two
/// values are known.
pub(crate) fn deviation_percent(spread: &Spread) -> Option<f64> {
    (spread.count >= 2 && spread.mean > 0.0).then(|| spread.stddev / spread.mean * 100.0)
}

/// The rate of one operation of jobs that are one row: over the repeats where there are several,
/// else over the complete intervals of the measured time.
pub(crate) fn rate_spread(
    result: &RunResult,
    (phase, jobs): (&PhaseResult, &[usize]),
    op: Op,
) -> Spread {
    let same = || result.phases.iter().filter(|one| one.name == phase.name);
    let of = |phase: &PhaseResult, job: usize| -> Option<OpResult> {
        let job = phase.jobs.get(job).filter(|job| job.active_ns > 0)?;
        job.ops.get(op).cloned()
    };
    if same().count() > 1 {
        let rate = |phase: &PhaseResult| {
            let rates = jobs.iter().filter_map(|job| Some(of(phase, *job)?.iops));
            let rates: Vec<f64> = rates.collect();
            (!rates.is_empty()).then(|| rates.iter().sum())
        };
        return Spread::of(&same().filter_map(rate).collect::<Vec<f64>>());
    }
    if let [only] = jobs {
        return of(phase, *only).map_or_else(Spread::default, |op| op.iops_by_interval);
    }
    let rates = phase.complete_intervals().map(|one| {
        let jobs = one
            .jobs
            .iter()
            .filter(|job| jobs.contains(&(job.job as usize)));
        let ios: u64 = jobs
            .filter_map(|job| job.ops.get(op))
            .map(|op| op.ios)
            .sum();
        ios as f64 / (one.length_ns as f64 / 1e9)
    });
    Spread::of(&rates.collect::<Vec<f64>>())
}

/// The distribution of several results of one operation as one; `None` without all histograms.
pub(crate) fn histograms_together(ops: &[&OpResult], response: bool) -> Option<LatencySummary> {
    let together = together(ops);
    if response {
        together.response
    } else {
        together.service
    }
}

/// The summary of all values; mean and extremes are taken from the exact summaries, since those
/// of a decoded histogram carry its bucket error.
fn merge(
    ops: &[&OpResult],
    histogram: impl Fn(&OpResult) -> Option<Histogram>,
    summary: impl Fn(&OpResult) -> &LatencySummary,
) -> Option<LatencySummary> {
    let mut all = Histogram::new();
    for op in ops {
        all.add(&histogram(op)?);
    }
    let exact = ops.iter().map(|op| summary(op)).filter(|one| one.count > 0);
    let total: f64 = exact.clone().map(|one| one.mean * one.count as f64).sum();
    let mut merged = all.summary();
    merged.mean = total / (merged.count.max(1)) as f64;
    merged.min = exact.clone().map(|one| one.min).min().unwrap_or(0);
    merged.max = exact.map(|one| one.max).max().unwrap_or(0);
    Some(merged)
}

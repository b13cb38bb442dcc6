//! What the bursts of some jobs do to the requests of the others: an average over both would hide
//! it.

use crate::figure::{decimal, time};
use fathom_core::interval::Part;
use fathom_core::result::{IntervalOp, IntervalResult, JobResult, PhaseResult};
use fathom_core::summary::supports;
use fathom_core::{Histogram, Op};

/// The percentile that is shown, as a share.
const SHARE: f64 = 0.99;

/// A sentence for each operation of a job without bursts; empty in a phase that has none, or whose
/// histograms were not kept.
pub(super) fn sentences(phase: &PhaseResult) -> Vec<String> {
    let has_bursts = |job: &JobResult| job.burst_ns.as_ref().is_some_and(|bursts| bursts.count > 0);
    if !phase.jobs.iter().any(has_bursts) {
        return Vec::new();
    }
    let bursting: Vec<u32> = (0..)
        .zip(&phase.jobs)
        .filter(|(_, job)| has_bursts(job))
        .map(|(index, _)| index)
        .collect();
    let mut sentences = Vec::new();
    for (index, job) in (0..).zip(&phase.jobs).filter(|(_, job)| !has_bursts(job)) {
        for (op, _) in job.ops.present().filter(|(op, _)| *op != Op::Flush) {
            let during = p99(phase, &bursting, index, op, true);
            let between = p99(phase, &bursting, index, op, false);
            if let Some((during, between)) = during.zip(between) {
                sentences.push(format!(
                    "{} {}: 99 % within {} during bursts and within {} between them, {} times as \
                     long",
                    job.name,
                    op.name(),
                    time(during),
                    time(between),
                    decimal(during / between, 1)
                ));
            }
        }
    }
    sentences
}

/// The percentile over the intervals with or without a burst.
fn p99(phase: &PhaseResult, bursting: &[u32], job: u32, op: Op, in_burst: bool) -> Option<f64> {
    let measured: Vec<&IntervalResult> = phase
        .intervals
        .iter()
        .filter(|interval| interval.part == Part::Measure)
        .collect();
    let mut all = Histogram::new();
    // A histogram stands at the first of the intervals that it is of.
    for group in measured.chunks(phase.histogram_intervals.max(1) as usize) {
        if group.iter().any(|one| is_burst(one, bursting)) != in_burst {
            continue;
        }
        let Some(entry) = entry(group[0], job, op) else {
            continue;
        };
        let encoded = entry.response_histogram.as_ref();
        let encoded = encoded.or(entry.service_histogram.as_ref())?;
        all.add(&encoded.decode().ok()?);
    }
    let value = all.quantile_ns(SHARE);
    (supports(all.len(), SHARE) && value > 0).then_some(value as f64)
}

fn entry(interval: &IntervalResult, job: u32, op: Op) -> Option<&IntervalOp> {
    let mut jobs = interval.jobs.iter();
    jobs.find(|one| one.job == job)?.ops.get(op)
}

fn is_burst(interval: &IntervalResult, bursting: &[u32]) -> bool {
    let mut own = interval
        .jobs
        .iter()
        .filter(|one| bursting.contains(&one.job));
    own.any(|one| {
        let ops = [Op::Read, Op::Write, Op::Trim];
        ops.iter()
            .any(|op| one.ops.get(*op).is_some_and(|op| op.ios > 0))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::result::EncodedHistogram;
    use fathom_core::summary::LatencySummary;

    /// Reads all along, and writes in the first of each four intervals, in which reads take 8 ms
    /// instead of 1.
    fn cycle() -> PhaseResult {
        let reads = Stream::random(Op::Read, 8192, vec![1000; 12]);
        let writes: Vec<u64> = (0..12)
            .map(|index| if index % 4 == 0 { 500 } else { 0 })
            .collect();
        let writes = Stream::random(Op::Write, 8192, writes);
        let jobs = vec![
            JobPlan::closed("read", 8, vec![reads]),
            JobPlan::closed("dbwrite", 8, vec![writes]),
        ];
        let mut phase = fixture::run("iris", &[("main", jobs)]).phases.remove(0);
        phase.jobs[1].burst_ns = Some(LatencySummary {
            count: 3,
            ..LatencySummary::default()
        });
        phase.histogram_intervals = 1;
        for (index, interval) in phase.intervals.iter_mut().enumerate() {
            let mut histogram = Histogram::new();
            histogram.record_n(if index % 4 == 0 { 8_000_000 } else { 1_000_000 }, 1000);
            for job in interval.jobs.iter_mut().filter(|job| job.job == 0) {
                let read = job.ops[Op::Read].as_mut().expect("it reads");
                read.service_histogram = Some(EncodedHistogram::of(&histogram));
                read.response_histogram = None;
            }
        }
        phase
    }

    #[test]
    fn reads_during_bursts_stand_beside_those_between() {
        let expected = "read read: 99 % within 8.00 ms during bursts and within 1.00 ms between \
                        them, 8.0 times as long";
        assert_eq!(sentences(&cycle()), [expected]);
        let mut quiet = cycle();
        quiet.jobs[1].burst_ns = None;
        assert_eq!(sentences(&quiet), Vec::<String>::new());
        let mut without = cycle();
        for job in &mut without.intervals[2].jobs {
            if let Some(read) = &mut job.ops[Op::Read] {
                read.service_histogram = None;
            }
        }
        assert_eq!(sentences(&without), Vec::<String>::new());
    }
}

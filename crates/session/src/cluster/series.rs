//! Series of figures that travel: each operation of each job of a phase has a number.

use fathom_cluster::limits;
use fathom_cluster::message::{IntervalReport, SeriesCounts, SeriesDelta, SlowRequest};
use fathom_core::Op;
use fathom_core::histogram::{HistogramError, Packed};
use fathom_core::result::{EncodedHistogram, IntervalOp, IntervalResult, PhaseResult};
use fathom_core::summary::LatencySummary;

/// The number of series of `jobs` jobs.
pub(super) const fn count(jobs: usize) -> u16 {
    (jobs * Op::ALL.len()) as u16
}

/// Number of the series of an operation of a job.
pub(super) fn number(job: usize, op: Op) -> u16 {
    let op = Op::ALL.iter().position(|one| *one == op);
    (job * Op::ALL.len() + op.expect("all operations are listed")) as u16
}

fn packed(
    histogram: Option<&EncodedHistogram>,
    exact: &LatencySummary,
) -> Result<Packed, HistogramError> {
    let Some(encoded) = histogram else {
        return Ok(Packed::default());
    };
    Ok(Packed::of_histogram(&encoded.decode()?).with_moments(exact))
}

fn delta(series: u16, op: &IntervalOp) -> Result<SeriesDelta, HistogramError> {
    let response = op.response_ns.as_ref();
    let response = response.map(|exact| packed(op.response_histogram.as_ref(), exact));
    Ok(SeriesDelta {
        series,
        counts: SeriesCounts {
            ios: op.ios,
            bytes: op.bytes,
            errors: op.errors,
            short: 0,
        },
        service: packed(op.service_histogram.as_ref(), &op.service_ns)?,
        response: response.transpose()?,
    })
}

/// An interval of a member as it travels, on the member's clock, where the phase began at
/// `begin_ns`.
pub(super) fn report(
    interval: &IntervalResult,
    begin_ns: u64,
) -> Result<IntervalReport, HistogramError> {
    let mut series = Vec::new();
    for job in &interval.jobs {
        let done = job
            .ops
            .present()
            .filter(|(_, done)| done.ios > 0 || done.errors > 0);
        for (op, done) in done {
            series.push(delta(number(job.job as usize, op), done)?);
        }
    }
    Ok(IntervalReport {
        phase: 0,
        part: interval.part,
        index: 0,
        start_ns: begin_ns + interval.start_ns,
        end_ns: begin_ns + interval.start_ns + interval.length_ns,
        series,
        held: interval
            .jobs
            .iter()
            .map(|job| (job.queue_depth_held * 1e3) as u64)
            .collect(),
    })
}

/// The totals of a phase as the sums of its intervals should be.
pub(super) fn totals(phase: &PhaseResult) -> Vec<SeriesCounts> {
    let mut totals = vec![SeriesCounts::default(); usize::from(count(phase.jobs.len()))];
    for (number_of, job) in phase.jobs.iter().enumerate() {
        for (op, done) in job.ops.present() {
            totals[usize::from(number(number_of, op))] = SeriesCounts {
                ios: done.ios,
                bytes: done.bytes,
                errors: done.errors,
                short: 0,
            };
        }
    }
    totals
}

/// The slowest requests of a member, the slowest first.
pub(super) fn slowest(phases: &[PhaseResult]) -> Vec<SlowRequest> {
    let mut slowest = Vec::new();
    for (phase, result) in phases.iter().enumerate() {
        for (job_number, job) in result.jobs.iter().enumerate() {
            for (op, done) in job.ops.present() {
                slowest.extend(done.slowest.iter().map(|slow| SlowRequest {
                    service_ns: slow.service_ns,
                    issued_ns: slow.issued_ns,
                    phase: phase as u32,
                    series: number(job_number, op),
                    target: slow.target,
                    offset: slow.offset,
                    bytes: slow.bytes,
                }));
            }
        }
    }
    slowest.sort_unstable_by(|a, b| b.cmp(a));
    slowest.truncate(limits::SLOWEST);
    slowest
}

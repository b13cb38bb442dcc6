//! What the steps show together.

use super::StepPlan;
use super::curve::is_paused;
use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::result::{
    EncodedHistogram, LoadModel, PhaseResult, RampAxis, RampLaw, RampReport, RampStep, RateAnswer,
    StepPurpose,
};
use fathom_verdict::slo::{Objective, ObjectiveOutcome, judge};
use fathom_verdict::stats::{
    LoadPoint, ScalabilityLaw, SizePoint, fit_scalability, fit_sizes, power_knee,
};

/// How far beyond the range measured a peak may lie to be named.
const PEAK_WITHIN: f64 = 2.0;

/// What the phases of a ramp and their `steps` say.
pub fn report(
    axis: RampAxis,
    steps: &[StepPlan],
    phases: &[PhaseResult],
    objectives: &[Objective],
    answer: Option<RateAnswer>,
) -> RampReport {
    let rows: Vec<RampStep> = steps
        .iter()
        .zip(phases)
        .map(|(step, phase)| row(step, phase, objectives))
        .collect();
    let points: Vec<(f64, f64)> = rows
        .iter()
        .zip(phases)
        .map(|(row, phase)| {
            let counts = row.purpose == StepPurpose::Curve && !is_paused(phase);
            (row.iops, row.mean_ns.filter(|_| counts).unwrap_or(0.0))
        })
        .collect();
    let calm = rows.iter().zip(phases);
    let calm = calm
        .filter(|(_, phase)| !is_paused(phase))
        .map(|(row, _)| row);
    let calm: Vec<&RampStep> = calm.collect();
    let most = rows.iter().map(|row| row.iops).fold(0.0, f64::max);
    let least_ns = rows.iter().filter_map(|row| row.mean_ns).reduce(f64::min);
    RampReport {
        axis,
        knee: power_knee(&points).filter(|_| axis != RampAxis::BlockSize),
        law: match axis {
            RampAxis::Rate => None,
            RampAxis::BlockSize => Some(law_of_sizes(&calm)),
            RampAxis::QueueDepth | RampAxis::Threads => Some(law(&calm)),
        },
        // Of requests of one size only.
        least_outstanding: least_ns
            .filter(|_| axis != RampAxis::BlockSize)
            .map(|least| least / 1e9 * most),
        steps: rows,
        answer,
    }
}

fn row(step: &StepPlan, phase: &PhaseResult, objectives: &[Objective]) -> RampStep {
    let judgement = judge(phase, objectives);
    let has_latency = !judgement.overloaded;
    let latencies = latencies(phase);
    RampStep {
        phase: phase.name.clone(),
        purpose: step.purpose,
        value: step.value,
        iops: served_iops(phase),
        bytes_per_second: sum(phase, |op| op.bytes_per_second),
        outstanding: outstanding(phase),
        overloaded: judgement.overloaded,
        mean_ns: latency_ns(phase).filter(|_| has_latency),
        p99_ns: (has_latency && fathom_core::summary::supports(latencies.len(), 0.99))
            .then(|| latencies.quantile_ns(0.99)),
        objectives: (!objectives.is_empty() && step.purpose != StepPurpose::Maximum).then(|| {
            match judgement.outcome {
                ObjectiveOutcome::Pass => "pass",
                ObjectiveOutcome::Undecided => "undecided",
                ObjectiveOutcome::Fail => "fail",
            }
            .to_owned()
        }),
    }
}

fn law_of_sizes(rows: &[&RampStep]) -> RampLaw {
    let points: Vec<SizePoint> = rows
        .iter()
        .map(|row| SizePoint {
            bytes: row.value,
            iops: row.iops,
        })
        .collect();
    let none = |reason: String| RampLaw::None { reason };
    let Some(law) = fit_sizes(&points) else {
        return none(format!("{} steps are too few for a fit", points.len()));
    };
    if !law.is_good() {
        return none(format!(
            "a model of one request limit and one byte limit misses a step by {}. Something else \
             limits some steps, such as too few outstanding requests",
            fathom_core::figure::percent(law.worst_residual * 100.0)
        ));
    }
    RampLaw::Sizes {
        iops: law.iops,
        bytes_per_second: law.bytes_per_second,
        corner_bytes: law.corner_bytes(),
        worst_residual: law.worst_residual,
    }
}

fn law(rows: &[&RampStep]) -> RampLaw {
    let points: Vec<LoadPoint> = rows
        .iter()
        .map(|row| LoadPoint {
            n: row.value,
            throughput: row.iops,
        })
        .collect();
    let none = |reason: String| RampLaw::None { reason };
    let Some(fit) = fit_scalability(&points) else {
        return none(format!("{} steps are too few for a fit", points.len()));
    };
    if !fit.is_good() {
        return none(format!(
            "the best model misses a step by {}",
            fathom_core::figure::percent(fit.worst_residual * 100.0)
        ));
    }
    let range = points.iter().map(|point| point.n).fold(0.0, f64::max);
    match fit.law {
        ScalabilityLaw::Usl(law) => {
            let peak = law.peak().filter(|peak| peak.n <= range * PEAK_WITHIN);
            RampLaw::Usl {
                gamma: law.gamma,
                alpha: law.alpha,
                beta: law.beta,
                peak_at: peak.map(|peak| peak.n),
                peak_iops: peak.map(|peak| peak.throughput),
            }
        }
        ScalabilityLaw::Capped(law) => RampLaw::Capped {
            gamma: law.gamma,
            alpha: law.alpha,
            cap_iops: law.cap,
        },
    }
}

fn sum(phase: &PhaseResult, of: impl Fn(&fathom_core::result::OpResult) -> f64) -> f64 {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    ops.filter(|(op, _)| *op != Op::Flush)
        .map(|(_, result)| of(result))
        .sum()
}

/// Requests a second of all jobs, flushes aside.
pub(super) fn served_iops(phase: &PhaseResult) -> f64 {
    sum(phase, |op| op.iops)
}

/// Mean number of outstanding requests of all jobs.
pub(super) fn outstanding(phase: &PhaseResult) -> f64 {
    phase.jobs.iter().map(|job| job.queue_depth_held).sum()
}

/// Mean latency over all requests, nanoseconds: response time where the load is open.
pub(super) fn latency_ns(phase: &PhaseResult) -> Option<f64> {
    let mut total = 0.0;
    let mut count = 0.0;
    for job in &phase.jobs {
        for (op, result) in job.ops.present() {
            if op != Op::Flush {
                let summary = if job.load_model == LoadModel::Open {
                    &result.response_ns
                } else {
                    &result.service_ns
                };
                total += summary.mean * result.ios as f64;
                count += result.ios as f64;
            }
        }
    }
    (count > 0.0).then(|| total / count)
}

fn latencies(phase: &PhaseResult) -> Histogram {
    let mut all = Histogram::new();
    for job in &phase.jobs {
        for (op, result) in job.ops.present() {
            let encoded = result
                .response_histogram
                .as_ref()
                .or(result.service_histogram.as_ref());
            if op != Op::Flush
                && let Some(Ok(histogram)) = encoded.map(EncodedHistogram::decode)
            {
                all.add(&histogram);
            }
        }
    }
    all
}

//! Whether a phase met its objectives, with the confidence that its intervals allow.
//!
//! A quantile is at most its limit exactly when the share of requests beyond the limit is at
//! most one minus the quantile, and a share is a ratio of counts: its error comes from batches of
//! neighbouring intervals (ratio estimator of batch means; Law and Kelton, "Simulation Modeling
//! and Analysis", chapter 9), widened where neighbouring batches still depend on each other.
//!
//! Intervals in which the generator itself stood still, and those in which what had come due
//! meanwhile was served, are left out: they say nothing of the storage.

use super::objective::{Objective, Quantity};
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::op::Op;
use fathom_core::result::{EndReason, IntervalOp, IntervalResult, PhaseResult};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// Confidence of each bound.
const CONFIDENCE: f64 = 0.95;
/// Batches that the intervals are joined to at most: few enough that neighbours hardly depend on
/// each other, enough for Student's t.
const MOST_BATCHES: usize = 30;
/// Batches without which there is no bound.
const FEWEST_BATCHES: usize = 5;
/// Share of the offered rate below which a load counts as overloaded.
const SERVED_SHARE: f64 = 0.98;

/// What came of one objective, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// The upper bound keeps the limit.
    Pass,
    /// The limit lies between the bounds: more requests are needed.
    Undecided,
    /// The lower bound is beyond the limit.
    Fail,
}

/// One objective in one phase.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObjectiveReading {
    /// The objective.
    pub objective: Objective,
    /// The measured value, nanoseconds.
    pub value_ns: f64,
    /// What came of it.
    pub outcome: Outcome,
}

/// All objectives of one phase.
#[derive(Clone, Debug, PartialEq)]
pub struct StepJudgement {
    /// One entry for each objective; empty when the phase was overloaded, because response times
    /// of an overloaded open load only say how long it was watched.
    pub readings: Vec<ObjectiveReading>,
    /// Whether requests arrived faster than they were served.
    pub overloaded: bool,
    /// The worst of all.
    pub outcome: Outcome,
}

/// Requests of neighbouring intervals.
#[derive(Clone, Debug, Default)]
struct Batch {
    histogram: Histogram,
}

/// Judges a phase: response times where the load is open, service times where it is closed.
pub fn judge(phase: &PhaseResult, objectives: &[Objective]) -> StepJudgement {
    let overloaded = is_overloaded(phase);
    if overloaded {
        return StepJudgement {
            readings: Vec::new(),
            overloaded,
            outcome: Outcome::Fail,
        };
    }
    let batches = batches(phase);
    let readings: Vec<ObjectiveReading> = objectives
        .iter()
        .map(|objective| read(&batches, *objective))
        .collect();
    let outcome = readings
        .iter()
        .map(|reading| reading.outcome)
        .max()
        .unwrap_or(Outcome::Undecided);
    StepJudgement {
        readings,
        overloaded,
        outcome,
    }
}

fn is_overloaded(phase: &PhaseResult) -> bool {
    // What came due while nobody could ask is not the storage's to serve.
    let asked = 1.0 - phase.paused_share();
    let behind = phase.jobs.iter().any(|job| match job.due {
        Some(due) => ((job.completed + job.failed) as f64) < SERVED_SHARE * asked * due as f64,
        None => false,
    });
    behind || phase.ended_by == EndReason::Overloaded
}

fn batches(phase: &PhaseResult) -> Vec<Batch> {
    let group = phase.histogram_intervals.max(1) as usize;
    let measured: Vec<&IntervalResult> = phase
        .intervals
        .iter()
        .filter(|interval| interval.part == Part::Measure)
        .collect();
    let groups: Vec<&[&IntervalResult]> = measured
        .chunks(group)
        .filter(|group| !group.iter().any(|one| phase.was_paused(one)))
        .collect();
    let length = groups.len().div_ceil(MOST_BATCHES).max(1);
    groups
        .chunks(length)
        .map(|groups| {
            let mut batch = Batch::default();
            for interval in groups.iter().copied().flatten() {
                for job in &interval.jobs {
                    for op in Op::REQUESTS {
                        batch.add(job.ops.get(op));
                    }
                }
            }
            batch
        })
        .filter(|batch| !batch.histogram.is_empty())
        .collect()
}

impl Batch {
    fn add(&mut self, op: Option<&IntervalOp>) {
        let encoded = op.and_then(|op| {
            op.response_histogram
                .as_ref()
                .or(op.service_histogram.as_ref())
        });
        if let Some(Ok(histogram)) = encoded.map(fathom_core::result::EncodedHistogram::decode) {
            self.histogram.add(&histogram);
        }
    }
}

fn read(batches: &[Batch], objective: Objective) -> ObjectiveReading {
    let mut all = Histogram::new();
    for batch in batches {
        all.add(&batch.histogram);
    }
    let limit_ns = objective.limit.0;
    let beyond = |batch: &Batch| {
        let histogram = &batch.histogram;
        (histogram.len() - histogram.count_up_to(limit_ns)) as f64
    };
    let requests = |batch: &Batch| batch.histogram.len() as f64;
    let (value_ns, outcome) = match objective.quantity {
        Quantity::Max => {
            let outcome = if all.max_ns() <= limit_ns {
                Outcome::Pass
            } else {
                Outcome::Fail
            };
            (all.max_ns() as f64, outcome)
        }
        Quantity::Mean => {
            let pairs = batches
                .iter()
                .map(|batch| (batch.histogram.mean_ns() * requests(batch), requests(batch)));
            let outcome = decide(bounds(&pairs.collect::<Vec<_>>()), limit_ns as f64);
            (all.mean_ns(), outcome)
        }
        Quantity::Quantile(quantile) => {
            let pairs = batches.iter().map(|batch| (beyond(batch), requests(batch)));
            let mut bounds = bounds(&pairs.collect::<Vec<_>>());
            if let Some((low, high)) = &mut bounds
                && *low == 0.0
                && *high == 0.0
            {
                // None of n requests was beyond: at 95 % the share is below 3 / n (rule of three).
                *high = 3.0 / all.len() as f64;
            }
            let outcome = decide(bounds, 1.0 - quantile);
            (all.quantile_ns(quantile) as f64, outcome)
        }
    };
    ObjectiveReading {
        objective,
        value_ns,
        outcome: if all.is_empty() {
            Outcome::Undecided
        } else {
            outcome
        },
    }
}

fn decide(bounds: Option<(f64, f64)>, limit: f64) -> Outcome {
    match bounds {
        Some((_, high)) if high <= limit => Outcome::Pass,
        Some((low, _)) if low > limit => Outcome::Fail,
        _ => Outcome::Undecided,
    }
}

/// Bounds of the ratio of sums over (numerator, denominator) of batches.
fn bounds(pairs: &[(f64, f64)]) -> Option<(f64, f64)> {
    if pairs.len() < FEWEST_BATCHES {
        return None;
    }
    let count = pairs.len() as f64;
    let below: f64 = pairs.iter().map(|(_, below)| below).sum();
    let ratio = pairs.iter().map(|(above, _)| above).sum::<f64>() / below;
    let rest: Vec<f64> = pairs
        .iter()
        .map(|(above, below)| above - ratio * below)
        .collect();
    let squares: f64 = rest.iter().map(|rest| rest * rest).sum();
    let neighbours: f64 = rest.windows(2).map(|pair| pair[0] * pair[1]).sum();
    let correlation = if squares > 0.0 {
        (neighbours / squares).clamp(0.0, 0.9)
    } else {
        0.0
    };
    let widened = (1.0 + correlation) / (1.0 - correlation);
    let error = (squares * widened / (count * (count - 1.0))).sqrt() / (below / count);
    let student = StudentsT::new(0.0, 1.0, count - 1.0).ok()?;
    let reach = student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)) * error;
    Some((ratio - reach, ratio + reach))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::PerOp;
    use fathom_core::result::{EncodedHistogram, IntervalJob, Pause};
    use fathom_core::units::Nanos;

    /// A phase whose intervals hold (requests, of these beyond 5 ms).
    fn phase(intervals: &[(u64, u64)]) -> PhaseResult {
        let interval = |(index, (requests, beyond)): (usize, &(u64, u64))| {
            let mut histogram: Histogram = Histogram::new();
            for request in 0..*requests {
                histogram.record(if request < *beyond {
                    9_000_000
                } else {
                    1_000_000
                });
            }
            let read = IntervalOp {
                ios: *requests,
                service_histogram: Some(EncodedHistogram::of(&histogram)),
                ..IntervalOp::default()
            };
            IntervalResult {
                part: Part::Measure,
                start_ns: index as u64 * 1_000_000_000,
                length_ns: 1_000_000_000,
                jobs: vec![IntervalJob {
                    job: 0,
                    queue_depth_held: 1.0,
                    ops: PerOp::from([(Op::Read, read)]),
                }],
            }
        };
        PhaseResult {
            measured_ns: intervals.len() as u64 * 1_000_000_000,
            intervals: intervals.iter().enumerate().map(interval).collect(),
            ..PhaseResult::empty("step")
        }
    }

    fn outcome(intervals: &[(u64, u64)], objective: &str) -> Outcome {
        judge(&phase(intervals), &[objective.parse().unwrap()]).outcome
    }

    #[test]
    fn the_limit_decides_only_where_the_bounds_allow() {
        let regular = |beyond| vec![(1000, beyond); 10];
        assert_eq!(outcome(&regular(5), "p99<=5ms"), Outcome::Pass);
        assert_eq!(outcome(&regular(15), "p99<=5ms"), Outcome::Fail);
        assert_eq!(outcome(&regular(0), "p99<=5ms"), Outcome::Pass);
        let uneven: Vec<(u64, u64)> = (0..10).map(|index| (1000, (index % 2) * 18)).collect();
        assert_eq!(outcome(&uneven, "p99<=5ms"), Outcome::Undecided);
        assert_eq!(outcome(&regular(5)[..4], "p99<=5ms"), Outcome::Undecided);
        assert_eq!(outcome(&regular(5), "max<=8ms"), Outcome::Fail);
        assert_eq!(outcome(&regular(5), "max<=10ms"), Outcome::Pass);
        assert_eq!(outcome(&regular(5), "mean<=2ms"), Outcome::Pass);
        assert_eq!(outcome(&regular(500), "mean<=2ms"), Outcome::Fail);
    }

    #[test]
    fn without_requests_beyond_the_limit_the_number_of_requests_bounds() {
        // 50 requests, none beyond: the share may still be 6 %.
        assert_eq!(outcome(&[(10, 0); 5], "p99<=5ms"), Outcome::Undecided);
        assert_eq!(outcome(&[(10, 0); 5], "p90<=5ms"), Outcome::Pass);
    }

    /// In the third and the sixth second the generator stood still, and caught up in the next.
    #[test]
    fn what_a_pause_of_the_generator_reached_is_not_judged() {
        let mut paused = phase(&[(1000, 0); 12]);
        let touched = phase(&[(1000, 900); 12]).intervals;
        for number in [2, 3, 5, 6] {
            paused.intervals[number] = touched[number].clone();
        }
        let judged = |paused: &PhaseResult| judge(paused, &["p99<=5ms".parse().unwrap()]).outcome;
        assert_eq!(judged(&paused), Outcome::Undecided);
        let pause = |seconds: u64| Pause {
            start_ns: seconds * 1_000_000_000 + 100_000_000,
            length_ns: 800_000_000,
        };
        let ledger = paused.ledger.get_or_insert_default();
        ledger.generator.pauses = vec![pause(2), pause(5)];
        assert_eq!(judged(&paused), Outcome::Pass);
        assert!((paused.paused_share() - 1.664 / 12.0).abs() < 1e-9);
        // Nothing is left to say.
        let ledger = paused.ledger.get_or_insert_default();
        ledger.generator.pauses = (0..12).map(pause).collect();
        assert_eq!(judged(&paused), Outcome::Undecided);
    }

    #[test]
    fn an_overloaded_phase_has_no_response_time() {
        let mut overloaded = phase(&[(1000, 0); 10]);
        overloaded.ended_by = EndReason::Overloaded;
        let objective: Objective = "p99<=5ms".parse().unwrap();
        let expected = StepJudgement {
            readings: Vec::new(),
            overloaded: true,
            outcome: Outcome::Fail,
        };
        assert_eq!(judge(&overloaded, &[objective]), expected);
        assert_eq!(objective.limit, Nanos::from_millis(5));
    }
}

//! Whether a phase met its objectives, with the confidence that its intervals allow.
//!
//! A quantile is at most its limit exactly when the share of requests beyond the limit is at
//! most one minus the quantile. That share is counted in events, with the bounds of a binomial
//! distribution (`share.rs`). An event is as many requests as were outstanding together, or as many
//! as their scatter over batches of neighbouring intervals shows, whichever is more.
//!
//! The error of a mean, and that scatter, are those of a ratio of sums over batches (ratio
//! estimator
//! of batch means; Law and Kelton, "Simulation Modeling and Analysis", chapter 9), widened where
//! neighbouring batches still depend on each other.
//!
//! Intervals in which the generator itself stood still, and those in which what had come due
//! meanwhile was served, are left out: they say nothing of the storage.

use super::objective::{Objective, Quantity};
use super::share::Share;
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::op::Op;
use fathom_core::result::{EndReason, IntervalOp, IntervalResult, PhaseResult};
use fathom_core::summary::MIN_TAIL_COUNT;
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// Confidence of each bound.
const CONFIDENCE: f64 = 0.95;
/// Batches that the intervals are joined to at most: few enough that neighbours hardly depend on
/// each other, enough for Student's t.
const MOST_BATCHES: usize = 30;
/// Batches without which there is no bound.
const FEWEST_BATCHES: usize = 5;
/// How many times as long a step halves the error of a mean.
const HALVES: f64 = 4.0;
/// Share of the offered rate below which a load counts as overloaded.
const SERVED_SHARE: f64 = 0.98;

/// What came of one objective, or of all.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ObjectiveOutcome {
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
    /// What is required.
    pub objective: Objective,
    /// The measured value, nanoseconds.
    pub value_ns: f64,
    /// What came of it.
    pub outcome: ObjectiveOutcome,
    /// The factor by which a longer step would decide it, if the share stays the same; none where
    /// it is decided, or where no length in sight would.
    pub longer: Option<f64>,
    /// Whether the limit is kept as far as was seen, but by too few events to say so.
    pub is_short: bool,
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
    pub outcome: ObjectiveOutcome,
}

impl StepJudgement {
    /// Whether all that is missing is a longer step: no objective is broken or in doubt, and some
    /// rest on too few events.
    pub fn is_short(&self) -> bool {
        let mut open = self.undecided().peekable();
        self.outcome == ObjectiveOutcome::Undecided
            && open.peek().is_some()
            && open.all(|one| one.is_short)
    }

    /// How many times as long a step would decide all objectives; none where no length in sight
    /// would, or where all are decided.
    pub fn longer(&self) -> Option<f64> {
        let mut open = self.undecided().peekable();
        open.peek()?;
        open.try_fold(1.0, |most, one| Some(f64::max(most, one.longer?)))
    }

    fn undecided(&self) -> impl Iterator<Item = &ObjectiveReading> {
        let readings = self.readings.iter();
        readings.filter(|reading| reading.outcome == ObjectiveOutcome::Undecided)
    }
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
            outcome: ObjectiveOutcome::Fail,
        };
    }
    let batches = batches(phase);
    let outstanding = phase.jobs.iter().map(|job| job.queue_depth_held).sum();
    let readings: Vec<ObjectiveReading> = objectives
        .iter()
        .map(|objective| read(&batches, outstanding, *objective))
        .collect();
    let outcome = readings
        .iter()
        .map(|reading| reading.outcome)
        .max()
        .unwrap_or(ObjectiveOutcome::Undecided);
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

fn read(batches: &[Batch], outstanding: f64, objective: Objective) -> ObjectiveReading {
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
    let (mut longer, mut is_short) = (None, false);
    let (value_ns, outcome) = match objective.quantity {
        Quantity::Max => {
            let outcome = if all.max_ns() <= limit_ns {
                ObjectiveOutcome::Pass
            } else {
                ObjectiveOutcome::Fail
            };
            (all.max_ns() as f64, outcome)
        }
        Quantity::Mean => {
            let pairs = batches
                .iter()
                .map(|batch| (batch.histogram.mean_ns() * requests(batch), requests(batch)));
            let bounds = spread(&pairs.collect::<Vec<_>>()).and_then(Spread::bounds);
            let outcome = decide(bounds, limit_ns as f64);
            longer = (outcome == ObjectiveOutcome::Undecided).then_some(HALVES);
            (all.mean_ns(), outcome)
        }
        Quantity::Quantile(quantile) => {
            let pairs = batches.iter().map(|batch| (beyond(batch), requests(batch)));
            let allowed = 1.0 - quantile;
            let (share, outcome) = share(&pairs.collect::<Vec<_>>(), outstanding, allowed);
            if outcome == ObjectiveOutcome::Undecided {
                longer = share.longer(allowed);
                is_short = share.events_at(allowed) < MIN_TAIL_COUNT
                    && share.beyond <= allowed * share.all;
            }
            (all.quantile_ns(quantile) as f64, outcome)
        }
    };
    ObjectiveReading {
        objective,
        value_ns,
        outcome: if all.is_empty() {
            ObjectiveOutcome::Undecided
        } else {
            outcome
        },
        longer,
        is_short,
    }
}

fn decide(bounds: Option<(f64, f64)>, limit: f64) -> ObjectiveOutcome {
    match bounds {
        Some((_, high)) if high <= limit => ObjectiveOutcome::Pass,
        Some((low, _)) if low > limit => ObjectiveOutcome::Fail,
        _ => ObjectiveOutcome::Undecided,
    }
}

/// The share of slow requests over (slow, all) of batches, and whether it is within what is
/// allowed.
pub(super) fn share(
    pairs: &[(f64, f64)],
    outstanding: f64,
    allowed: f64,
) -> (Share, ObjectiveOutcome) {
    let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum();
    let spread = spread(pairs);
    let together = spread.map_or(0.0, Spread::together).max(outstanding);
    let share = Share::of(sum(|pair| pair.0), sum(|pair| pair.1), together);
    (
        share,
        spread.map_or(ObjectiveOutcome::Undecided, |_| share.outcome(allowed)),
    )
}

/// A ratio of sums over batches, and how far it may be off.
#[derive(Clone, Copy, Debug)]
struct Spread {
    ratio: f64,
    /// Standard error of the ratio.
    error: f64,
    /// Sum of the denominators.
    below: f64,
    /// Batches.
    count: f64,
}

impl Spread {
    /// Bounds of the ratio.
    fn bounds(self) -> Option<(f64, f64)> {
        let student = StudentsT::new(0.0, 1.0, self.count - 1.0).ok()?;
        let reach = student.inverse_cdf(f64::midpoint(1.0, CONFIDENCE)) * self.error;
        Some((self.ratio - reach, self.ratio + reach))
    }

    /// Of a ratio of counts: how many come together. Independent ones would scatter by the root of
    /// their number; what scatters more comes in bursts.
    fn together(self) -> f64 {
        let counted = self.ratio * self.below;
        if counted > 0.0 {
            (self.error * self.below).powi(2) / counted
        } else {
            0.0
        }
    }
}

/// The ratio of sums over (numerator, denominator) of batches.
fn spread(pairs: &[(f64, f64)]) -> Option<Spread> {
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
    Some(Spread {
        ratio,
        error,
        below,
        count,
    })
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

    fn outcome(intervals: &[(u64, u64)], objective: &str) -> ObjectiveOutcome {
        judge(&phase(intervals), &[objective.parse().unwrap()]).outcome
    }

    #[test]
    fn the_limit_decides_only_where_the_bounds_allow() {
        let regular = |beyond| vec![(10_000, beyond); 10];
        assert_eq!(outcome(&regular(50), "p99<=5ms"), ObjectiveOutcome::Pass);
        assert_eq!(outcome(&regular(150), "p99<=5ms"), ObjectiveOutcome::Fail);
        assert_eq!(outcome(&regular(0), "p99<=5ms"), ObjectiveOutcome::Pass);
        let uneven: Vec<(u64, u64)> = (0..10).map(|index| (10_000, (index % 2) * 180)).collect();
        assert_eq!(outcome(&uneven, "p99<=5ms"), ObjectiveOutcome::Undecided);
        assert_eq!(
            outcome(&regular(50)[..4], "p99<=5ms"),
            ObjectiveOutcome::Undecided
        );
        assert_eq!(outcome(&regular(50), "max<=8ms"), ObjectiveOutcome::Fail);
        assert_eq!(outcome(&regular(50), "max<=10ms"), ObjectiveOutcome::Pass);
        assert_eq!(outcome(&regular(50), "mean<=2ms"), ObjectiveOutcome::Pass);
        assert_eq!(outcome(&regular(5000), "mean<=2ms"), ObjectiveOutcome::Fail);
    }

    #[test]
    fn without_requests_beyond_the_limit_ten_events_are_required_all_the_same() {
        let judged =
            |objective: &str| judge(&phase(&[(1000, 0); 5]), &[objective.parse().unwrap()]);
        assert_eq!(judged("p90<=5ms").outcome, ObjectiveOutcome::Pass);
        let found = judged("p99<=5ms");
        let told = (found.outcome, found.is_short(), found.longer());
        // 32,000 requests are needed, and there are 5,000.
        assert_eq!(
            told,
            (ObjectiveOutcome::Undecided, true, Some(1.25_f64.powi(9)))
        );
        // More slow ones than allowed are no matter of length alone.
        let beyond = judge(&phase(&[(1000, 11); 5]), &["p99<=5ms".parse().unwrap()]);
        assert_eq!(
            (beyond.outcome, beyond.is_short()),
            (ObjectiveOutcome::Undecided, false)
        );
    }

    /// In the third and the sixth second the generator stood still, and caught up in the next.
    #[test]
    fn what_a_pause_of_the_generator_reached_is_not_judged() {
        let mut paused = phase(&[(10_000, 0); 12]);
        let touched = phase(&[(10_000, 9_000); 12]).intervals;
        for number in [2, 3, 5, 6] {
            paused.intervals[number] = touched[number].clone();
        }
        let judged = |paused: &PhaseResult| judge(paused, &["p99<=5ms".parse().unwrap()]).outcome;
        assert_eq!(judged(&paused), ObjectiveOutcome::Fail);
        let pause = |seconds: u64| Pause {
            start_ns: seconds * 1_000_000_000 + 100_000_000,
            length_ns: 800_000_000,
        };
        let ledger = paused.ledger.get_or_insert_default();
        ledger.generator.pauses = vec![pause(2), pause(5)];
        assert_eq!(judged(&paused), ObjectiveOutcome::Pass);
        assert!((paused.paused_share() - 1.664 / 12.0).abs() < 1e-9);
        // Nothing is left to say.
        let ledger = paused.ledger.get_or_insert_default();
        ledger.generator.pauses = (0..12).map(pause).collect();
        assert_eq!(judged(&paused), ObjectiveOutcome::Undecided);
    }

    #[test]
    fn an_overloaded_phase_has_no_response_time() {
        let mut overloaded = phase(&[(1000, 0); 10]);
        overloaded.ended_by = EndReason::Overloaded;
        let objective: Objective = "p99<=5ms".parse().unwrap();
        let expected = StepJudgement {
            readings: Vec::new(),
            overloaded: true,
            outcome: ObjectiveOutcome::Fail,
        };
        assert_eq!(judge(&overloaded, &[objective]), expected);
        assert_eq!(objective.limit, Nanos::from_millis(5));
    }
}

//! The search for the highest rate that keeps all objectives.
//!
//! By bisection on the logarithm of the rate, not by a ramp: a ramp mixes the level with what came
//! before it (burst credit, caches, garbage collection). At the end the rate found is verified by
//! a longer run a little below, which must keep the objectives too.

use super::judgement::ObjectiveOutcome;

/// Where the verifying run lies below the rate found.
const VERIFY_AT: f64 = 0.98;
/// How much lower each further verification lies.
const LOWER: f64 = 0.97;
/// Verifications after which the search gives up.
const MOST_VERIFICATIONS: u32 = 5;

/// A search that is fed with outcomes.
#[derive(Clone, Debug, PartialEq)]
pub struct RateSearch {
    low: f64,
    high: f64,
    precision: f64,
    stage: Stage,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Stage {
    Lowest,
    Bisect,
    Verify { rate: f64, tries: u32 },
    Over(SearchEnd),
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SearchEnd {
    /// The objectives are kept at `rate`, and broken (or undecided) at `broken_at`.
    Found {
        /// Highest rate that keeps them, as a longer run a little below has confirmed; lowered
        /// where only a lower one could be confirmed.
        rate: f64,
        /// Highest rate of the bisection that kept the objectives.
        passed: f64,
        /// Lowest rate that did not.
        broken_at: f64,
    },
    /// Not even the lowest rate keeps them.
    NeverKept {
        /// The lowest rate.
        lowest: f64,
    },
    /// A rate was found, and the longer run has too few events to confirm it.
    TooShort {
        /// The last rate that was tried.
        tried: f64,
    },
    /// What the bisection found was never confirmed.
    Unconfirmed {
        /// The last rate that was tried.
        tried: f64,
    },
}

/// What to run next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// Requests a second.
    pub rate: f64,
    /// Whether this is the longer, verifying run.
    pub verifies: bool,
}

impl RateSearch {
    /// A search between `low`, which is tried first, and `high`, which is taken as too much, down
    /// to a ratio of `1 + precision` between what keeps and what breaks the objectives.
    pub fn new(low: f64, high: f64, precision: f64) -> Self {
        Self {
            low,
            high,
            precision,
            stage: Stage::Lowest,
        }
    }

    /// The next run, or none at the end.
    pub fn next_step(&self) -> Option<Step> {
        let plain = |rate| {
            Some(Step {
                rate,
                verifies: false,
            })
        };
        match self.stage {
            Stage::Lowest => plain(self.low),
            Stage::Bisect => plain((self.low * self.high).sqrt()),
            Stage::Verify { rate, .. } => Some(Step {
                rate,
                verifies: true,
            }),
            Stage::Over(_) => None,
        }
    }

    /// Takes the outcome of the step last asked for. An undecided one counts as broken, unless it
    /// is only too short (`is_short`): then the search goes on above it, and leaves the rest to the
    /// longer run at the end. No rate is found without that run.
    pub fn tell(&mut self, outcome: ObjectiveOutcome, is_short: bool) {
        let verifies = matches!(self.stage, Stage::Verify { .. });
        let kept = outcome == ObjectiveOutcome::Pass || is_short && !verifies;
        let Some(Step { rate, .. }) = self.next_step() else {
            return;
        };
        self.stage = match self.stage {
            Stage::Lowest if !kept => Stage::Over(SearchEnd::NeverKept { lowest: rate }),
            Stage::Lowest | Stage::Bisect => {
                if kept {
                    self.low = rate;
                } else {
                    self.high = rate;
                }
                if self.high / self.low <= 1.0 + self.precision {
                    Stage::Verify {
                        rate: self.low * VERIFY_AT,
                        tries: 1,
                    }
                } else {
                    Stage::Bisect
                }
            }
            Stage::Verify { rate, .. } if kept => Stage::Over(SearchEnd::Found {
                rate: rate / VERIFY_AT,
                passed: self.low,
                broken_at: self.high,
            }),
            Stage::Verify { rate, .. } if is_short => {
                Stage::Over(SearchEnd::TooShort { tried: rate })
            }
            Stage::Verify { rate, tries } if tries < MOST_VERIFICATIONS => Stage::Verify {
                rate: rate * LOWER,
                tries: tries + 1,
            },
            Stage::Verify { rate, .. } => Stage::Over(SearchEnd::Unconfirmed { tried: rate }),
            over @ Stage::Over(_) => over,
        };
    }

    /// How it ended, if it has.
    pub fn end(&self) -> Option<SearchEnd> {
        match self.stage {
            Stage::Over(end) => Some(end),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Searches a system that keeps its objectives up to `limit`.
    fn search(limit: f64, verified_limit: f64) -> (SearchEnd, usize) {
        let mut search = RateSearch::new(500.0, 10_000.0, 0.01);
        let mut steps = 0;
        while let Some(step) = search.next_step() {
            steps += 1;
            let limit = if step.verifies { verified_limit } else { limit };
            let outcome = if step.rate <= limit {
                ObjectiveOutcome::Pass
            } else {
                ObjectiveOutcome::Undecided
            };
            search.tell(outcome, false);
        }
        (search.end().unwrap(), steps)
    }

    #[test]
    fn a_sharp_limit_is_found_to_a_percent() {
        let (end, steps) = search(9078.97, 9078.97);
        let SearchEnd::Found {
            rate,
            passed,
            broken_at,
        } = end
        else {
            panic!("{end:?}");
        };
        assert!(passed <= 9078.97 && 9078.97 < broken_at && broken_at / passed <= 1.01);
        assert!((rate - passed).abs() < 1e-9);
        assert_eq!(steps, 11);
    }

    #[test]
    fn steps_that_are_too_short_are_left_to_the_longer_run() {
        // Below 2,000 a second a step has too few events to be kept.
        let search = |verified: ObjectiveOutcome| {
            let mut search = RateSearch::new(500.0, 10_000.0, 0.01);
            while let Some(step) = search.next_step() {
                let is_short = step.rate < 2000.0;
                match step.verifies {
                    true => search.tell(verified, verified == ObjectiveOutcome::Undecided),
                    false if is_short => search.tell(ObjectiveOutcome::Undecided, true),
                    false if step.rate <= 1500.0 => search.tell(ObjectiveOutcome::Pass, false),
                    false => search.tell(ObjectiveOutcome::Fail, false),
                }
            }
            search.end().unwrap()
        };
        assert!(matches!(
            search(ObjectiveOutcome::Pass),
            SearchEnd::Found { .. }
        ));
        assert!(matches!(
            search(ObjectiveOutcome::Undecided),
            SearchEnd::TooShort { .. }
        ));
        assert!(matches!(
            search(ObjectiveOutcome::Fail),
            SearchEnd::Unconfirmed { .. }
        ));
    }

    #[test]
    fn what_is_never_kept_or_never_confirmed_is_said() {
        assert_eq!(
            search(100.0, 100.0),
            (SearchEnd::NeverKept { lowest: 500.0 }, 1)
        );
        assert!(matches!(
            search(9000.0, 1000.0).0,
            SearchEnd::Unconfirmed { .. }
        ));
    }
}

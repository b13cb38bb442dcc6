//! The rounds of a case: baseline, Fathom and the baseline again, in an order drawn for each.
//!
//! The second run of the baseline is the A/A series: the same ratio taken between two runs of the
//! same command, under the same conditions and as far apart as the real pairs are. What it strays
//! from 1 is noise, and no claim may be finer than that.

use anyhow::Result;
use serde::Serialize;

use crate::cases::Metric;
use crate::invocation::Invocation;
use crate::runner::{Run, Runner};
use crate::stats::SplitMix64;

/// A place in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum PairPlace {
    Baseline,
    Fathom,
    BaselineAgain,
}

/// Three runs that are compared with each other.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Round {
    /// The order in which they were run.
    pub(crate) order: [PairPlace; 3],
    pub(crate) baseline: Run,
    pub(crate) fathom: Run,
    pub(crate) baseline_again: Run,
}

impl Round {
    /// Run the three in `order`.
    pub(crate) fn run(
        runner: &Runner<'_>,
        baseline: &Invocation,
        fathom: &Invocation,
        order: [PairPlace; 3],
    ) -> Result<Self> {
        let mut runs = Vec::with_capacity(3);
        for place in order {
            let invocation = if place == PairPlace::Fathom {
                fathom
            } else {
                baseline
            };
            runs.push(runner.run(invocation)?);
        }
        let at = |wanted| {
            let index = order
                .iter()
                .position(|&place| place == wanted)
                .unwrap_or_default();
            runs[index].clone()
        };
        Ok(Self {
            order,
            baseline: at(PairPlace::Baseline),
            fathom: at(PairPlace::Fathom),
            baseline_again: at(PairPlace::BaselineAgain),
        })
    }

    /// How many times better Fathom did than the baseline.
    pub(crate) fn ratio(&self, metric: Metric) -> f64 {
        times_better(metric, &self.fathom, &self.baseline)
    }

    /// The same between the two runs of the baseline.
    pub(crate) fn ratio_aa(&self, metric: Metric) -> f64 {
        times_better(metric, &self.baseline_again, &self.baseline)
    }
}

fn times_better(metric: Metric, subject: &Run, baseline: &Run) -> f64 {
    match metric {
        Metric::Iops => subject.iops / baseline.iops,
        Metric::WallTime => baseline.wall_ns as f64 / subject.wall_ns as f64,
    }
}

/// The orders of the rounds, one after another, as the seed decides.
#[derive(Debug)]
pub(crate) struct Orders {
    random: SplitMix64,
}

impl Orders {
    pub(crate) fn new(seed: u64) -> Self {
        Self {
            random: SplitMix64::new(seed),
        }
    }

    pub(crate) fn next_order(&mut self) -> [PairPlace; 3] {
        let mut order = [
            PairPlace::Baseline,
            PairPlace::Fathom,
            PairPlace::BaselineAgain,
        ];
        self.random.shuffle(&mut order);
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(iops: f64, wall_ns: u64) -> Run {
        Run {
            iops,
            ios: 1,
            wall_ns,
            user_ns: 0,
            kernel_ns: 0,
            first_io_ns: None,
            date: None,
        }
    }

    #[test]
    fn ratios_are_within_the_round_and_above_one_when_fathom_is_better() {
        let round = Round {
            order: [
                PairPlace::Baseline,
                PairPlace::Fathom,
                PairPlace::BaselineAgain,
            ],
            baseline: run(100.0, 300),
            fathom: run(250.0, 10),
            baseline_again: run(80.0, 600),
        };
        let both = |ratio: fn(&Round, Metric) -> f64| {
            format!(
                "{} {}",
                ratio(&round, Metric::Iops),
                ratio(&round, Metric::WallTime)
            )
        };
        assert_eq!(both(Round::ratio), "2.5 30");
        assert_eq!(both(Round::ratio_aa), "0.8 0.5");
    }
}

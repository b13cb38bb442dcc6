//! The gate for regressions: it closes only for what is large, sure, and seen twice.

use crate::stats::{Shift, paired_shift};
use serde::Serialize;

/// p below which a batch fails.
const GATE_P: f64 = 0.01;

/// A gate for one number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Gate {
    /// Loss, as a share, from which it is a regression.
    pub theta: f64,
    /// Whether more of the number is better.
    pub more_is_better: bool,
}

/// One batch of pairs: how much worse the other side is, on the logarithmic scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Batch {
    /// The shift towards worse, and its interval with a confidence of 99 % at least.
    pub loss: Shift,
    /// Variation between runs of the base, as a share.
    pub noise: f64,
}

/// What the gate says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", tag = "outcome", content = "because")]
pub enum GateOutcome {
    /// A loss of `theta` can be excluded.
    Pass,
    /// Worse, and confirmed.
    Regression,
    /// Neither; with the reason.
    Undecided(String),
}

impl Gate {
    /// A batch from the logarithms of the values of pairs; `None` without pairs.
    pub fn batch(&self, base: &[f64], other: &[f64]) -> Option<Batch> {
        let towards_worse = if self.more_is_better { -1.0 } else { 1.0 };
        let pairs = base.iter().zip(other);
        let losses: Vec<f64> = pairs.map(|(a, b)| towards_worse * (b - a)).collect();
        Some(Batch {
            loss: paired_shift(&losses, GATE_P)?,
            noise: crate::stats::run_noise(base).unwrap_or(0.0),
        })
    }

    /// A loss as a share on the logarithmic scale of this number.
    fn log(&self, share: f64) -> f64 {
        if self.more_is_better {
            -(1.0 - share.min(0.99)).ln()
        } else {
            (1.0 + share).ln()
        }
    }

    /// The loss from which a batch fails: `theta`, and at least twice the noise.
    pub fn threshold(&self, batch: &Batch) -> f64 {
        self.theta.max(2.0 * batch.noise)
    }

    /// Whether a batch fails. Several numbers need no correction of p: a second batch has to fail
    /// in the same one, which by chance happens to one in 60,000 of them.
    /// It fails with its shift beyond the threshold, its bound beyond half of it, and sure.
    pub fn fails(&self, batch: &Batch) -> bool {
        let threshold = self.threshold(batch);
        batch.loss.estimate > self.log(threshold)
            && batch.loss.low > self.log(threshold / 2.0)
            && batch.loss.p < GATE_P
    }

    /// The outcome of one batch, and of a second one if the first fails. `sentinel` is how far,
    /// as a share, a load that does not touch the storage moved from one batch to the other.
    pub fn outcome(
        &self,
        first: &Batch,
        second: Option<&Batch>,
        sentinel: Option<f64>,
    ) -> GateOutcome {
        let percent = |share: f64| fathom_core::figure::percent(share * 100.0);
        if !self.fails(first) {
            return if first.loss.reaches(GATE_P) && first.loss.high < self.log(self.theta) {
                GateOutcome::Pass
            } else {
                let most = percent(first.loss.high.exp() - 1.0);
                GateOutcome::Undecided(format!("a loss of up to {most} cannot be excluded"))
            };
        }
        match (second, sentinel) {
            (None, _) => GateOutcome::Undecided("a second batch did not confirm it".into()),
            (Some(batch), _) if !self.fails(batch) => {
                GateOutcome::Undecided("a second batch did not confirm the loss".into())
            }
            (_, Some(moved)) if moved.abs() >= self.theta / 2.0 => {
                let moved = percent(moved.abs());
                GateOutcome::Undecided(format!(
                    "the machine changed: the null engine moved by {moved} during the test"
                ))
            }
            _ => GateOutcome::Regression,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GATE: Gate = Gate {
        theta: 0.05,
        more_is_better: true,
    };

    /// Eight pairs around a ratio, half a percent apart.
    fn batch(ratio: f64) -> Batch {
        let base: Vec<f64> = (0..8).map(|i| 0.0005 * f64::from(i % 3)).collect();
        let other: Vec<f64> = (0..8)
            .map(|i| ratio.ln() + 0.0005 * f64::from(i % 5))
            .collect();
        GATE.batch(&base, &other).expect("pairs")
    }

    #[test]
    fn a_loss_has_to_be_large_sure_and_seen_twice() {
        let undecided = |why: &str| GateOutcome::Undecided(why.to_owned());
        let cases = [
            (1.00, None, None, GateOutcome::Pass),
            (1.20, None, None, GateOutcome::Pass),
            (
                0.90,
                None,
                None,
                undecided("a second batch did not confirm it"),
            ),
            (0.90, Some(0.90), Some(0.001), GateOutcome::Regression),
            (
                0.90,
                Some(0.99),
                Some(0.001),
                undecided("a second batch did not confirm the loss"),
            ),
            (
                0.90,
                Some(0.90),
                Some(0.04),
                undecided("the machine changed: the null engine moved by 4.0 % during the test"),
            ),
        ];
        for (first, second, sentinel, expected) in cases {
            let second = second.map(batch);
            let found = GATE.outcome(&batch(first), second.as_ref(), sentinel);
            assert_eq!(found, expected, "{first} {second:?}");
        }
    }

    #[test]
    fn noise_raises_the_threshold() {
        let noisy = Batch {
            noise: 0.06,
            ..batch(0.90)
        };
        assert_eq!(GATE.threshold(&noisy).to_bits(), 0.12_f64.to_bits());
        assert!(!GATE.fails(&noisy));
        assert_eq!(
            GATE.outcome(&noisy, None, None),
            GateOutcome::Undecided("a loss of up to 11.2 % cannot be excluded".to_owned())
        );
    }
}

//! The verdicts, and when each is due.

use crate::stats::Shift;
use serde::Serialize;

/// What a comparison comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Better than the base.
    Faster,
    /// Worse than the base.
    Slower,
    /// No difference larger than the margin.
    Equivalent,
    /// None shown, and a large one can be excluded.
    NoEvidence,
    /// None shown, and none excluded.
    Inconclusive,
    /// The runs do not tell: too few events beyond a percentile, or too few intervals.
    CannotTell,
    /// More differs than the thing under test.
    NotComparable,
}

impl Verdict {
    /// Upper-case words for people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Faster => "FASTER",
            Self::Slower => "SLOWER",
            Self::Equivalent => "WITHIN MARGIN",
            Self::NoEvidence => "NO EVIDENCE",
            Self::Inconclusive => "INCONCLUSIVE",
            Self::CannotTell => "CANNOT TELL",
            Self::NotComparable => "NOT COMPARABLE",
        }
    }

    /// Whether more runs could not change it.
    pub const fn is_decided(self) -> bool {
        matches!(self, Self::Faster | Self::Slower | Self::Equivalent)
    }
}

/// How sure a verdict has to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Limits {
    /// Probability of seeing a difference where there is none, for all declared questions
    /// together (0 to 1).
    pub alpha: f64,
    /// Shift, as a share, below which a difference does not matter.
    pub margin: f64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            alpha: 0.05,
            margin: 0.02,
        }
    }
}

impl Limits {
    /// The verdict on a ratio: `outer` with the confidence `1 - alpha`, `inner` with
    /// `1 - 2 alpha` (the two one-sided tests of Schuirmann 1987), `p` corrected for the number
    /// of questions, and whether more is better. An interval of less confidence, as few runs give,
    /// excludes nothing.
    pub fn judge(self, outer: Shift, inner: Shift, p: f64, more_is_better: bool) -> Verdict {
        let has_no_one = outer.low > 1.0 || outer.high < 1.0;
        let width = outer.high - outer.low;
        let margins = (1.0 / (1.0 + self.margin), 1.0 + self.margin);
        // What does not matter is neither better nor worse, however surely it is there.
        if inner.reaches(2.0 * self.alpha) && inner.low >= margins.0 && inner.high <= margins.1 {
            Verdict::Equivalent
        } else if has_no_one && p < self.alpha {
            if (outer.estimate > 1.0) == more_is_better {
                Verdict::Faster
            } else {
                Verdict::Slower
            }
        } else if outer.reaches(self.alpha) && !has_no_one && width < 2.0 * self.margin {
            Verdict::NoEvidence
        } else {
            Verdict::Inconclusive
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shift(low: f64, high: f64) -> Shift {
        Shift {
            estimate: f64::midpoint(low, high),
            low,
            high,
            confidence: 0.95,
            p: 0.01,
        }
    }

    #[test]
    fn each_verdict_has_its_condition() {
        let limits = Limits::default();
        let cases = [
            ((1.033, 1.069), (1.035, 1.067), 0.008, true, Verdict::Faster),
            (
                (1.033, 1.069),
                (1.035, 1.067),
                0.008,
                false,
                Verdict::Slower,
            ),
            ((0.90, 0.95), (0.91, 0.94), 0.008, true, Verdict::Slower),
            // The interval excludes 1, but the question was one of many.
            (
                (1.033, 1.069),
                (1.035, 1.067),
                0.06,
                true,
                Verdict::Inconclusive,
            ),
            (
                (0.994, 1.011),
                (0.996, 1.010),
                0.5,
                true,
                Verdict::Equivalent,
            ),
            (
                (0.986, 1.022),
                (0.975, 1.020),
                0.5,
                true,
                Verdict::NoEvidence,
            ),
            ((0.94, 1.09), (0.95, 1.08), 0.5, true, Verdict::Inconclusive),
            // A difference that is there, and does not matter.
            (
                (1.001, 1.005),
                (1.001, 1.004),
                0.01,
                true,
                Verdict::Equivalent,
            ),
        ];
        for (outer, inner, p, more, verdict) in cases {
            let (outer, inner) = (shift(outer.0, outer.1), shift(inner.0, inner.1));
            assert_eq!(
                limits.judge(outer, inner, p, more),
                verdict,
                "{outer:?} {p}"
            );
        }
    }
}

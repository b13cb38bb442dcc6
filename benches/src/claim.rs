//! What may be claimed: a stated goal against an interval.

use std::fmt;

use serde::Serialize;

use crate::stats::Estimate;

/// Below this many rounds a 95 % interval of a median does not exist: with five, the widest one
/// (smallest to largest value) covers 1 - 2/2^5 = 93.75 %.
const ROUNDS_MIN: usize = 6;

/// Whether the measurement supports a goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Support {
    /// The whole interval is on the good side of the goal.
    Yes,
    /// The whole interval is on the bad side.
    No,
    /// The interval straddles the goal, or there are too few rounds for an interval.
    CannotTell,
}

impl Support {
    /// The goal is to reach `goal` or more.
    pub(crate) fn of_at_least(goal: f64, estimate: Option<Estimate>, rounds: usize) -> Self {
        match estimate {
            Some(e) if rounds >= ROUNDS_MIN && e.low >= goal => Self::Yes,
            Some(e) if rounds >= ROUNDS_MIN && e.high < goal => Self::No,
            _ => Self::CannotTell,
        }
    }

    /// The goal is to stay at `goal` or below.
    pub(crate) fn of_at_most(goal: f64, estimate: Option<Estimate>, rounds: usize) -> Self {
        match estimate {
            Some(e) if rounds >= ROUNDS_MIN && e.high <= goal => Self::Yes,
            Some(e) if rounds >= ROUNDS_MIN && e.low > goal => Self::No,
            _ => Self::CannotTell,
        }
    }
}

impl fmt::Display for Support {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::CannotTell => "cannot tell",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(low: f64, high: f64) -> Estimate {
        Estimate {
            median: f64::midpoint(low, high),
            low,
            high,
        }
    }

    #[test]
    fn at_least_follows_the_interval() {
        let cases = [
            (Some(estimate(1.3, 1.5)), 15, "yes"),
            (Some(estimate(1.31, 1.5)), 6, "yes"),
            (Some(estimate(1.2, 1.4)), 15, "cannot tell"),
            (Some(estimate(1.2, 1.3)), 15, "cannot tell"),
            (Some(estimate(1.0, 1.29)), 15, "no"),
            (Some(estimate(2.0, 2.0)), 5, "cannot tell"),
            (Some(estimate(0.1, 0.1)), 5, "cannot tell"),
            (None, 0, "cannot tell"),
        ];
        for (interval, rounds, said) in cases {
            let support = Support::of_at_least(1.3, interval, rounds);
            assert_eq!(support.to_string(), said, "{interval:?} of {rounds}");
        }
    }

    #[test]
    fn at_most_follows_the_interval() {
        let cases = [
            (Some(estimate(80.0, 100.0)), 15, "yes"),
            (Some(estimate(90.0, 101.0)), 15, "cannot tell"),
            (Some(estimate(100.0, 120.0)), 15, "cannot tell"),
            (Some(estimate(100.5, 120.0)), 15, "no"),
            (Some(estimate(1.0, 1.0)), 5, "cannot tell"),
            (None, 15, "cannot tell"),
        ];
        for (interval, rounds, said) in cases {
            let support = Support::of_at_most(100.0, interval, rounds);
            assert_eq!(support.to_string(), said, "{interval:?} of {rounds}");
        }
    }
}

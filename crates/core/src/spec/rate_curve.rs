//! How the rate of an open load changes in the course of its time.

use crate::figure;
use crate::units::Nanos;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Relative rates of successive intervals, from the start of the job; after the last one the curve
/// starts again. The rate of the job is the mean over the curve.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct RateCurve {
    /// Length of each interval.
    pub every: Nanos,
    /// Relative rate of each interval; 0 for none.
    pub levels: Vec<u32>,
}

impl RateCurve {
    /// Rates over the mean rate.
    pub fn factors(&self) -> Vec<f64> {
        let sum: f64 = self.levels.iter().map(|level| f64::from(*level)).sum();
        let mean = sum / self.levels.len() as f64;
        let each = self.levels.iter().map(|level| f64::from(*level) / mean);
        each.collect()
    }

    /// The mean rate between two instants after the start of the job, over the mean of the curve.
    pub fn mean_between(&self, from: Nanos, to: Nanos) -> f64 {
        let factors = self.factors();
        let every = self.every.0.max(1) as f64;
        // Seconds at the mean rate from the start to an instant.
        let until = |at: Nanos| {
            let intervals = at.0 as f64 / every;
            let whole = intervals.floor();
            let position = whole as usize % factors.len();
            let loops = (whole / factors.len() as f64).floor() * factors.len() as f64;
            loops + factors[..position].iter().sum::<f64>() + intervals.fract() * factors[position]
        };
        let length = to.saturating_sub(from).0 as f64 / every;
        if length > 0.0 {
            (until(to) - until(from)) / length
        } else {
            1.0
        }
    }
}

/// As in `changing from 20.0 % to 180.0 % of the mean every 1 min`.
impl fmt::Display for RateCurve {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let factors = self.factors();
        let least = factors.iter().copied().fold(f64::INFINITY, f64::min);
        let most = factors.iter().copied().fold(0.0, f64::max);
        write!(
            f,
            "changing from {} to {} of the mean every {}",
            figure::percent(least * 100.0),
            figure::percent(most * 100.0),
            figure::duration(self.every.0)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mean_of_whole_loops_is_that_of_the_job() {
        let curve = RateCurve {
            every: Nanos::from_secs(2),
            levels: vec![0, 100, 300, 200],
        };
        let means = [(0, 8), (8, 24), (3, 11), (0, 2), (2, 4), (4, 5), (7, 9)];
        let means = means
            .map(|(from, to)| curve.mean_between(Nanos::from_secs(from), Nanos::from_secs(to)));
        let thousandths = means.map(|mean| (mean * 1e3).round() as u32);
        assert_eq!(thousandths, [1000, 1000, 1000, 0, 667, 2000, 667]);
    }
}

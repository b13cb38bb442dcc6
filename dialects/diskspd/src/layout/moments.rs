//! Count, mean and deviation of values that are known only in parts.

use fathom_core::summary::{LatencySummary, Spread};

/// Number, mean and population standard deviation of some latencies, nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Moments {
    pub(super) count: u64,
    pub(super) mean: f64,
    pub(super) stddev: f64,
    pub(super) min: f64,
    pub(super) max: f64,
}

impl Moments {
    pub(super) fn of_summary(summary: &LatencySummary) -> Self {
        Self {
            count: summary.count,
            mean: summary.mean,
            stddev: summary.stddev,
            min: summary.min as f64,
            max: summary.max as f64,
        }
    }

    pub(super) const fn of_spread(spread: &Spread) -> Self {
        Self {
            count: spread.count,
            mean: spread.mean,
            stddev: spread.stddev,
            min: spread.min,
            max: spread.max,
        }
    }

    /// Those of both together.
    #[must_use]
    pub(super) fn and(self, other: Self) -> Self {
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (a, b) = (self.count as f64, other.count as f64);
        let mean = (self.mean * a + other.mean * b) / (a + b);
        // The variance about the common mean, so that large means cancel nothing out.
        let about = |part: &Self| part.stddev.powi(2) + (part.mean - mean).powi(2);
        let variance = (about(&self) * a + about(&other) * b) / (a + b);
        Self {
            count: self.count + other.count,
            mean,
            stddev: variance.sqrt(),
            min: self.min.min(other.min),
            max: self.max.max(other.max),
        }
    }

    pub(super) fn mean_ms(&self) -> f64 {
        self.mean / 1e6
    }

    pub(super) fn stddev_ms(&self) -> f64 {
        self.stddev / 1e6
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_to_the_whole() {
        let of = |values: &[f64]| Moments::of_spread(&Spread::of(values));
        let both = of(&[2.0, 4.0, 4.0, 4.0]).and(of(&[5.0, 5.0, 7.0, 9.0]));
        let whole = of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(both, whole);
        assert_eq!(of(&[]).and(whole), whole);
        assert_eq!(whole.and(of(&[])), whole);
    }
}

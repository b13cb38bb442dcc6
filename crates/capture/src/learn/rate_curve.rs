//! How the rate of an open load changes over the trace.

use fathom_core::Nanos;
use fathom_core::spec::RateCurve;

/// Intervals of a curve, and their shortest length.
const INTERVALS: (u64, u64) = (60, 1_000_000_000);
/// Fewer intervals show no curve.
const LEAST_INTERVALS: usize = 6;
/// The index of dispersion of the intervals is farther from what bursts alone would have by this
/// factor, and by this number of deviations.
const BEYOND: (f64, f64) = (2.0, 4.0);
/// Level of the mean rate.
const MEAN_LEVEL: f64 = 100.0;

/// Counts of requests in equal intervals of the whole trace.
#[derive(Clone, Debug)]
pub(super) struct Course {
    every_ns: u64,
    counts: Vec<u64>,
}

impl Course {
    /// Of a trace of this length.
    pub(super) fn new(length_ns: u64) -> Self {
        let intervals = (length_ns / INTERVALS.1).clamp(1, INTERVALS.0);
        // Whole milliseconds.
        let every_ns = length_ns.div_ceil(intervals).div_ceil(1_000_000).max(1) * 1_000_000;
        Self {
            every_ns,
            counts: vec![0; intervals as usize],
        }
    }

    pub(super) fn add(&mut self, at_ns: u64) {
        let interval = usize::try_from(at_ns / self.every_ns).unwrap_or(usize::MAX);
        let last = self.counts.len() - 1;
        self.counts[interval.min(last)] += 1;
    }

    /// Seconds of an interval.
    pub(super) const fn every_s(&self) -> f64 {
        self.every_ns as f64 / 1e9
    }

    /// The curve, if the counts differ more than those of a load with this index of dispersion in
    /// intervals of this length.
    pub(super) fn curve(&self, expected: f64) -> Option<RateCurve> {
        let intervals = self.counts.len();
        let sum: u64 = self.counts.iter().sum();
        if intervals < LEAST_INTERVALS || sum == 0 {
            return None;
        }
        let mean = sum as f64 / intervals as f64;
        let squares = self.counts.iter();
        let squares = squares.map(|count| (*count as f64 - mean).powi(2));
        let index = squares.sum::<f64>() / (intervals - 1) as f64 / mean;
        let chance = 1.0 + BEYOND.1 * (2.0 / (intervals - 1) as f64).sqrt();
        if index <= expected.max(1.0) * chance.max(BEYOND.0) {
            return None;
        }
        let level = |count: &u64| (*count as f64 / mean * MEAN_LEVEL).round() as u32;
        Some(RateCurve {
            every: Nanos(self.every_ns),
            levels: self.counts.iter().map(level).collect(),
        })
    }
}

/// An index of dispersion in intervals of `interval_s`, shorter than those of the curve, without
/// what the curve adds.
///
/// The index is 1 + n `v` at a mean of n arrivals and a relative variance `v` of the rate. If
/// curve and bursts are independent, 1 + `v` is the product of theirs.
pub(super) fn without(curve: &RateCurve, index: f64, iops: f64, interval_s: f64) -> f64 {
    let factors = curve.factors();
    let squares = factors.iter().map(|factor| factor * factor);
    let own = squares.sum::<f64>() / factors.len() as f64;
    let arrivals = iops * interval_s;
    let variance = (1.0 + (index - 1.0) / arrivals) / own - 1.0;
    1.0 + arrivals * variance.max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LENGTH_NS: u64 = 12_000_000_000;

    fn curve(counts: &[u64], expected: f64) -> Option<Vec<u32>> {
        let mut course = Course::new(LENGTH_NS);
        for (second, count) in (0..).zip(counts) {
            for number in 0..*count {
                course.add(second * 1_000_000_000 + number);
            }
        }
        course.curve(expected).map(|curve| curve.levels)
    }

    #[test]
    fn a_rate_that_rises_and_falls_has_its_levels() {
        let counts = [0, 0, 50, 100, 200, 200, 200, 200, 150, 100, 0, 0];
        let levels = vec![0, 0, 50, 100, 200, 200, 200, 200, 150, 100, 0, 0];
        assert_eq!(curve(&counts, 1.0), Some(levels));
        // Bursts alone would differ as much.
        assert_eq!(curve(&counts, 30.0), None);
    }

    #[test]
    fn chance_is_no_curve() {
        let counts = [100, 90, 110, 105, 95, 100, 112, 88, 100, 97, 103, 100];
        assert_eq!(curve(&counts, 1.0), None);
        assert_eq!(curve(&[0; 12], 1.0), None);
        assert_eq!(Course::new(3_000_000_000).curve(1.0), None);
    }
}

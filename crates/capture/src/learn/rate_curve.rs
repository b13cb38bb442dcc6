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
/// Least standard deviation of the counts, as a share of their mean.
const LEAST_VARIATION: f64 = 0.1;
/// Level of the mean rate.
const MEAN_LEVEL: f64 = 100.0;

/// Counts of requests in equal intervals of the whole trace.
#[derive(Clone, Debug)]
pub(super) struct IntervalCounts {
    length_ns: u64,
    every_ns: u64,
    counts: Vec<u64>,
}

impl IntervalCounts {
    /// Of a trace of this length.
    pub(super) fn new(length_ns: u64) -> Self {
        let intervals = (length_ns / INTERVALS.1).clamp(1, INTERVALS.0);
        // Whole milliseconds.
        let every_ns = length_ns.div_ceil(intervals).div_ceil(1_000_000).max(1) * 1_000_000;
        Self {
            length_ns: length_ns.max(1),
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
    /// intervals of this length. Its intervals are a multiple of `step_ns`: each has as many bursts
    /// by the clock.
    pub(super) fn curve(&self, expected: f64, step_ns: u64) -> Option<RateCurve> {
        let intervals = self.counts.len();
        let sum: u64 = self.counts.iter().sum();
        if intervals < LEAST_INTERVALS || sum == 0 {
            return None;
        }
        let counts: Vec<f64> = self.counts.iter().map(|count| *count as f64).collect();
        let mean = sum as f64 / intervals as f64;
        let squares = counts.iter().map(|count| (count - mean).powi(2));
        let variance = squares.sum::<f64>() / (intervals - 1) as f64;
        let chance = 1.0 + BEYOND.1 * (2.0 / (intervals - 1) as f64).sqrt();
        let is_chance = variance / mean <= expected.max(1.0) * chance.max(BEYOND.0);
        if is_chance || variance.sqrt() < LEAST_VARIATION * mean {
            return None;
        }
        let every_ns = self.every_ns.next_multiple_of(step_ns.max(1));
        let levels = self.levels(every_ns);
        (levels.len() >= LEAST_INTERVALS).then_some(RateCurve {
            every: Nanos(every_ns),
            levels,
        })
    }

    /// Levels of intervals of another length. Within one that was counted the rate is taken as
    /// constant, and the last one of the trace may be short.
    fn levels(&self, every_ns: u64) -> Vec<u32> {
        let until = |at_ns: u64| -> f64 {
            let at_ns = at_ns.min(self.length_ns);
            let whole = (at_ns / self.every_ns) as usize;
            let before: u64 = self.counts.iter().take(whole).sum();
            let last_ns = self
                .every_ns
                .min(self.length_ns - whole as u64 * self.every_ns);
            let part = (at_ns % self.every_ns) as f64 / last_ns.max(1) as f64;
            before as f64 + part * self.counts.get(whole).map_or(0.0, |count| *count as f64)
        };
        let mean = until(self.length_ns) / self.length_ns as f64;
        let starts = (0..self.length_ns.div_ceil(every_ns)).map(|number| number * every_ns);
        let level = |start: u64| {
            let end = (start + every_ns).min(self.length_ns);
            let rate = (until(end) - until(start)) / (end - start).max(1) as f64;
            (rate / mean * MEAN_LEVEL).round() as u32
        };
        starts.map(level).collect()
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
        let mut course = IntervalCounts::new(LENGTH_NS);
        for (second, count) in (0..).zip(counts) {
            for number in 0..*count {
                course.add(second * 1_000_000_000 + number);
            }
        }
        course.curve(expected, 1).map(|curve| curve.levels)
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
    fn intervals_hold_whole_periods_and_the_last_one_may_be_short() {
        let mut course = IntervalCounts::new(11_500_000_000);
        for number in 0..11_500 {
            let at_ns = number * 1_000_000;
            if number % 4000 < 2000 {
                course.add(at_ns);
            }
        }
        let curve = course.curve(1.0, 700_000_000).expect("a curve");
        assert_eq!(curve.every, Nanos(1_400_000_000));
        assert_eq!(curve.levels.len(), 9);
        assert_eq!(curve.levels[0], 187);
    }

    #[test]
    fn chance_is_no_curve() {
        let counts = [100, 90, 110, 105, 95, 100, 112, 88, 100, 97, 103, 100];
        assert_eq!(curve(&counts, 1.0), None);
        assert_eq!(curve(&[0; 12], 1.0), None);
        // Certain, and hardly a change.
        let near = [10_000, 9500, 10_500, 9500, 10_500, 9500].repeat(2);
        assert_eq!(curve(&near, 1.0), None);
        assert_eq!(IntervalCounts::new(3_000_000_000).curve(1.0, 1), None);
    }
}

//! A token bucket seen from outside: a burst, a cliff, a baseline.
//!
//! While tokens last a load runs at the burst rate `B`; then at the rate `F` at which the bucket
//! is filled. The tokens used are what was done above `F`, wherever exactly the cliff is put.

use super::segments::{level_shifts, segments};
use super::spread::median;

/// Least ratio of burst to baseline.
const LEAST_RATIO: f64 = 1.2;
/// Fewest points of each plateau.
const FEWEST_POINTS: usize = 5;
/// Largest coefficient of variation of each plateau.
const STEADY: f64 = 0.03;
/// Longest transition between both, in points.
const TRANSITION: usize = 2;

/// A bucket that fits a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BucketFit {
    /// Rate while tokens lasted, in the unit of the series.
    pub burst: f64,
    /// Rate afterwards: that at which the bucket fills.
    pub baseline: f64,
    /// Tokens that were used: a lower bound of the capacity, because the bucket may not have been
    /// full at the start.
    pub capacity: f64,
    /// Seconds from the begin of the series to the cliff.
    pub cliff_s: f64,
    /// Seconds that an empty bucket takes to fill while nothing is asked of it.
    pub refill_s: f64,
    /// Position of the first value of the baseline.
    pub baseline_from: usize,
}

impl BucketFit {
    /// Seconds at the burst rate that `idle_s` of rest buy.
    pub fn burst_after_s(&self, idle_s: f64) -> f64 {
        let tokens = (self.baseline * idle_s).min(self.capacity);
        tokens / (self.burst - self.baseline)
    }
}

/// The bucket that explains a series of rates in intervals of `interval_s`, if one does.
pub fn fit_bucket(series: &[f64], interval_s: f64) -> Option<BucketFit> {
    let shifts = level_shifts(series);
    let parts = segments(series.len(), &shifts);
    let (first, last) = (parts.first()?, parts.last()?);
    if parts.len() < 2 || last.0 - first.1 > TRANSITION {
        return None;
    }
    // A value half-way between both belongs to the transition, not to a plateau.
    let (burst_part, baseline_part) = (&series[first.0..first.1], &series[last.0..last.1]);
    let (burst, baseline) = (median(burst_part), median(baseline_part));
    let burst_part = without_edge(burst_part, burst, true);
    let baseline_part = without_edge(baseline_part, baseline, false);
    let is_plateau = |part: &[f64]| part.len() >= FEWEST_POINTS && variation(part) <= STEADY;
    if baseline <= 0.0
        || burst / baseline < LEAST_RATIO
        || !is_plateau(burst_part)
        || !is_plateau(baseline_part)
    {
        return None;
    }
    // A segment has two points at least, so the transition may have taken one of the baseline.
    let near = |value: f64| (value / baseline - 1.0).abs() <= 5.0 * STEADY;
    let mut baseline_from = series.len() - baseline_part.len();
    while baseline_from > first.1 && near(series[baseline_from - 1]) {
        baseline_from -= 1;
    }
    let capacity: f64 = series[..baseline_from]
        .iter()
        .map(|rate| (rate - baseline) * interval_s)
        .sum();
    Some(BucketFit {
        burst,
        baseline,
        capacity,
        cliff_s: capacity / (burst - baseline),
        refill_s: capacity / baseline,
        baseline_from,
    })
}

/// A plateau without a value of the transition at its end (or begin).
fn without_edge(part: &[f64], level: f64, at_end: bool) -> &[f64] {
    let is_off = |value: f64| (value / level - 1.0).abs() > 5.0 * STEADY;
    let mut part = part;
    for _ in 0..TRANSITION {
        let trimmed = match (at_end, part) {
            (true, [rest @ .., edge]) if is_off(*edge) => rest,
            (false, [edge, rest @ ..]) if is_off(*edge) => rest,
            _ => part,
        };
        part = trimmed;
    }
    part
}

fn variation(part: &[f64]) -> f64 {
    let mean = part.iter().sum::<f64>() / part.len() as f64;
    let squares: f64 = part.iter().map(|value| (value - mean).powi(2)).sum();
    (squares / part.len() as f64).sqrt() / mean
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_core::{Rng as _, SeedableRng as _};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn near(value: f64, expected: f64, relative: f64) {
        assert!(
            (value / expected - 1.0).abs() <= relative,
            "{value} is not {expected}"
        );
    }

    fn series() -> Vec<f64> {
        let mut series = vec![3000.0; 7];
        series.push(1400.0);
        series.extend([300.0; 6]);
        series
    }

    #[test]
    fn the_worked_example_comes_back_exactly() {
        let fit = fit_bucket(&series(), 5.0).expect("a bucket");
        near(fit.burst, 3000.0, 1e-12);
        near(fit.baseline, 300.0, 1e-12);
        near(fit.capacity, 100_000.0, 1e-12);
        near(fit.cliff_s, 100_000.0 / 2700.0, 1e-12);
        near(fit.refill_s, 100_000.0 / 300.0, 1e-12);
        assert_eq!(fit.baseline_from, 8);
        near(fit.burst_after_s(27.0), 3.0, 1e-12);
    }

    #[test]
    fn two_percent_of_noise_move_it_by_less_than_five() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for _ in 0..200 {
            // The sum of twelve uniform numbers is as good as normal here.
            let mut normal = || {
                let sum: f64 = (0..12)
                    .map(|_| (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64)
                    .sum();
                sum - 6.0
            };
            let noisy: Vec<f64> = series()
                .iter()
                .map(|rate| rate * (1.0 + 0.02 * normal()))
                .collect();
            let Some(fit) = fit_bucket(&noisy, 5.0) else {
                // A plateau of six may scatter by more than three percent.
                continue;
            };
            near(fit.burst, 3000.0, 0.05);
            near(fit.baseline, 300.0, 0.05);
            near(fit.capacity, 100_000.0, 0.05);
        }
    }

    #[test]
    fn what_is_no_bucket_is_none() {
        let steady = vec![1000.0; 30];
        let falling: Vec<f64> = (0..30)
            .map(|step| 3000.0 - 90.0 * f64::from(step))
            .collect();
        let rising: Vec<f64> = [vec![300.0; 10], vec![3000.0; 10]].concat();
        for series in [steady, falling, rising] {
            assert_eq!(fit_bucket(&series, 1.0), None);
        }
    }
}

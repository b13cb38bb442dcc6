//! The circular block bootstrap of a mean, exact instead of sampled.
//!
//! Resampling whole blocks keeps the correlation within them (Künsch 1989; Politis and Romano
//! 1992 for the circle). The variance of the mean over all possible resamples has a closed form,
//! so that there is neither a seed nor a number of replicates to choose.

use super::autocorrelation::{block_length, cautious_r1, effective_size};

/// Standard error of the mean of `series` by all circular blocks of `block` values: the root of
/// `block / n` times the mean squared deviation of the block means. 0 without values.
pub fn block_standard_error(series: &[f64], block: usize) -> f64 {
    let n = series.len();
    if n == 0 {
        return 0.0;
    }
    let block = block.clamp(1, n);
    let mean = series.iter().sum::<f64>() / n as f64;
    let mut sum: f64 = series[..block].iter().map(|value| value - mean).sum();
    let mut squares = 0.0;
    for start in 0..n {
        squares += (sum / block as f64).powi(2);
        sum += series[(start + block) % n] - series[start];
    }
    (block as f64 / n as f64 * squares / n as f64).sqrt()
}

/// The mean of a series of intervals, and how well the run knows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeriesMean {
    /// Number of values.
    pub count: usize,
    /// Mean, in the unit of the series.
    pub mean: f64,
    /// Standard error as if all values were independent, in the unit of the series.
    pub naive_error: f64,
    /// Standard error with their correlation, in the unit of the series.
    pub error: f64,
    /// Number of independent values that tell as much.
    pub effective_size: f64,
}

/// Ratio of the two standard errors from which a report says that intervals are correlated.
pub const CORRELATED_RATIO: f64 = 1.5;

impl SeriesMean {
    /// Measures a series; `None` with fewer than four values, for they show no correlation.
    ///
    /// The error is the larger of two: that of the circular block bootstrap, which sees any form
    /// of correlation but misses what goes beyond a block, and that of the effective size, which
    /// does not. A separate simulation of two series of 60 of one kind (autoregressive, r1 0 to
    /// 0.7) saw a difference in 11 % of 3,000 trials with the first alone, and in 3.5 % of 6,000
    /// with the larger.
    pub fn of(series: &[f64]) -> Option<Self> {
        let count = series.len();
        if count < 4 {
            return None;
        }
        let n = count as f64;
        let mean = series.iter().sum::<f64>() / n;
        let squares: f64 = series.iter().map(|value| (value - mean).powi(2)).sum();
        let deviation = (squares / (n - 1.0)).sqrt();
        let effective = effective_size(count, cautious_r1(series)).clamp(1.0, n);
        let blocks = block_standard_error(series, block_length(series));
        Some(Self {
            count,
            mean,
            naive_error: deviation / n.sqrt(),
            error: blocks.max(deviation / effective.sqrt()),
            effective_size: effective,
        })
    }

    /// Whether an error bar from independent intervals would be too small by a factor worth
    /// saying.
    pub fn is_correlated(&self) -> bool {
        self.error > CORRELATED_RATIO * self.naive_error
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is compared is exact or rounded")]
mod tests {
    use super::super::autocorrelation::tests::KNOWN;
    use super::*;

    #[test]
    fn the_known_answers_hold() {
        let errors = [1, 2, 3, 4].map(|block| block_standard_error(&KNOWN, block));
        let rounded = errors.map(|error| (error * 1e6).round() / 1e6);
        assert_eq!(rounded, [0.606_199, 0.794_221, 0.882_245, 0.909_696]);
        let found = SeriesMean::of(&KNOWN).expect("twelve values");
        assert_eq!(
            (
                (found.mean * 1e4).round(),
                (found.naive_error * 1e4).round()
            ),
            (1_005_833.0, 6332.0)
        );
        // With the plain r1 the effective size gives 1.6101.
        let plain = effective_size(12, super::super::autocorrelation(&KNOWN, 1));
        let error = found.naive_error * 12_f64.sqrt() / plain.sqrt();
        assert_eq!((error * 1e4).round() / 1e4, 1.6101);
        assert!(found.error > error && found.is_correlated());
    }

    #[test]
    fn a_constant_series_has_no_error() {
        let found = SeriesMean::of(&[5.0; 10]).expect("ten values");
        assert_eq!((found.mean, found.error), (5.0, 0.0));
        assert!(!found.is_correlated());
        assert_eq!(SeriesMean::of(&[1.0, 2.0, 3.0]), None);
        assert_eq!(block_standard_error(&[], 3), 0.0);
    }
}

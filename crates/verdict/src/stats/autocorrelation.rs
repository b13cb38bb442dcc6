//! How much a series tells when its values lean on their neighbours.
//!
//! Intervals of one run are not independent: a cache that fills or a neighbour that comes and
//! goes moves several in a row. Their number then says more than they know.

/// Correlation of the series with itself `lag` values later: the sum of products of deviations
/// over the sum of their squares. 0 for a constant series and for lags beyond its length.
pub fn autocorrelation(series: &[f64], lag: usize) -> f64 {
    let mean = mean(series);
    let squares: f64 = series.iter().map(|value| (value - mean).powi(2)).sum();
    if squares <= 0.0 || lag >= series.len() {
        return 0.0;
    }
    let later = series.iter().skip(lag);
    let products: f64 = later
        .zip(series)
        .map(|(one, other)| (one - mean) * (other - mean))
        .sum();
    products / squares
}

/// The sum of squared steps over the sum of squared deviations (von Neumann 1941): near 2 for
/// independent values, smaller when neighbours are alike. 2 for a constant series.
pub fn von_neumann_ratio(series: &[f64]) -> f64 {
    let mean = mean(series);
    let squares: f64 = series.iter().map(|value| (value - mean).powi(2)).sum();
    if squares <= 0.0 {
        return 2.0;
    }
    let steps: f64 = series.windows(2).map(|two| (two[1] - two[0]).powi(2)).sum();
    steps / squares
}

/// Number of independent values that tell as much about the mean as `n` with the lag-1
/// correlation `r1`: `n (1 - r1) / (1 + r1)`, exact for a first-order autoregressive series.
pub fn effective_size(n: usize, r1: f64) -> f64 {
    n as f64 * (1.0 - r1) / (1.0 + r1)
}

/// The lag-1 correlation without the pull towards zero that a short series gives it,
/// `(1 + 4 r1) / n` (Kendall 1954, Marriott and Pope 1954), and with half a standard error on
/// top, for an error bar that is too small misleads and one that is too large does not. Between
/// 0 and 0.99: values that repel each other are taken as independent.
pub(super) fn cautious_r1(series: &[f64]) -> f64 {
    let n = series.len() as f64;
    let r1 = autocorrelation(series, 1);
    let unbiased = (r1 + (1.0 + 4.0 * r1) / n).clamp(0.0, 0.99);
    let error = ((1.0 - unbiased * unbiased) / n).sqrt();
    (unbiased + error / 2.0).clamp(0.0, 0.99)
}

/// Length of a block that keeps what is correlated together:
/// `min(n / 4, max(n^(1/3), first lag whose autocorrelation is below 2 / sqrt(n)))`, at least 1.
pub fn block_length(series: &[f64]) -> usize {
    let n = series.len();
    let noise = 2.0 / (n as f64).sqrt();
    let independent = (1..n).find(|lag| autocorrelation(series, *lag) < noise);
    let least = (n as f64).cbrt().ceil() as usize;
    least.max(independent.unwrap_or(n)).min(n / 4).max(1)
}

fn mean(series: &[f64]) -> f64 {
    series.iter().sum::<f64>() / series.len().max(1) as f64
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is compared is exact or rounded")]
pub(super) mod tests {
    use super::*;

    pub(in crate::stats) const KNOWN: [f64; 12] = [
        100.0, 101.0, 103.0, 104.0, 103.0, 101.0, 100.0, 98.0, 97.0, 98.0, 100.0, 102.0,
    ];

    #[test]
    fn the_known_answers_hold() {
        let round = |value: f64| (value * 1e5).round() / 1e5;
        let found = [
            autocorrelation(&KNOWN, 1),
            autocorrelation(&KNOWN, 2),
            von_neumann_ratio(&KNOWN),
            effective_size(12, autocorrelation(&KNOWN, 1)),
        ];
        assert_eq!(found.map(round), [0.73215, 0.22651, 0.49134, 1.8556]);
    }

    #[test]
    fn a_block_holds_what_is_correlated_and_a_quarter_at_most() {
        // r1 is above 2 / sqrt(12) = 0.577 and r2 below: 2; the cube root of 12 asks for 3.
        assert_eq!(block_length(&KNOWN), 3);
        let level = [[1.0; 32], [9.0; 32]].concat();
        assert_eq!(block_length(&level), 16);
        assert_eq!(block_length(&[1.0, 2.0]), 1);
    }

    #[test]
    fn a_constant_series_has_no_correlation() {
        let constant = [3.0; 8];
        assert_eq!(
            [
                autocorrelation(&constant, 1),
                von_neumann_ratio(&constant),
                autocorrelation(&[], 1)
            ],
            [0.0, 2.0, 0.0]
        );
    }
}

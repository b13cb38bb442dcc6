//! Confidence intervals of quantiles by ranks: no distribution is assumed.

use statrs::distribution::{Binomial, DiscreteCDF as _};

/// Ranks (1-based) between which a quantile lies; `None` where the sample has no such value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RankInterval {
    /// Rank of the lower bound; `None` below the smallest value.
    pub low: Option<u64>,
    /// Rank of the upper bound; `None` beyond the largest value.
    pub high: Option<u64>,
}

/// Samples up to this size get ranks from the binomial distribution itself, larger ones from the
/// normal one; at 1,000 both agree in all usual percentiles.
const EXACT_UP_TO: u64 = 1000;

/// 97.5 % of the standard normal distribution lie below it.
const Z_95: f64 = 1.959_963_984_540_054;

/// The ranks that cover the quantile (0 to 1) of `n` independent values with at least 95 %: by
/// the binomial distribution, for large `n` `n q -/+ 1.96 sqrt(n q (1 - q))` rounded outwards.
pub fn quantile_ranks(n: u64, quantile: f64) -> RankInterval {
    if n > EXACT_UP_TO {
        let expected = n as f64 * quantile;
        return rank_interval(n, quantile, Z_95 * (expected * (1.0 - quantile)).sqrt());
    }
    let Ok(binomial) = Binomial::new(quantile, n) else {
        return RankInterval {
            low: None,
            high: None,
        };
    };
    // The value of rank l is above the quantile when fewer than l values are below it.
    let low = (1..=n)
        .take_while(|rank| binomial.cdf(rank - 1) <= 0.025)
        .last();
    let high = (1..=n).find(|rank| binomial.cdf(rank - 1) >= 0.975);
    RankInterval { low, high }
}

/// The ranks from `n q - margin` to `n q + margin`, rounded outwards.
pub fn rank_interval(n: u64, quantile: f64, margin: f64) -> RankInterval {
    let expected = n as f64 * quantile;
    let low = (expected - margin).floor();
    let high = (expected + margin).ceil();
    RankInterval {
        low: (low >= 1.0).then_some(low as u64),
        high: (high <= n as f64).then_some(high as u64),
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is compared is exact or rounded")]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_hold() {
        let cases = [
            (20, 0.5, Some(6), Some(15)),
            (30, 0.5, Some(10), Some(21)),
            (100, 0.5, Some(40), Some(61)),
            (1000, 0.99, Some(983), Some(997)),
            (10_000, 0.99, Some(9880), Some(9920)),
            (10_000, 0.999, Some(9983), Some(9997)),
            (234_408, 0.999, Some(234_143), Some(234_204)),
            (234_408, 0.9999, Some(234_375), Some(234_395)),
            (234_408, 0.99999, Some(234_402), None),
            (1_000_000, 0.9999, Some(999_880), Some(999_920)),
            (5, 0.5, None, None),
            (6, 0.5, Some(1), Some(6)),
        ];
        for (n, quantile, low, high) in cases {
            let found = quantile_ranks(n, quantile);
            assert_eq!(found, RankInterval { low, high }, "{n} at {quantile}");
        }
    }

    #[test]
    fn the_median_of_a_hundred_is_covered_as_published() {
        let binomial = Binomial::new(0.5, 100).expect("a distribution");
        let coverage = binomial.cdf(60) - binomial.cdf(39);
        assert_eq!((coverage * 1e4).round() / 1e4, 0.9648);
    }
}

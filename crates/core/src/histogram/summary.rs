//! What is said of a distribution, and how many nines of it may be said.

use super::Histogram;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Percentiles that a summary may hold, in percent as text and as a share.
pub const PERCENTILES: [(&str, f64); 10] = [
    ("25", 0.25),
    ("50", 0.5),
    ("75", 0.75),
    ("90", 0.9),
    ("95", 0.95),
    ("99", 0.99),
    ("99.9", 0.999),
    ("99.99", 0.9999),
    ("99.999", 0.99999),
    ("99.9999", 0.999_999),
];

/// Values that must lie beyond a percentile before it is said: with fewer, the value rests on
/// chance (ten give a relative standard error of about a third in the tail's share).
pub const MIN_TAIL_COUNT: f64 = 10.0;

/// Whether `count` values support saying the percentile at `quantile` (0 to 1).
pub fn supports(count: u64, quantile: f64) -> bool {
    let tail = count as f64 * (1.0 - quantile).min(quantile);
    // A hair of tolerance: 1 - 0.9999 is not exactly 0.0001.
    tail >= MIN_TAIL_COUNT * (1.0 - 1e-9)
}

/// How many of `count` values lie beyond the percentile at `quantile` (0 to 1).
pub fn beyond(count: u64, quantile: f64) -> u64 {
    (count as f64 * (1.0 - quantile) * (1.0 + 1e-9)) as u64
}

/// A latency distribution in a few numbers, all in nanoseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LatencySummary {
    /// Number of values.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Population standard deviation.
    pub stddev: f64,
    /// Smallest value.
    pub min: u64,
    /// Largest value.
    pub max: u64,
    /// Percentile in percent, as in `"99.9"`, to its value. Only those with at least ten values
    /// beyond them; but in an import all that its source has printed. [`Self::percentile`] keeps
    /// the rule for both.
    pub percentiles: BTreeMap<String, u64>,
}

impl LatencySummary {
    /// The summary of a histogram.
    pub fn of(histogram: &Histogram) -> Self {
        let count = histogram.len();
        let percentiles = PERCENTILES
            .iter()
            .filter(|(_, quantile)| supports(count, *quantile))
            .map(|(name, quantile)| ((*name).to_owned(), histogram.quantile_ns(*quantile)))
            .collect();
        Self {
            count,
            mean: histogram.mean_ns(),
            stddev: histogram.stddev_ns(),
            min: histogram.min_ns(),
            max: histogram.max_ns(),
            percentiles,
        }
    }

    /// A percentile by its name, if the sample supports it.
    pub fn percentile(&self, name: &str) -> Option<u64> {
        let value = self.percentiles.get(name).copied()?;
        let percent: f64 = name.parse().ok()?;
        supports(self.count, percent / 100.0).then_some(value)
    }
}

/// Mean, deviation and extremes of a series of numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// Number of values.
    pub count: u64,
    /// Arithmetic mean.
    pub mean: f64,
    /// Population standard deviation.
    pub stddev: f64,
    /// Smallest value.
    pub min: f64,
    /// Largest value.
    pub max: f64,
}

impl Spread {
    /// The spread of `values`; all zero without any.
    pub fn of(values: &[f64]) -> Self {
        if values.is_empty() {
            return Self::default();
        }
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count;
        let variance = values
            .iter()
            .map(|value| (value - mean).powi(2))
            .sum::<f64>()
            / count;
        Self {
            count: values.len() as u64,
            mean,
            stddev: variance.sqrt(),
            min: values.iter().copied().fold(f64::INFINITY, f64::min),
            max: values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nines_rule_counts_the_tail() {
        // 234,408 I/Os: 23.4 beyond four nines, 2.3 beyond five.
        assert!(supports(234_408, 0.9999));
        assert!(!supports(234_408, 0.99999));
        assert!(supports(100_000, 0.9999));
        assert!(!supports(99_999, 0.9999));
        assert!(supports(20, 0.5));
        assert!(!supports(19, 0.5));
        let tails = [0.999, 0.9999, 0.99999, 0.999_999].map(|share| beyond(234_408, share));
        assert_eq!(tails, [234, 23, 2, 0]);
        assert_eq!(beyond(300_000, 0.9999), 30);
    }

    #[test]
    fn a_summary_says_no_more_than_its_sample() {
        let mut histogram = Histogram::new();
        (1..=1000).for_each(|value| histogram.record(value));
        let names: Vec<_> = histogram.summary().percentiles.into_iter().collect();
        let expected = [
            ("25", 250),
            ("50", 500),
            ("75", 750),
            ("90", 900),
            ("95", 950),
            ("99", 990),
        ];
        assert_eq!(
            names,
            expected.map(|(name, value)| (name.to_owned(), value))
        );
    }

    #[test]
    fn what_a_source_printed_beyond_its_sample_is_not_said() {
        let summary = LatencySummary {
            count: 1000,
            percentiles: [("99".to_owned(), 7), ("99.9".to_owned(), 9)].into(),
            ..LatencySummary::default()
        };
        let said = ["99", "99.9", "50"].map(|name| summary.percentile(name));
        assert_eq!(said, [Some(7), None, None]);
    }

    #[test]
    fn spread_is_the_population_s() {
        let spread = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(
            spread,
            Spread {
                count: 8,
                mean: 5.0,
                stddev: 2.0,
                min: 2.0,
                max: 9.0
            }
        );
    }
}

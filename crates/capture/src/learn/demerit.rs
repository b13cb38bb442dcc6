//! How far two distributions of times are apart.

use fathom_core::Histogram;

/// Quantiles that are compared.
const QUANTILES: u32 = 1000;

/// The demerit figure of Ruemmler and Wilkes ("An introduction to disk drive modeling", IEEE
/// Computer, 1994): the root mean square of the horizontal distance of the two distributions, as a
/// share of the mean of the first. None where one is empty.
pub fn demerit(original: &Histogram, other: &Histogram) -> Option<f64> {
    if original.is_empty() || other.is_empty() || original.mean_ns() <= 0.0 {
        return None;
    }
    let squares = quantiles(original).into_iter().zip(quantiles(other));
    let sum: f64 = squares
        .map(|(one, two)| (one as f64 - two as f64).powi(2))
        .sum();
    Some((sum / f64::from(QUANTILES)).sqrt() / original.mean_ns())
}

/// The values in the middle of equal shares.
pub(crate) fn quantiles(histogram: &Histogram) -> Vec<u64> {
    let mut buckets = histogram.buckets();
    let (mut edge, mut below) = (0, 0.0);
    let all = histogram.len() as f64;
    let quantile = |number: u32| {
        let rank = (f64::from(number) + 0.5) / f64::from(QUANTILES) * all;
        while below < rank {
            let Some((next, count)) = buckets.next() else {
                break;
            };
            (edge, below) = (next, below + count as f64);
        }
        edge.min(histogram.max_ns())
    };
    (0..QUANTILES).map(quantile).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shift_is_its_length_over_the_mean() {
        let mut one = Histogram::new();
        let mut two = Histogram::new();
        for number in 1..=1000 {
            one.record(number * 1000);
            two.record(number * 1000 + 100_100);
        }
        let found = demerit(&one, &two).expect("both have values");
        assert!((found - 0.2).abs() < 0.01, "{found}");
        assert_eq!(demerit(&one, &one), Some(0.0));
        assert_eq!(demerit(&one, &Histogram::new()), None);
    }
}

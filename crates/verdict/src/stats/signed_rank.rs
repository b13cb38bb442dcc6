//! Pairs: is one side of each larger than the other, and by how much?
//!
//! Under no difference each difference could as well have had the other sign, which the random
//! order within the pairs makes true whatever the machine did meanwhile. All flips of signs are
//! counted, so there is no approximation, also with ties.

use super::permutation::{doubled_ranks, lower_quantile, sum_distribution, two_sided};
use super::shift::Shift;
use super::spread::median;

/// The shift of pairs from their differences (second minus first, on the logarithmic scale for a
/// ratio): the Hodges-Lehmann estimate (median of all Walsh averages), p by the exact sign-flip
/// distribution of the signed-rank sum, and the interval between order statistics of the Walsh
/// averages with a confidence of at least `1 - alpha`, or the widest there is. Differences of 0
/// count in the estimate, not in p. `None` without differences.
pub fn paired_shift(differences: &[f64], alpha: f64) -> Option<Shift> {
    if differences.is_empty() {
        return None;
    }
    let walsh = walsh_averages(differences);
    let (rank, tail) = interval_rank(differences.len(), alpha);
    Some(Shift {
        estimate: median(&walsh),
        low: walsh[rank],
        high: walsh[walsh.len() - 1 - rank],
        confidence: 1.0 - 2.0 * tail,
        p: sign_flip_p(differences),
    })
}

/// Means of all pairs of values, each with itself as well, rising.
fn walsh_averages(values: &[f64]) -> Vec<f64> {
    let mut averages = Vec::with_capacity(values.len() * (values.len() + 1) / 2);
    for (index, one) in values.iter().enumerate() {
        averages.extend(
            values[index..]
                .iter()
                .map(|other| f64::midpoint(*one, *other)),
        );
    }
    averages.sort_by(f64::total_cmp);
    averages
}

fn sign_flip_p(differences: &[f64]) -> f64 {
    let moved: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    let sizes: Vec<f64> = moved.iter().map(|d| d.abs()).collect();
    let ranks = doubled_ranks(&sizes);
    let signed = moved.iter().zip(&ranks).filter(|(d, _)| **d > 0.0);
    let sum: usize = signed.map(|(_, rank)| rank).sum();
    two_sided(&sum_distribution(&ranks, None), sum)
}

/// Position of the lower bound among the Walsh averages, and the share of sums up to it.
fn interval_rank(n: usize, alpha: f64) -> (usize, f64) {
    let ranks: Vec<usize> = (1..=n).collect();
    let shares = sum_distribution(&ranks, None);
    lower_quantile(&shares, alpha / 2.0).unwrap_or((0, shares[0]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_flips_are_counted() {
        let mut differences = [0.04, 0.01, 0.02, 0.03, 0.05, 0.06, 0.08, 0.07];
        let p = |differences: &[f64]| paired_shift(differences, 0.05).expect("eight").p;
        assert_eq!(p(&differences).to_bits(), (2.0_f64 / 256.0).to_bits());
        // The smallest alone has the other sign.
        differences[1] = -0.01;
        assert_eq!(p(&differences).to_bits(), (4.0_f64 / 256.0).to_bits());
        assert_eq!(p(&[0.0; 8]).to_bits(), 1.0_f64.to_bits());
        assert_eq!(p(&[0.1; 6]).to_bits(), (2.0_f64 / 64.0).to_bits());
    }

    #[test]
    fn the_interval_lies_between_walsh_averages() {
        let differences = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0];
        // P(T <= 3) = 5/256: the fourth of the 36 averages from either end.
        let expected = Shift {
            estimate: 4.5,
            low: 2.0,
            high: 7.0,
            confidence: 1.0 - 10.0 / 256.0,
            p: 2.0 / 256.0,
        };
        assert_eq!(paired_shift(&differences, 0.05), Some(expected));
        // Too few for 95 %: the widest there is, and it says so.
        let expected = Shift {
            estimate: 1.5,
            low: 1.0,
            high: 2.0,
            confidence: 0.5,
            p: 0.5,
        };
        assert_eq!(paired_shift(&[1.0, 2.0], 0.05), Some(expected));
        assert_eq!(paired_shift(&[], 0.05), None);
    }
}

//! Two sets of runs that are not paired: Mann and Whitney's U.

use super::permutation::{doubled_ranks, lower_quantile, sum_distribution, two_sided};
use super::replication::least_p_of_sets;
use super::shift::Shift;
use super::spread::median;
use statrs::distribution::{ContinuousCDF as _, Normal};

/// Up to this number of values in both sets the distribution is counted, not approximated.
const EXACT_UP_TO: usize = 64;

/// What the ranks of two sets say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankSum {
    /// Pairs in which the second set's value is the larger one; ties count half.
    pub u: f64,
    /// `u` as a share of all pairs: how likely a run of the second beats one of the first.
    pub superiority: f64,
    /// How far the second lies above the first.
    pub shift: Shift,
}

/// Compares two sets: U with its p (exact up to 64 values in all, with ties by permutation; above
/// by
/// the normal distribution with the correction for ties), and the Hodges-Lehmann shift (median of
/// all differences) with the interval between order statistics of the differences that has a
/// confidence of at least `1 - alpha`, or the widest there is. `None` if a set is empty.
pub fn rank_sum(first: &[f64], second: &[f64], alpha: f64) -> Option<RankSum> {
    if first.is_empty() || second.is_empty() {
        return None;
    }
    let (n, m) = (first.len(), second.len());
    let mut differences = Vec::with_capacity(n * m);
    for one in first {
        differences.extend(second.iter().map(|other| other - one));
    }
    differences.sort_by(f64::total_cmp);
    let ranks = doubled_ranks(&[first, second].concat());
    let doubled_sum: usize = ranks[n..].iter().sum();
    let u = (doubled_sum - m * (m + 1)) as f64 / 2.0;
    let (p, (rank, tail)) = if n + m <= EXACT_UP_TO {
        let p = two_sided(&sum_distribution(&ranks, Some(m)), doubled_sum);
        (p, exact_rank(n, m, alpha))
    } else {
        (normal_p(&ranks, n, m, u), normal_rank(n, m, alpha))
    };
    let shift = Shift {
        estimate: median(&differences),
        low: differences[rank],
        high: differences[n * m - 1 - rank],
        confidence: 1.0 - 2.0 * tail,
        p,
    };
    let superiority = u / (n * m) as f64;
    Some(RankSum {
        u,
        superiority,
        shift,
    })
}

/// Position of the lower bound among the differences, and the share of U up to it.
fn exact_rank(n: usize, m: usize, alpha: f64) -> (usize, f64) {
    let ranks: Vec<usize> = (1..=n + m).collect();
    let shares = sum_distribution(&ranks, Some(m));
    let shares = &shares[m * (m + 1) / 2..];
    lower_quantile(shares, alpha / 2.0).unwrap_or((0, shares[0]))
}

fn normal_rank(first: usize, second: usize, alpha: f64) -> (usize, f64) {
    let (n, m) = (first as f64, second as f64);
    let quantile = Normal::standard().inverse_cdf(1.0 - alpha / 2.0);
    let below = n * m / 2.0 - quantile * (n * m * (n + m + 1.0) / 12.0).sqrt();
    let rank = below.floor().max(0.0) as usize;
    // Beyond the outermost difference lies one of the ways to choose, however many values there
    // are.
    let outermost = if rank == 0 {
        least_p_of_sets(first, second) / 2.0
    } else {
        0.0
    };
    (rank, outermost.max(alpha / 2.0))
}

fn normal_p(ranks: &[usize], n: usize, m: usize, u: f64) -> f64 {
    let (n, m) = (n as f64, m as f64);
    let all = n + m;
    let mut sorted = ranks.to_vec();
    sorted.sort_unstable();
    let cubes = |length: f64| length.powi(3) - length;
    let ties: f64 = sorted
        .chunk_by(|one, other| one == other)
        .map(|tie| cubes(tie.len() as f64))
        .sum();
    let variance = n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    // Half a step towards the middle, for U is whole.
    let distance = ((u - n * m / 2.0).abs() - 0.5).max(0.0);
    (2.0 * Normal::standard().sf(distance / variance.sqrt())).min(1.0)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is compared is exact or rounded")]
mod tests {
    use super::*;

    const A: [f64; 5] = [100.2, 99.1, 101.0, 98.7, 100.5];
    const B: [f64; 5] = [104.9, 106.2, 103.8, 105.5, 104.1];
    const C: [f64; 5] = [100.9, 99.6, 101.4, 98.9, 100.1];

    fn rounded(found: RankSum, decimals: i32) -> [f64; 7] {
        let Shift {
            estimate,
            low,
            high,
            confidence,
            p,
        } = found.shift;
        let factor = 10_f64.powi(decimals);
        let p = (p * 1e6).round() / 1e6;
        let all = [estimate, low, high, confidence];
        let [estimate, low, high, confidence] = all.map(|value| (value * factor).round() / factor);
        [
            found.u,
            found.superiority,
            estimate,
            low,
            high,
            confidence,
            p,
        ]
    }

    #[test]
    fn the_known_answers_hold() {
        let found = rank_sum(&A, &B, 0.05).expect("ten values");
        let expected = [25.0, 1.0, 5.0, 3.3, 6.8, 0.968, 0.007_937];
        assert_eq!(rounded(found, 3), expected);
        let found = rank_sum(&A, &C, 0.05).expect("ten values");
        let expected = [14.0, 0.56, 0.4, -1.4, 2.2, 0.968, 0.841_270];
        assert_eq!(rounded(found, 3), expected);
    }

    #[test]
    fn a_ratio_is_a_shift_of_logarithms() {
        let (a, b) = (A.map(f64::ln), B.map(f64::ln));
        let ratio = rank_sum(&a, &b, 0.05).expect("ten values").shift.exp();
        let percent = [ratio.estimate, ratio.low, ratio.high]
            .map(|value| ((value - 1.0) * 1e4).round() / 1e2);
        assert_eq!(percent, [5.05, 3.28, 6.89]);
    }

    #[test]
    fn a_permutation_of_means_is_another_test() {
        // 170 of 252, where the ranks have 212 of 252: not to be confused.
        let all = [A, C].concat();
        let mean = |values: f64| (values - 500.2).abs();
        let total: f64 = all.iter().sum();
        let seen = mean(C.iter().sum::<f64>() - (total / 2.0 - 500.2));
        let (mut extreme, mut count) = (0, 0);
        for set in 0_u32..1 << 10 {
            if set.count_ones() != 5 {
                continue;
            }
            let sum: f64 = (0..10).filter(|i| set >> i & 1 == 1).map(|i| all[i]).sum();
            count += 1;
            extreme += u32::from(mean(sum - (total / 2.0 - 500.2)) >= seen - 1e-9);
        }
        assert_eq!((extreme, count), (170, 252));
    }

    #[test]
    fn the_smallest_p_of_few_runs_is_known() {
        let least = |n: usize| {
            let low: Vec<f64> = (0..n).map(|i| i as f64).collect();
            let high: Vec<f64> = (0..n).map(|i| 100.0 + i as f64).collect();
            let p = rank_sum(&low, &high, 0.05).expect("runs").shift.p;
            (p * 1e5).round() / 1e5
        };
        assert_eq!([3, 4, 5, 6].map(least), [0.1, 0.02857, 0.00794, 0.00216]);
    }

    #[test]
    fn one_value_beside_many_has_the_confidence_that_counting_gives() {
        for (n, m) in [(1, 13), (13, 1), (1, 80), (80, 1)] {
            let values = |n: usize| (0..n).map(|i| i as f64 * 1.5).collect::<Vec<_>>();
            let shift = rank_sum(&values(n), &values(m), 0.05).expect("runs").shift;
            // Of 14 places that the one may have among 13 others, two are outside.
            let outside = 2.0 / (n + m) as f64;
            let expected = 1.0 - if outside < 0.05 { 0.05 } else { outside };
            assert!(
                (shift.confidence - expected).abs() < 1e-12,
                "{n} {m} {shift:?}"
            );
        }
    }

    #[test]
    fn ties_are_permuted_and_large_sets_are_normal() {
        let found = rank_sum(&[1.0, 1.0, 2.0], &[2.0, 2.0, 3.0], 0.05).expect("six values");
        // Of the 20 ways to choose three of 1 1 2 2 2 3, one has as large a sum of ranks as
        // 2 2 3 by value: each of the three ways to choose two of the 2s.
        assert_eq!((found.u, (found.shift.p * 20.0).round()), (8.0, 6.0));
        let low: Vec<f64> = (0..20).map(f64::from).collect();
        let found = rank_sum(&low, &low, 0.05).expect("forty values");
        assert_eq!(
            (found.u, found.shift.p, found.shift.estimate),
            (200.0, 1.0, 0.0)
        );
    }
}

//! Ranks, and the exact distributions of their sums.

use fathom_core::SmallSort as _;
/// Ranks of the values times two, so that the mean rank of ties stays whole: the smallest has 2,
/// two equal smallest ones have 3 each.
pub(super) fn doubled_ranks(values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.small_sort_by(|one, other| values[*one].total_cmp(&values[*other]));
    let mut ranks = vec![0; values.len()];
    let mut begin = 0;
    for tie in order.chunk_by(|one, other| values[*one].total_cmp(&values[*other]).is_eq()) {
        // Ranks begin + 1 to begin + length; twice their mean.
        let doubled = 2 * begin + tie.len() + 1;
        for index in tie {
            ranks[*index] = doubled;
        }
        begin += tie.len();
    }
    ranks
}

/// How many of the subsets have each sum, as a share of all: entry `s` for the sum `s`. With
/// `size` only subsets of that many members count.
pub(super) fn sum_distribution(weights: &[usize], size: Option<usize>) -> Vec<f64> {
    let total: usize = weights.iter().sum();
    match size {
        None => {
            let mut shares = vec![0.0; total + 1];
            shares[0] = 1.0;
            let mut most = 0;
            for weight in weights {
                most += weight;
                for sum in (0..=most).rev() {
                    let with = sum.checked_sub(*weight).map_or(0.0, |rest| shares[rest]);
                    shares[sum] = f64::midpoint(shares[sum], with);
                }
            }
            shares
        }
        Some(size) => {
            let mut counts = vec![vec![0.0; total + 1]; size + 1];
            counts[0][0] = 1.0;
            let mut most = 0;
            for weight in weights {
                most += weight;
                for members in (1..=size).rev() {
                    for sum in *weight..=most {
                        counts[members][sum] += counts[members - 1][sum - weight];
                    }
                }
            }
            let shares = counts.swap_remove(size);
            let all: f64 = shares.iter().sum();
            shares.into_iter().map(|count| count / all).collect()
        }
    }
}

/// Twice the smaller tail at `sum`, at most 1.
pub(super) fn two_sided(shares: &[f64], sum: usize) -> f64 {
    let below: f64 = shares[..=sum].iter().sum();
    let above: f64 = shares[sum..].iter().sum();
    (2.0 * below.min(above)).min(1.0)
}

/// The largest `k` of which `P(S <= k) <= share`, and that probability; `None` when even 0 is
/// more likely.
pub(super) fn lower_quantile(shares: &[f64], share: f64) -> Option<(usize, f64)> {
    let mut below = 0.0;
    let mut found = None;
    for (sum, likely) in shares.iter().enumerate() {
        below += likely;
        // A hair of tolerance: 0.025 is not a sum of exact shares.
        if below > share * (1.0 + 1e-12) {
            break;
        }
        found = Some((sum, below));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_share_their_ranks() {
        assert_eq!(doubled_ranks(&[7.0, 1.0, 7.0, 9.0]), [5, 2, 5, 8]);
        assert_eq!(doubled_ranks(&[]), [] as [usize; 0]);
    }

    #[test]
    fn subsets_are_counted() {
        assert_eq!(sum_distribution(&[1, 2], None), [0.25, 0.25, 0.25, 0.25]);
        let pairs = sum_distribution(&[1, 2, 3], Some(2));
        let thirds: Vec<f64> = pairs.iter().map(|share| share * 3.0).collect();
        assert_eq!(thirds, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.0]);
    }

    #[test]
    fn tails_hold_no_more_than_asked() {
        let shares = [0.25, 0.25, 0.25, 0.25];
        assert_eq!(lower_quantile(&shares, 0.5), Some((1, 0.5)));
        assert_eq!(lower_quantile(&shares, 0.49), Some((0, 0.25)));
        assert_eq!(lower_quantile(&shares, 0.1), None);
        assert_eq!(two_sided(&shares, 0).to_bits(), 0.5_f64.to_bits());
    }
}

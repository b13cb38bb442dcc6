//! Whether two series rise and fall together: Spearman's rank correlation.

use super::permutation::doubled_ranks;
use super::welch::student;
use statrs::distribution::ContinuousCDF as _;

/// Spearman's coefficient with its two-sided p.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankCorrelation {
    /// From -1 to 1.
    pub rho: f64,
    /// How likely a coefficient so far from 0 is, where there is no connection.
    pub p: f64,
}

/// The correlation of the ranks of two series of one length, ties with their mean rank; p by
/// Student's distribution with n - 2 degrees of freedom (C. Spearman 1904; M. G. Kendall, "Rank
/// Correlation Methods", 1948). `None` with fewer than three pairs, or where a series is constant.
pub fn rank_correlation(first: &[f64], second: &[f64]) -> Option<RankCorrelation> {
    let n = first.len();
    if n < 3 || second.len() != n {
        return None;
    }
    let centred = |values: &[f64]| -> Vec<f64> {
        let mean = (n + 1) as f64;
        let ranks = doubled_ranks(values).into_iter();
        ranks.map(|rank| rank as f64 - mean).collect()
    };
    let (first, second) = (centred(first), centred(second));
    let product = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
    let scale = (product(&first, &first) * product(&second, &second)).sqrt();
    if scale <= 0.0 {
        return None;
    }
    let rho = (product(&first, &second) / scale).clamp(-1.0, 1.0);
    let freedom = (n - 2) as f64;
    let p = if 1.0 - rho * rho <= f64::EPSILON {
        0.0
    } else {
        let t = rho.abs() * (freedom / (1.0 - rho * rho)).sqrt();
        2.0 * student(freedom).sf(t)
    };
    Some(RankCorrelation { rho, p })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the documentation of SciPy's `spearmanr`.
    #[test]
    fn a_published_example_comes_out() {
        let found = rank_correlation(&[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 6.0, 7.0, 8.0, 7.0]);
        let found = found.expect("both vary");
        assert!(
            (found.rho - 0.820_782_681_668_123_3).abs() < 1e-12,
            "{found:?}"
        );
        assert!(
            (found.p - 0.088_587_005_313_543_81).abs() < 1e-9,
            "{found:?}"
        );
    }

    #[test]
    fn extremes_and_constants() {
        let rising = [1.0, 2.0, 3.0, 4.0];
        let falling = [9.0, 7.0, 5.0, 3.0];
        let certain = |rho| Some(RankCorrelation { rho, p: 0.0 });
        assert_eq!(rank_correlation(&rising, &rising), certain(1.0));
        assert_eq!(rank_correlation(&rising, &falling), certain(-1.0));
        assert_eq!(rank_correlation(&rising, &[1.0; 4]), None);
        assert_eq!(rank_correlation(&rising[..2], &falling[..2]), None);
        assert_eq!(rank_correlation(&rising, &falling[..3]), None);
    }
}

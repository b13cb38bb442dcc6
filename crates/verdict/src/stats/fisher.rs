//! Whether two shares of small numbers differ: Fisher's exact test.

/// How far probabilities that are equal may lie apart as numbers.
const EQUAL: f64 = 1.0 + 1e-9;

/// Chance that, were something as frequent in both sets, it would be shared out at least as
/// unevenly as found: in `one.0` of `one.1` and `two.0` of `two.1` (Fisher, Statistical Methods for
/// Research Workers, 1934, § 21.02). Two-sided: all tables with these sums that are at most as
/// likely.
pub fn fisher(one: (usize, usize), two: (usize, usize)) -> f64 {
    let found = one.0 + two.0;
    let likelihood = |first: usize| (ln_ways(one.1, first) + ln_ways(two.1, found - first)).exp();
    let tables = found.saturating_sub(two.1)..=found.min(one.1);
    let limit = likelihood(one.0) * EQUAL;
    let (mut all, mut uneven) = (0.0, 0.0);
    for first in tables {
        let likelihood = likelihood(first);
        all += likelihood;
        if likelihood <= limit {
            uneven += likelihood;
        }
    }
    uneven / all
}

/// Logarithm of the ways to choose `k` of `n`.
fn ln_ways(n: usize, k: usize) -> f64 {
    let factors = (0..k).map(|i| ((n - i) as f64).ln() - ((i + 1) as f64).ln());
    factors.sum()
}

#[cfg(test)]
mod tests {
    use super::fisher;

    #[test]
    fn known_tables() {
        // Fisher's lady tasting tea: 3 of 4 right. And others, counted out by hand.
        let cases = [
            ((3, 4), (1, 4), 34.0 / 70.0),
            ((4, 4), (0, 4), 2.0 / 70.0),
            ((1, 1), (0, 1), 1.0),
            ((0, 8), (0, 8), 1.0),
            ((8, 8), (8, 8), 1.0),
            ((5, 8), (0, 8), 2.0 * 56.0 / 4368.0),
            ((1, 1), (7, 8), 1.0),
        ];
        for (one, two, expected) in cases {
            let found = fisher(one, two);
            assert!((found - expected).abs() < 1e-9, "{one:?} {two:?}: {found}");
            assert!((fisher(two, one) - expected).abs() < 1e-9);
        }
    }
}

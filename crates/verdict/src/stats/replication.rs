//! How many runs it takes, and how much runs of one kind differ.

/// Pairs at which a sequence of pairs may be looked at.
pub const LOOKS: [usize; 4] = [8, 12, 16, 24];

/// Runs a side for 80 % power at 5 % two-sided, to see a shift of the share `delta` where runs of
/// one kind vary by `cv` (both shares): `15.7 (cv / delta)^2`, rounded up, and one more, for the
/// normal approximation is too bold for few.
pub fn runs_needed(cv: f64, delta: f64) -> u64 {
    (15.7 * (cv / delta).powi(2)).ceil() as u64 + 1
}

/// The smallest p that `pairs` pairs can have: two of the ways to set their signs.
pub fn least_p_of_pairs(pairs: usize) -> f64 {
    2.0 / 2_f64.powi(pairs as i32)
}

/// The same of two sets: two of the ways to choose the runs of one from all of them.
pub fn least_p_of_sets(base: usize, other: usize) -> f64 {
    let ways = (1..=other).fold(1.0, |ways, k| ways * (base + k) as f64 / k as f64);
    2.0 / ways
}

/// The fewest runs of each side, or pairs, whose smallest p (`least_p`) is at most `alpha`: with
/// fewer no interval has a confidence of `1 - alpha` either.
pub fn fewest_runs(least_p: impl Fn(usize) -> f64, alpha: f64) -> usize {
    let mut runs = 1;
    while least_p(runs) > alpha {
        runs += 1;
    }
    runs
}

/// Coefficient of variation between runs of one kind, as a share, from the logarithms of their
/// values in the order in which they were made: the root of half the mean squared step. Slow
/// drift of the machine, which pairs take out, is not in it. `None` with fewer than two.
pub fn run_noise(logarithms: &[f64]) -> Option<f64> {
    if logarithms.len() < 2 {
        return None;
    }
    let steps = logarithms.windows(2).map(|two| (two[1] - two[0]).powi(2));
    let count = (logarithms.len() - 1) as f64;
    Some((steps.sum::<f64>() / (2.0 * count)).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_known_answers_hold() {
        let cases = [
            (2.0, 2.0, 16),
            (3.0, 5.0, 6),
            (2.0, 5.0, 3),
            (5.0, 5.0, 16),
            (10.0, 5.0, 63),
        ];
        for (cv, delta, runs) in cases {
            assert_eq!(runs_needed(cv, delta), runs + 1, "{cv} {delta}");
        }
    }

    #[test]
    fn four_runs_a_side_or_six_pairs_are_the_fewest() {
        let sets = |alpha| fewest_runs(|runs| least_p_of_sets(runs, runs), alpha);
        let pairs = |alpha| fewest_runs(least_p_of_pairs, alpha);
        assert_eq!([sets(0.05), sets(0.01), sets(0.025)], [4, 5, 5]);
        assert_eq!([pairs(0.05), pairs(0.01), pairs(0.0125)], [6, 8, 8]);
    }

    #[test]
    fn noise_is_what_is_between_neighbours() {
        assert_eq!(run_noise(&[1.0, 1.5, 1.0, 1.5]), Some(0.125_f64.sqrt()));
        assert_eq!(run_noise(&[1.0]), None);
    }
}

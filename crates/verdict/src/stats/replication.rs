//! How many runs it takes, and how much runs of one kind differ.

/// Pairs at which a sequence of pairs may be looked at.
pub const LOOKS: [usize; 4] = [8, 12, 16, 24];

/// Runs a side for 80 % power at 5 % two-sided, to see a shift of the share `delta` where runs of
/// one kind vary by `cv` (both shares): `15.7 (cv / delta)^2`, rounded up, and one more, for the
/// normal approximation is too bold for few.
pub fn runs_needed(cv: f64, delta: f64) -> u64 {
    (15.7 * (cv / delta).powi(2)).ceil() as u64 + 1
}

/// The smallest p that so many pairs can have: two of the ways to set their signs.
pub fn least_p_of_pairs(pairs: usize) -> f64 {
    2.0 / 2_f64.powi(pairs as i32)
}

/// The same of two sets: two of the ways to choose the runs of one from all of them.
pub fn least_p_of_sets(base: usize, other: usize) -> f64 {
    let ways = (1..=other).fold(1.0, |ways, k| ways * (base + k) as f64 / k as f64);
    2.0 / ways
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
    fn noise_is_what_is_between_neighbours() {
        assert_eq!(run_noise(&[1.0, 1.5, 1.0, 1.5]), Some(0.125_f64.sqrt()));
        assert_eq!(run_noise(&[1.0]), None);
    }
}

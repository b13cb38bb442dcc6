//! Two means with errors of their own: Welch's comparison.

use super::shift::Shift;
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// A value and how well it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Located {
    /// The estimate.
    pub value: f64,
    /// Its standard error, in the same unit.
    pub error: f64,
    /// Number of independent values behind it.
    pub size: f64,
}

/// How far `second` is above `first`: the difference, its interval with the confidence
/// `1 - alpha` and its p by Student's distribution with Welch's degrees of freedom (Welch 1947).
/// With no error on either side the interval is a point, and p is 0 unless both are the same.
pub fn welch_shift(first: Located, second: Located, alpha: f64) -> Shift {
    let estimate = second.value - first.value;
    let shift = |half: f64, p: f64| Shift {
        estimate,
        low: estimate - half,
        high: estimate + half,
        confidence: 1.0 - alpha,
        p,
    };
    let parts = [first, second].map(|one| (one.error.powi(2), one.size));
    let variance: f64 = parts.iter().map(|(variance, _)| variance).sum();
    if variance <= 0.0 {
        return shift(0.0, f64::from(u8::from(estimate == 0.0)));
    }
    let spread = |(variance, size): (f64, f64)| variance * variance / freedom(size);
    let freedom = variance * variance / parts.into_iter().map(spread).sum::<f64>();
    let distribution = student(freedom);
    let error = variance.sqrt();
    let p = 2.0 * distribution.sf((estimate / error).abs());
    shift(distribution.inverse_cdf(1.0 - alpha / 2.0) * error, p)
}

/// How many standard errors of a value with `size` independent values behind it lie between it
/// and the ends of its interval with the confidence `1 - alpha`.
pub fn student_factor(size: f64, alpha: f64) -> f64 {
    student(freedom(size)).inverse_cdf(1.0 - alpha / 2.0)
}

/// Degrees of freedom of a mean; with less than one the interval would be endless.
fn freedom(size: f64) -> f64 {
    (size - 1.0).max(1.0)
}

pub(super) fn student(freedom: f64) -> StudentsT {
    StudentsT::new(0.0, 1.0, freedom.max(1.0)).expect("the degrees of freedom are positive")
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "what is compared is exact or rounded")]
mod tests {
    use super::*;

    fn located(values: &[f64]) -> Located {
        let n = values.len() as f64;
        let value = values.iter().sum::<f64>() / n;
        let squares: f64 = values.iter().map(|one| (one - value).powi(2)).sum();
        Located {
            value,
            error: (squares / (n - 1.0) / n).sqrt(),
            size: n,
        }
    }

    #[test]
    fn the_published_example_holds() {
        // Two sets of equal size and variance: Student's own test with 8 degrees of freedom.
        let first = located(&[1.0, 2.0, 3.0, 4.0, 5.0]);
        let second = located(&[3.0, 4.0, 5.0, 6.0, 7.0]);
        let found = welch_shift(first, second, 0.05);
        let round = |value: f64| (value * 1e4).round() / 1e4;
        // t = 2, two-sided p 0.0805; t(0.975, 8) = 2.3060.
        assert_eq!(
            [found.estimate, found.low, found.high, found.p].map(round),
            [2.0, -0.306, 4.306, 0.0805]
        );
        assert_eq!(round(student_factor(9.0, 0.05)), 2.306);
    }

    #[test]
    fn without_error_there_is_no_doubt() {
        let exact = |value: f64| Located {
            value,
            error: 0.0,
            size: 60.0,
        };
        let found = welch_shift(exact(1.0), exact(1.0), 0.05);
        assert_eq!((found.low, found.high, found.p), (0.0, 0.0, 1.0));
        let found = welch_shift(exact(1.0), exact(2.0), 0.05);
        assert_eq!((found.low, found.high, found.p), (1.0, 1.0, 0.0));
    }
}

//! A number with its interval.

use super::responses::median;
use serde::Serialize;

/// A number and the range in which it lies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// The median of all seeds.
    pub estimate: f64,
    /// Lower end of the range.
    pub low: f64,
    /// Upper end of the range.
    pub high: f64,
}

impl Interval {
    /// Of one value for each seed. It is at least as wide as the distance of the original to
    /// itself: from estimate / e^floor to estimate · e^floor.
    pub fn of(values: Vec<f64>, floor: f64) -> Option<Self> {
        let least = values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let estimate = median(values)?;
        Some(Self {
            estimate,
            low: least.min(estimate * (-floor).exp()),
            high: most.max(estimate * floor.exp()),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interval_has_all_seeds_and_the_floor() {
        let interval = |values: &[f64], floor: f64| {
            let found = Interval::of(values.to_vec(), floor)?;
            Some([found.low, found.estimate, found.high].map(|one| (one * 10.0).round()))
        };
        let found = [
            interval(&[4.0, 1.0, 2.0], 0.0),
            interval(&[4.0, 1.0, 2.0], 2.0_f64.ln()),
            interval(&[4.0, 1.0, 2.0], 3.0_f64.ln()),
            interval(&[], 1.0),
        ];
        let expected = [
            Some([10.0, 20.0, 40.0]),
            Some([10.0, 20.0, 40.0]),
            Some([7.0, 20.0, 60.0]),
            None,
        ];
        assert_eq!(found, expected);
    }
}

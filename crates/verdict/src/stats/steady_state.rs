//! Steady state by the rule of the SNIA Solid State Storage Performance Test Specification
//! (2.1.24): in a window of rounds, the range is at most 20 % of the mean and the best-fit line
//! moves by at most 10 % of it.

use fathom_core::Percent;
use fathom_core::result::{SteadyLimit, SteadyMiss};
use fathom_core::spec::Steady;

/// How steady a window of rounds is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SteadyWindow {
    /// Mean of the rounds.
    pub mean: f64,
    /// Largest minus smallest, in percent of the mean.
    pub range_percent: f64,
    /// Largest distance of a round from the mean, in percent of the mean.
    pub deviation_percent: f64,
    /// Slope of the least-squares line, in units of the series a round.
    pub slope: f64,
    /// How far the line moves from the first to the last round, in percent of the mean.
    pub excursion_percent: f64,
}

impl SteadyWindow {
    /// Largest distance of a round from the mean, in units of the series.
    pub fn deviation(&self) -> f64 {
        self.deviation_percent * self.mean / 100.0
    }

    /// Whether the window passes with the given limits in percent.
    pub fn passes(&self, range_percent: f64, slope_percent: f64) -> bool {
        self.mean > 0.0
            && is_within(self.range_percent, range_percent)
            && is_within(self.excursion_percent, slope_percent)
    }

    /// The limits of `rule` that the window does not keep; none also where its mean is zero, and
    /// nothing can be said in percent of it.
    pub fn missed(&self, rule: &Steady) -> Vec<SteadyMiss> {
        let of_mean = |limit, found, allowed: Percent| (limit, None, found, allowed.0);
        let of_metric = |limit, found, allowed| (limit, Some(rule.metric), found, allowed);
        let (deviation, slope) = (SteadyLimit::Deviation, SteadyLimit::Slope);
        let limits = [
            Some(of_mean(SteadyLimit::Range, self.range_percent, rule.range)),
            Some(of_mean(
                SteadyLimit::Excursion,
                self.excursion_percent,
                rule.slope,
            )),
            rule.deviation
                .map(|most| of_mean(deviation, self.deviation_percent, most)),
            rule.deviation_most
                .map(|most| of_metric(deviation, self.deviation(), most)),
            rule.slope_most
                .map(|most| of_metric(slope, self.slope.abs(), most)),
        ];
        limits
            .into_iter()
            .flatten()
            .filter(|(_, _, found, allowed)| !is_within(*found, *allowed))
            .map(|(limit, metric, found, allowed)| SteadyMiss {
                limit,
                metric,
                found,
                allowed,
            })
            .collect()
    }

    /// Whether the window keeps all limits of `rule`.
    pub fn keeps(&self, rule: &Steady) -> bool {
        self.mean > 0.0 && self.missed(rule).is_empty()
    }
}

/// The limits are inclusive; a hair of tolerance keeps 20 % from failing by rounding.
fn is_within(found: f64, limit: f64) -> bool {
    found <= limit * (1.0 + 1e-12)
}

/// Measures the window `rounds`, oldest first; `None` with fewer than two rounds.
pub fn steady_window(rounds: &[f64]) -> Option<SteadyWindow> {
    if rounds.len() < 2 {
        return None;
    }
    let n = rounds.len() as f64;
    let mean = rounds.iter().sum::<f64>() / n;
    let middle = (n - 1.0) / 2.0;
    let (mut covariance, mut variance) = (0.0, 0.0);
    for (index, value) in rounds.iter().enumerate() {
        let x = index as f64 - middle;
        covariance += x * (value - mean);
        variance += x * x;
    }
    let slope = covariance / variance;
    let largest = rounds.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let smallest = rounds.iter().copied().fold(f64::INFINITY, f64::min);
    let percent = |value: f64| {
        if mean > 0.0 {
            value / mean * 100.0
        } else {
            0.0
        }
    };
    Some(SteadyWindow {
        mean,
        range_percent: percent(largest - smallest),
        deviation_percent: percent((largest - mean).max(mean - smallest)),
        slope,
        excursion_percent: percent(slope.abs() * (n - 1.0)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds, mean, range, excursion, verdict: published and recomputed known answers.
    const KNOWN: [([f64; 5], f64, f64, f64, bool); 9] = [
        ([100.0, 102.0, 98.0, 101.0, 99.0], 100.0, 4.0, 1.2, true),
        ([100.0, 97.5, 95.0, 92.5, 90.0], 95.0, 10.526, 10.526, false),
        ([110.0, 105.0, 100.0, 95.0, 90.0], 100.0, 20.0, 20.0, false),
        (
            [120.0, 100.0, 100.0, 100.0, 100.0],
            104.0,
            19.231,
            15.385,
            false,
        ),
        ([112.0, 100.0, 92.0, 100.0, 96.0], 100.0, 20.0, 12.8, false),
        ([90.0, 100.0, 100.0, 100.0, 110.0], 100.0, 20.0, 16.0, false),
        (
            [41_200.0, 40_100.0, 39_700.0, 39_500.0, 39_400.0],
            39_980.0,
            4.502,
            4.202,
            true,
        ),
        (
            [100.0, 100.0, 100.0, 100.0, 121.0],
            104.2,
            20.154,
            16.123,
            false,
        ),
        ([110.0, 90.0, 110.0, 90.0, 110.0], 102.0, 19.608, 0.0, true),
    ];

    #[test]
    fn the_known_answers_hold() {
        for (rounds, mean, range, excursion, passes) in KNOWN {
            let window = steady_window(&rounds).expect("five rounds");
            let found = (
                (window.mean * 1e3).round() / 1e3,
                (window.range_percent * 1e3).round() / 1e3,
                (window.excursion_percent * 1e3).round() / 1e3,
                window.passes(20.0, 10.0),
            );
            assert_eq!(found, (mean, range, excursion, passes), "{rounds:?}");
        }
    }

    #[test]
    fn a_series_of_nothing_is_never_steady() {
        let window = steady_window(&[0.0; 5]).expect("five rounds");
        assert!(!window.passes(20.0, 10.0));
        assert_eq!(steady_window(&[1.0]), None);
    }
}

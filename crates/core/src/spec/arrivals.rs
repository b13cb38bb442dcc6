//! How the arrivals of an open load are spread.

use crate::figure;
use crate::is_default::is_default;
use crate::units::{Nanos, Percent};
use serde::{Deserialize, Serialize};
use std::fmt;

/// How the arrivals of an open load are spread.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Arrivals {
    /// Equal gaps.
    Constant,
    /// Exponential gaps: many independent users.
    Poisson,
    /// Exponential gaps around a rate that is higher in bursts. The rate of the job is the mean.
    Bursts(Bursts),
}

/// When the rate of an open load is higher.
///
/// At random, burst and quiet time are exponential: with a base rate of 0 the gaps are those of a
/// hyperexponential distribution of two phases.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Bursts {
    /// Requests that bursts add to a base rate, of all requests.
    pub share: Percent,
    /// From the start of a burst to that of the next; the mean, unless they are clocked.
    pub every: Nanos,
    /// Duration of a burst; the mean, unless they are clocked.
    pub length: Nanos,
    /// Whether they come by the clock, and last equally long.
    #[serde(default, skip_serializing_if = "is_default")]
    pub clocked: bool,
}

impl Bursts {
    /// Share of the time in bursts, 0 to 1.
    pub fn duty(&self) -> f64 {
        self.length.0 as f64 / self.every.0 as f64
    }

    /// Rates within bursts and between them, over the mean rate.
    pub fn levels(&self) -> (f64, f64) {
        let share = self.share.0 / 100.0;
        (1.0 - share + share / self.duty(), 1.0 - share)
    }

    /// Index of dispersion: variance over mean of the arrivals in intervals of `interval_s`
    /// seconds at a mean rate of `iops`.
    ///
    /// The rate is that of a Poisson process plus a random rate of variance `v` and correlation
    /// `c(t)`, so the index is 1 + 2 `v` / `iops` × the integral of (1 - t / interval) `c(t)`.
    /// At random `c(t)` is exponential. By the clock the integral is summed over one period.
    pub fn dispersion(&self, iops: f64, interval_s: f64) -> f64 {
        let (every, length) = (self.every.as_secs_f64(), self.length.as_secs_f64());
        let duty = self.duty();
        let share = self.share.0 / 100.0;
        let extra = iops * share / duty;
        if self.clocked {
            // Variance of the time in bursts of an interval over its possible begins.
            const STEPS: u32 = 4096;
            let covered = |at: f64| (at / every).floor() * length + (at % every).min(length);
            let squares = (0..STEPS).map(|step| {
                let at = every * f64::from(step) / f64::from(STEPS);
                (covered(at + interval_s) - covered(at) - interval_s * duty).powi(2)
            });
            let variance = squares.sum::<f64>() / f64::from(STEPS);
            return 1.0 + extra * extra * variance / (iops * interval_s);
        }
        // Of a process with two states: the rates of leaving them add up.
        let constant_s = 1.0 / (1.0 / length + 1.0 / (every - length));
        let decay = 1.0 - (-interval_s / constant_s).exp();
        let integral = constant_s - constant_s * constant_s / interval_s * decay;
        1.0 + 2.0 * extra * extra * duty * (1.0 - duty) / iops * integral
    }
}

/// As in `80 % in bursts of 300 ms every 5 s`.
impl fmt::Display for Bursts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (share, mean) = (figure::percent(self.share.0), ["about ", ""]);
        let about = mean[usize::from(self.clocked)];
        let (length, every) = (
            figure::duration(self.length.0),
            figure::duration(self.every.0),
        );
        write!(f, "{share} in bursts of {about}{length} every {every}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bursts(clocked: bool) -> Bursts {
        Bursts {
            share: Percent(80.0),
            every: Nanos::from_secs(5),
            length: Nanos::from_millis(500),
            clocked,
        }
    }

    #[test]
    fn the_mean_rate_is_that_of_the_job() {
        let bursts = bursts(true);
        let (within, between) = bursts.levels();
        let mean = within * bursts.duty() + between * (1.0 - bursts.duty());
        assert!((mean - 1.0).abs() < 1e-12, "{mean}");
        assert!((within - 8.2).abs() < 1e-12, "{within}");
    }

    #[test]
    fn short_intervals_show_the_variance_of_the_rate() {
        // 1 + iops × share² × (1 - duty) / duty × interval.
        let exact = 1.0 + 1000.0 * 0.64 * 9.0 * 0.001;
        for clocked in [false, true] {
            let index = bursts(clocked).dispersion(1000.0, 0.001);
            assert!((index / exact - 1.0).abs() < 0.01, "{clocked}: {index}");
        }
    }

    #[test]
    fn whole_periods_of_a_clock_are_alike_and_random_bursts_never_are() {
        assert!((bursts(true).dispersion(1000.0, 5.0) - 1.0).abs() < 1e-9);
        // 1 + 2 v / iops × the time constant of 0.45 s.
        let exact = 1.0 + 2.0 * 1000.0 * 0.64 * 9.0 * 0.45;
        let index = bursts(false).dispersion(1000.0, 1e6);
        assert!((index / exact - 1.0).abs() < 1e-3, "{index}");
    }
}

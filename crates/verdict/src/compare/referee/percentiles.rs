//! Percentiles of equal things: how often a difference is seen. With a thousand trials:
//!
//! ```text
//! FATHOM_TRIALS=1000 cargo test --release -p fathom-verdict percentiles -- --nocapture
//! ```

use super::super::metric::{METRICS, Metric};
use super::super::verdict::Limits;
use super::super::within::known_percentile;
use super::{Chance, TRIALS, dear_trials, is_seen, looked_at, seen, seen_of, verdict};
use crate::stats::{rank_sum, welch_shift};
use fathom_core::histogram::Histogram;

/// Requests of a run that is compared with other runs: twenty lie above its 99.9th percentile.
const REQUESTS: f64 = 20_000.0;
/// Intervals of a run that stands alone, and requests in each.
const INTERVALS: (usize, u32) = (60, 1000);

/// Times with a heavy tail: 100 µs, and on top a Weibull distribution of shape 1/2. The 50th, 99th
/// and 99.9th percentiles are 148, 2,221 and 4,872 µs.
fn time_us(above: f64) -> f64 {
    100.0 * (1.0 + above.ln().powi(2))
}

fn metrics() -> impl Iterator<Item = (Metric, f64)> {
    METRICS
        .into_iter()
        .filter_map(|(name, metric)| match metric {
            Metric::Percentile(_, share) if ["p50", "p99", "p99.9"].contains(&name) => {
                Some((metric, share))
            }
            _ => None,
        })
}

impl Chance {
    /// A sum of `k` exponential times, by the cube of a normal value (Wilson and Hilferty 1931).
    fn gamma(&mut self, k: f64) -> f64 {
        k * (1.0 - 1.0 / (9.0 * k) + self.normal() / (3.0 * k.sqrt())).powi(3)
    }

    /// The percentile that a run of a number of requests measures: the share above it is that of an
    /// order statistic, a beta distribution.
    fn percentile_us(&mut self, share: f64) -> f64 {
        let above = (REQUESTS * (1.0 - share)).round();
        let (tail, rest) = (self.gamma(above), self.gamma(REQUESTS + 1.0 - above));
        time_us(tail / (tail + rest))
    }

    /// The histograms of a run whose level wanders from interval to interval.
    fn intervals(&mut self, cv: f64, r1: f64) -> Vec<Histogram> {
        let levels = self.series(INTERVALS.0, cv, r1);
        let interval = |level: f64| {
            let mut histogram = Histogram::new();
            for _ in 0..INTERVALS.1 {
                let above = 1.0 - self.uniform(0.0, 1.0);
                histogram.record((1000.0 * level * time_us(above)) as u64);
            }
            histogram
        };
        levels.into_iter().map(interval).collect()
    }
}

/// At most a twentieth, and what chance adds to that once in a hundred times.
pub(super) fn few(found: &[u32], trials: u32) -> bool {
    let mean = 0.05 * f64::from(trials);
    let most = mean + 2.33 * (mean * 0.95).sqrt();
    println!("{found:?} of {trials}");
    found.iter().all(|seen| f64::from(*seen) <= most)
}

#[test]
fn percentiles_of_equal_runs_are_told_apart_in_one_of_twenty_at_most() {
    let trials = dear_trials();
    let mut found = [0; 3];
    seen_of(trials, 11, |chance, cv, r1| {
        let mut buckets = || {
            let intervals = chance.intervals(cv, r1);
            let buckets = intervals.iter().map(|one| one.buckets().collect());
            buckets.collect::<Vec<_>>()
        };
        let (one, two) = (buckets(), buckets());
        for ((metric, _), found) in metrics().zip(&mut found) {
            let known = |run: &[_]| known_percentile(run.to_vec(), metric).expect("intervals");
            let (one, two) = (known(&one), known(&two));
            let shift = |alpha| welch_shift(one, two, alpha);
            *found += u32::from(is_seen(verdict(Limits::default(), shift)));
        }
        false
    });
    // Found in 1,000: 40, 28 and 18.
    assert!(few(&found, trials), "{found:?}");
}

#[test]
fn percentiles_of_equal_sets_are_told_apart_in_one_of_twenty_at_most() {
    let found: Vec<u32> = metrics()
        .map(|(_, share)| {
            seen(12, |chance, cv, _| {
                let set = |chance: &mut Chance| -> Vec<f64> {
                    let mut run = || {
                        let level = 1.0 + cv * chance.normal();
                        (level * chance.percentile_us(share)).ln()
                    };
                    (0..8).map(|_| run()).collect()
                };
                let (a, b) = (set(chance), set(chance));
                let shift = |alpha| rank_sum(&a, &b, alpha).expect("runs").shift;
                is_seen(verdict(Limits::default(), shift))
            })
        })
        .collect();
    // Found: 46, 42 and 54; with eight runs a side the exact test has a level of 4.99 %.
    assert!(few(&found, TRIALS), "{found:?}");
}

#[test]
fn percentiles_of_equal_commands_are_told_apart_in_one_of_twenty_at_most() {
    let found: Vec<u32> = metrics()
        .map(|(_, share)| {
            seen(13, |chance, cv, r1| {
                let (mut a, mut b) = chance.pairs(24, cv, r1, 1.0);
                for run in a.iter_mut().chain(&mut b) {
                    *run += chance.percentile_us(share).ln();
                }
                is_seen(looked_at(&a, &b).0)
            })
        })
        .collect();
    // Found: 29, 40 and 41.
    assert!(few(&found, TRIALS), "{found:?}");
}

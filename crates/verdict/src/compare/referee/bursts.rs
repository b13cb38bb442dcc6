//! Tails that come in bursts: a stall makes 32 requests slow at once. Of equal runs at most one in
//! twenty may be called different, however many requests lie beyond the percentile.
//!
//! ```text
//! FATHOM_TRIALS=1000 cargo test --release -p fathom-verdict bursts -- --nocapture
//! ```

use super::super::metric::{METRICS, Metric};
use super::super::verdict::Limits;
use super::super::within::{Unknown, known_percentile};
use super::percentiles::few;
use super::{Chance, dear_trials, is_seen, seen_of, verdict};
use crate::stats::{paired_shift, rank_sum, welch_shift};
use std::collections::BTreeMap;

/// Four times as many as where a trial builds whole histograms.
fn trials() -> u32 {
    match dear_trials() {
        few @ ..250 => 4 * few,
        many => many,
    }
}

/// Requests that one stall makes slow.
const BURST: u64 = 32;
/// Intervals of a run.
const INTERVALS: usize = 60;
/// Time of a request that nothing stalls, nanoseconds.
const QUICK_NS: u64 = 100_000;

fn metric(name: &str) -> (Metric, f64) {
    let found = METRICS.into_iter().find(|(known, _)| *known == name);
    match found {
        Some((_, Metric::Percentile(name, share))) => (Metric::Percentile(name, share), share),
        _ => panic!("{name} is no percentile"),
    }
}

impl Chance {
    /// A number of events of a mean (Poisson), by the gaps between them.
    fn events(&mut self, mean: f64) -> usize {
        let mut at = 0.0;
        let mut count = 0;
        loop {
            at -= (1.0 - self.uniform(0.0, 1.0)).ln();
            if at > mean {
                return count;
            }
            count += 1;
        }
    }

    /// The response times of a run by interval, nanoseconds: `bursts` bursts on average, half of
    /// which lie beyond the percentile at `share`; the times of a burst lie within 2 %, those of
    /// two bursts are log-normal with a deviation of a half. `slower` is the factor of their
    /// length.
    fn run_with_bursts(&mut self, bursts: f64, share: f64, slower: f64) -> Vec<BTreeMap<u64, u64>> {
        let requests = bursts * BURST as f64 / 2.0 / (1.0 - share);
        let quick = (requests / INTERVALS as f64) as u64;
        let mut intervals = vec![BTreeMap::from([(QUICK_NS, quick)]); INTERVALS];
        for _ in 0..self.events(bursts) {
            let at = (self.uniform(0.0, 1.0) * INTERVALS as f64) as usize;
            let stall = 2e6 * slower * (0.5 * self.normal()).exp();
            for _ in 0..BURST {
                let time_ns = stall * self.uniform(0.99, 1.01);
                *intervals[at].entry(time_ns as u64).or_default() += 1;
            }
        }
        intervals
    }

    /// The percentile of a run with bursts, as a logarithm.
    fn percentile_of_bursts(&mut self, bursts: f64, share: f64) -> f64 {
        let mut all: BTreeMap<u64, u64> = BTreeMap::new();
        for (time_ns, count) in self
            .run_with_bursts(bursts, share, 1.0)
            .into_iter()
            .flatten()
        {
            *all.entry(time_ns).or_default() += count;
        }
        let count: u64 = all.values().sum();
        let rank = (count as f64 * share).ceil() as u64;
        let mut up_to = 0;
        let mut times = all.iter();
        let found = times.find(|(_, count)| {
            up_to += **count;
            up_to >= rank
        });
        (*found.expect("a rank of a run").0 as f64).ln()
    }
}

/// The answers for two runs each: different, and cannot tell, of all trials.
fn told(bursts: f64, name: &str, slower: f64) -> [u32; 2] {
    let (metric, share) = metric(name);
    let mut silent = 0;
    let apart = seen_of(trials(), 21, |chance, _, _| {
        let one = chance.run_with_bursts(bursts, share, 1.0);
        let two = chance.run_with_bursts(bursts, share, slower);
        match [one, two].map(|run| known_percentile(run, metric)) {
            [Ok(one), Ok(two)] => {
                let shift = |alpha| welch_shift(one, two, alpha);
                is_seen(verdict(Limits::default(), shift))
            }
            unknown => {
                let few = |known: &Result<_, Unknown>| matches!(known, Err(Unknown::Events(_)));
                assert!(unknown.iter().any(few), "{unknown:?}");
                silent += 1;
                false
            }
        }
    });
    [apart, silent]
}

#[test]
fn equal_runs_with_bursts_are_told_apart_in_one_of_twenty_at_most() {
    for name in ["p99", "p99.9", "p99.99"] {
        for bursts in [2.0, 8.0, 16.0, 30.0, 60.0, 200.0] {
            let [apart, silent] = told(bursts, name, 1.0);
            let trials = trials();
            println!("{name} {bursts} bursts: {apart} apart, {silent} cannot tell, of {trials}");
            assert!(few(&[apart], trials), "{name} {bursts}: {apart}");
            // Few are not taken for many, but where both have none; nor many for few.
            let least = if bursts > 2.0 { 0 } else { trials * 9 / 10 };
            assert!(silent >= least, "{name} {bursts}: {silent}");
            assert!(bursts < 200.0 || silent == 0, "{name} {bursts}: {silent}");
        }
    }
}

#[test]
fn bursts_of_twice_the_time_are_seen_where_there_are_enough() {
    for name in ["p99.9", "p99.99"] {
        let [apart, silent] = told(200.0, name, 2.0);
        let trials = trials();
        println!("{name}, twice as long: {apart} seen, {silent} cannot tell, of {trials}");
        // Found in 1,000: all.
        assert!(apart >= trials * 9 / 10, "{name}: {apart}");
    }
}

#[test]
fn equal_sets_and_pairs_with_bursts_are_told_apart_in_one_of_twenty_at_most() {
    for name in ["p99.9", "p99.99"] {
        let (_, share) = metric(name);
        for bursts in [4.0, 30.0] {
            let runs = |is_paired: bool| {
                seen_of(trials(), 22, |chance, _, _| {
                    let mut set = || -> Vec<f64> {
                        let mut run = || chance.percentile_of_bursts(bursts, share);
                        (0..8).map(|_| run()).collect()
                    };
                    let (a, b) = (set(), set());
                    let differences: Vec<f64> = b.iter().zip(&a).map(|(b, a)| b - a).collect();
                    let shift = |alpha| {
                        let paired = || paired_shift(&differences, alpha);
                        let sets = || rank_sum(&a, &b, alpha).map(|found| found.shift);
                        if is_paired { paired() } else { sets() }.expect("runs")
                    };
                    is_seen(verdict(Limits::default(), shift))
                })
            };
            let found = [runs(false), runs(true)];
            println!("{name}, 8 runs a side of {bursts} bursts: sets and pairs {found:?}");
            // Found in 1,000: 37 and 32, and 39 and 27.
            assert!(few(&found, trials()), "{name} {bursts}: {found:?}");
        }
    }
}

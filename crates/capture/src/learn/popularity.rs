//! Whether some blocks are requested more often than others, and by which law.

use fathom_core::Percent;
use fathom_core::spec::{Distribution, HotRange};
use std::collections::HashMap;

/// Parts of the used space whose requests are counted.
const BINS: usize = 100;
/// Pairs of requests of one block without which nothing is said of single blocks.
const LEAST_PAIRS: f64 = 50.0;
/// Concentration over what is expected that is no chance, at least.
const LEAST_EXCESS: f64 = 0.15;
/// Concentration of the bins that is no chance, at least.
const LEAST_BIN_EXCESS: f64 = 0.1;
/// Hot ranges of a job.
const MOST_RANGES: usize = 4;
/// Terms of a harmonic number that are added one by one.
const TERMS: u64 = 1000;

/// Counts of random requests by block, for the first distinct blocks, and by part of the space.
#[derive(Clone, Debug)]
pub(super) struct Popularity {
    /// By length and offset.
    counts: HashMap<(u64, u64), u32>,
    most: usize,
    bins: [u64; BINS],
}

impl Popularity {
    /// Counts this number of distinct blocks at most.
    pub(super) fn new(most: usize) -> Self {
        Self {
            counts: HashMap::new(),
            most,
            bins: [0; BINS],
        }
    }

    /// Adds a request at an offset in a space of this size.
    pub(super) fn add(&mut self, bytes: u64, offset: u64, space: u64) {
        let bin = u128::from(offset) * BINS as u128 / u128::from(space.max(1));
        self.bins[(bin as usize).min(BINS - 1)] += 1;
        if self.counts.len() < self.most {
            *self.counts.entry((bytes, offset)).or_default() += 1;
        }
    }

    /// The law of the requests of one length to this number of blocks.
    pub(super) fn distribution(&self, bytes: u64, blocks: u64) -> Distribution {
        let counts = self.counts.iter().filter(|(key, _)| key.0 == bytes);
        let (mut all, mut pairs) = (0.0, 0.0);
        for count in counts.map(|(_, count)| f64::from(*count)) {
            all += count;
            pairs += count * (count - 1.0) / 2.0;
        }
        let spatial = self.concentration() * BINS as f64;
        if pairs >= LEAST_PAIRS {
            let share = pairs / (all * (all - 1.0) / 2.0);
            let excess = LEAST_EXCESS.max(3.0 / pairs.sqrt());
            if share * blocks as f64 > (1.0 + excess) * spatial.max(1.0) {
                return Distribution::Zipf {
                    theta: zipf(share, blocks as f64),
                };
            }
        }
        if spatial > 1.0 + LEAST_BIN_EXCESS.max(self.noise()) {
            return self.hot();
        }
        Distribution::Uniform
    }

    /// The probability that two requests are in one bin.
    fn concentration(&self) -> f64 {
        let all = self.all();
        let pairs = self
            .bins
            .iter()
            .map(|count| *count as f64 * (*count as f64 - 1.0));
        (pairs.sum::<f64>() / (all * (all - 1.0)).max(1.0)).max(0.0)
    }

    fn all(&self) -> f64 {
        self.bins.iter().sum::<u64>() as f64
    }

    /// Five standard errors of the concentration of even requests, as a share of it.
    fn noise(&self) -> f64 {
        5.0 * (2.0 * BINS as f64).sqrt() / self.all().max(1.0)
    }

    /// The dense parts of the space, divided from the others so that both are as alike in
    /// themselves as possible (Otsu's threshold).
    fn hot(&self) -> Distribution {
        let mut sorted = self.bins;
        sorted.sort_unstable();
        let all = self.all();
        let (mut low, mut best, mut threshold) = (0.0, 0.0, 0);
        for (index, pair) in sorted.windows(2).enumerate() {
            low += pair[0] as f64;
            let count = (index + 1) as f64;
            let rest = BINS as f64 - count;
            let between = count * rest * (low / count - (all - low) / rest).powi(2);
            if between > best {
                (best, threshold) = (between, pair[1]);
            }
        }
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for (bin, _) in self
            .bins
            .iter()
            .enumerate()
            .filter(|(_, count)| **count >= threshold)
        {
            match runs.last_mut() {
                Some((_, end)) if *end == bin => *end = bin + 1,
                _ => runs.push((bin, bin + 1)),
            }
        }
        // Percent to one decimal, rounded at the ends: so the sum of all is never above 100.
        let before = |bin: usize| {
            let sum: u64 = self.bins[..bin].iter().sum();
            (sum as f64 / all * 1000.0).round()
        };
        let share = |start: usize, end: usize| (before(end) - before(start)) / 10.0;
        runs.sort_by(|one, two| share(two.0, two.1).total_cmp(&share(one.0, one.1)));
        runs.truncate(MOST_RANGES);
        runs.sort_unstable();
        let mut ranges = Vec::new();
        let mut at = 0;
        for (start, end) in runs {
            for (from, to) in [(at, start), (start, end)] {
                if from < to {
                    ranges.push(HotRange {
                        ios: Percent(share(from, to)),
                        of: Percent((to - from) as f64),
                    });
                }
            }
            at = end;
        }
        Distribution::Hot { ranges }
    }
}

/// The exponent of the Zipf distribution of which two draws are the same with this probability,
/// to two decimals.
fn zipf(share: f64, blocks: f64) -> f64 {
    let (mut low, mut high) = (0.01, 4.0);
    for _ in 0..50 {
        let theta = f64::midpoint(low, high);
        if harmonic(blocks, 2.0 * theta) / harmonic(blocks, theta).powi(2) < share {
            low = theta;
        } else {
            high = theta;
        }
    }
    (low * 100.0).round() / 100.0
}

/// The sum of `k^-s` for k from 1 to `n`: terms, then the integral with the first correction of
/// Euler and Maclaurin.
fn harmonic(n: f64, s: f64) -> f64 {
    let last = TERMS.min(n as u64).max(1);
    let sum: f64 = (1..=last).map(|k| (k as f64).powf(-s)).sum();
    let from = last as f64;
    if n <= from {
        return sum;
    }
    let integral = if (s - 1.0).abs() < 1e-9 {
        (n / from).ln()
    } else {
        (n.powf(1.0 - s) - from.powf(1.0 - s)) / (1.0 - s)
    };
    sum + integral + (n.powf(-s) - from.powf(-s)) / 2.0
}

#[cfg(test)]
mod tests {
    use super::super::reuse::hash;
    use super::*;

    fn uniform(number: u64) -> f64 {
        (hash(number) >> 11) as f64 / (1_u64 << 53) as f64
    }

    #[test]
    fn harmonic_numbers_are_near() {
        let exact = |n: u64, s: f64| (1..=n).map(|k| (k as f64).powf(-s)).sum::<f64>();
        for s in [0.3, 0.99, 1.0, 1.2, 2.4] {
            let (found, expected) = (harmonic(300_000.0, s), exact(300_000, s));
            assert!(
                (found / expected - 1.0).abs() < 1e-6,
                "{s}: {found} {expected}"
            );
        }
    }

    #[test]
    fn exponents_are_found_again() {
        let blocks = 20_000;
        for theta in [0.6, 0.9, 1.1, 1.3] {
            // By inversion of the sums.
            let mut sums = Vec::new();
            let mut sum = 0.0;
            for k in 1..=blocks {
                sum += f64::from(k).powf(-theta);
                sums.push(sum);
            }
            let mut popularity = Popularity::new(1 << 20);
            for number in 0..100_000 {
                let drawn = uniform(number) * sum;
                let rank = sums.partition_point(|sum| *sum < drawn) as u64;
                let block = (rank * 7919) % blocks as u64;
                popularity.add(4096, block * 4096, blocks as u64 * 4096);
            }
            let Distribution::Zipf { theta: found } = popularity.distribution(4096, blocks as u64)
            else {
                panic!("{theta} is no Zipf distribution");
            };
            assert!((found - theta).abs() < 0.03, "{found} {theta}");
        }
    }

    #[test]
    fn even_requests_are_uniform_and_dense_parts_hot() {
        let blocks = 100_000;
        let mut even = Popularity::new(1 << 20);
        let mut hot = Popularity::new(1 << 20);
        let space = blocks * 4096;
        for number in 0..100_000 {
            let drawn = uniform(2 * number);
            even.add(4096, (drawn * blocks as f64) as u64 * 4096, space);
            let place = if uniform(2 * number + 1) < 0.9 {
                0.2 + drawn * 0.1
            } else {
                drawn
            };
            hot.add(4096, (place * blocks as f64) as u64 * 4096, space);
        }
        assert_eq!(even.distribution(4096, blocks), Distribution::Uniform);
        let Distribution::Hot { ranges } = hot.distribution(4096, blocks) else {
            panic!("a dense part is hot");
        };
        let found: Vec<(f64, f64)> = ranges
            .iter()
            .map(|one| (one.of.0, one.ios.0.round()))
            .collect();
        assert_eq!(found, [(20.0, 2.0), (10.0, 91.0)]);
    }

    #[test]
    fn shares_of_dense_parts_are_100_percent_at_most() {
        for case in 0..1_000 {
            let mut popularity = Popularity::new(1 << 20);
            for (bin, count) in popularity.bins.iter_mut().enumerate() {
                *count = (uniform(case * 100 + bin as u64).powi(6) * 1_000.0) as u64;
            }
            let Distribution::Hot { ranges } = popularity.hot() else {
                panic!("dense parts are hot");
            };
            let ios = ranges.iter().map(|one| one.ios.0).sum::<f64>();
            let of = ranges.iter().map(|one| one.of.0).sum::<f64>();
            assert!(ios < 100.0 + 1e-9, "{case}: {ios}");
            assert!(of < 100.0 || ios > 100.0 - 1e-9, "{case}: {ios} {of}");
        }
    }
}

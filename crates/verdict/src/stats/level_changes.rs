//! Where the level of a history of runs changed, and how sure that is.
//!
//! Whoever looks for the largest step of a series finds one in any noise. So the largest step of a
//! history has to be larger than those of the same runs in random order: then a history without a
//! change shows one as rarely as the test allows, whatever the distribution of its noise. Values
//! count by the normal scores of their ranks, so that no outlier makes a step or hides one. Steps
//! are looked for in windows of many lengths (S. Kovács and others, "Seeded binary segmentation",
//! Biometrika 2023): over the whole history a dip that is over again hardly shows.

use super::autocorrelation::{cautious_r1, effective_size};
use super::permutation::doubled_ranks;
use super::rank_sum::rank_sum;
use super::segments::segments;
use super::shift::Shift;
use super::spread::median;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF as _, Normal};

/// The fewest runs in which a change can be found: of fewer, too many orders are as extreme.
pub const LEAST_RUNS: usize = 11;
/// Random orders of a stretch.
const ORDERS: u32 = 4_999;
/// Largest share of orders with as large a step: one in 200, for a history is looked at often.
const SURE: f64 = 0.005;
/// Runs of a stretch from which orders are not tried: the bound of the normal distribution is
/// close enough there.
const LONG: usize = 500;
/// The fewest runs of a level.
const LEAST_LEVEL: usize = 3;
/// Runs of the shortest window.
const LEAST_WINDOW: usize = LEAST_RUNS;
/// Smallest change that is reported, as a share: a smaller one is of no use to anybody.
const LEAST_CHANGE: f64 = 0.01;
/// The most runs next to a change that are compared with each other.
const BESIDE: usize = 200;
/// A stretch of runs around one value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Level {
    /// Position of its first run, from 0.
    pub begin: usize,
    /// Number of its runs.
    pub runs: usize,
    /// Median of their values, in the unit of the values.
    pub median: f64,
}

/// A step from one level to the next.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelChange {
    /// Position of the first run of the new level.
    pub at: usize,
    /// New over old level (Hodges-Lehmann) with its interval, as if the place had been known
    /// before. Its `p` is the share of random orders of these runs, the order found among them,
    /// that show as large a step anywhere, or an upper bound of it.
    pub ratio: Shift,
}

/// What a history of one number shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LevelChanges {
    /// The levels, in order; one if nothing changed.
    pub levels: Vec<Level>,
    /// The changes between them, one fewer.
    pub changes: Vec<LevelChange>,
    /// Lag-1 correlation of neighbours within the levels, an upper estimate from 0 to 0.99. The
    /// more alike neighbours are, the larger a change has to be.
    pub correlation: f64,
}

impl LevelChanges {
    /// Looks for changes in the positive values of runs in the order in which they were made;
    /// `None` with fewer than [`LEAST_RUNS`] or with a value that is not positive.
    pub fn of(values: &[f64]) -> Option<Self> {
        let usable = values.iter().all(|value| *value > 0.0 && value.is_finite());
        if values.len() < LEAST_RUNS || !usable {
            return None;
        }
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let mut found = Vec::new();
        search(&logs, 0, &mut found);
        found.sort_unstable_by_key(|(at, _)| *at);
        let (changes, correlation) = confirmed(&logs, found);
        let shifts: Vec<usize> = changes.iter().map(|change| change.at).collect();
        let levels = segments(values.len(), &shifts).into_iter();
        let levels = levels.map(|(begin, end)| Level {
            begin,
            runs: end - begin,
            median: median(&values[begin..end]),
        });
        Some(Self {
            levels: levels.collect(),
            changes,
            correlation,
        })
    }
}

/// Finds the changes of a stretch that begins at `offset`: the surest, then those on both sides.
fn search(logs: &[f64], offset: usize, found: &mut Vec<(usize, f64)>) {
    if logs.len() < LEAST_RUNS {
        return;
    }
    let scores = normal_scores(logs);
    let windows = windows(logs.len());
    let step = largest_step(&scores, &windows);
    if let Some(p) = p_of_step(step.size, scores, &windows) {
        found.push((offset + step.at, p));
        let (left, right) = logs.split_at(step.at);
        search(left, offset, found);
        search(right, offset + step.at, found);
    }
}

/// The changes that are large enough, also where neighbours are alike, and the correlation of
/// neighbours. Others are dropped, the weakest first.
fn confirmed(logs: &[f64], mut found: Vec<(usize, f64)>) -> (Vec<LevelChange>, f64) {
    loop {
        let shifts: Vec<usize> = found.iter().map(|(at, _)| *at).collect();
        let parts = segments(logs.len(), &shifts);
        let rest = within(logs, &parts);
        let correlation = cautious_r1(&rest);
        let squares: f64 = rest.iter().map(|value| value * value).sum();
        let variance = squares / (logs.len() - parts.len()) as f64;
        let independent = |(begin, end): (usize, usize)| effective_size(end - begin, correlation);
        // An upper bound of how often chance shows as large a step at any place.
        let chance = |two: &[(usize, usize)], change: &LevelChange| {
            let error = variance / independent(two[0]) + variance / independent(two[1]);
            let sigmas = change.ratio.estimate.ln().abs() / error.sqrt();
            2.0 * Normal::standard().sf(sigmas) * logs.len() as f64
        };
        let weakness = |two: &[(usize, usize)], change: &LevelChange| {
            let is_small = change.ratio.estimate.ln().abs() < LEAST_CHANGE;
            if is_small {
                f64::INFINITY
            } else {
                chance(two, change)
            }
        };
        let changes: Vec<Option<LevelChange>> = parts
            .windows(2)
            .zip(&found)
            .map(|(two, (at, p))| change(logs, two[0].0, *at, two[1].1, *p))
            .collect();
        // One whose size cannot be estimated is the weakest.
        let weaknesses = parts.windows(2).zip(&changes).map(|(two, change)| {
            let change = change.as_ref();
            change.map_or(f64::INFINITY, |change| weakness(two, change))
        });
        let weakest = weaknesses
            .enumerate()
            .max_by(|one, two| one.1.total_cmp(&two.1));
        match weakest {
            Some((index, weakness)) if weakness > SURE => {
                found.remove(index);
            }
            _ => return (changes.into_iter().flatten().collect(), correlation),
        }
    }
}

/// What is left of the logarithms when each level is taken away.
fn within(logs: &[f64], parts: &[(usize, usize)]) -> Vec<f64> {
    let mut rest = Vec::with_capacity(logs.len());
    for (begin, end) in parts {
        let part = &logs[*begin..*end];
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        rest.extend(part.iter().map(|value| value - mean));
    }
    rest
}

fn change(logs: &[f64], begin: usize, at: usize, end: usize, p: f64) -> Option<LevelChange> {
    let left = &logs[begin.max(at.saturating_sub(BESIDE))..at];
    let right = &logs[at..end.min(at + BESIDE)];
    let ratio = rank_sum(left, right, 0.05)?.shift.exp();
    Some(LevelChange {
        at,
        ratio: Shift { p, ..ratio },
    })
}

/// Normal scores of the ranks, with mean 0 and variance 1; all 0 where all values are alike.
fn normal_scores(values: &[f64]) -> Vec<f64> {
    let n = values.len() as f64;
    let normal = Normal::standard();
    let ranks = doubled_ranks(values).into_iter();
    let mut scores: Vec<f64> = ranks
        .map(|rank| normal.inverse_cdf(rank as f64 / 2.0 / (n + 1.0)))
        .collect();
    let mean = scores.iter().sum::<f64>() / n;
    let squares: f64 = scores.iter().map(|score| (score - mean).powi(2)).sum();
    let deviation = (squares / n).sqrt();
    for score in &mut scores {
        *score = if deviation > 0.0 {
            (*score - mean) / deviation
        } else {
            0.0
        };
    }
    scores
}

/// Windows of each length from the whole down, half of one over the next.
fn windows(count: usize) -> Vec<(usize, usize)> {
    let mut windows = Vec::new();
    let mut length = count as f64;
    while length >= LEAST_WINDOW as f64 {
        let whole = length as usize;
        let steps = 2 * count.div_ceil(whole) - 2;
        let free = count - whole;
        let begins = (0..=steps).map(|step| (free * step).checked_div(steps).unwrap_or(0));
        windows.extend(begins.map(|begin| (begin, begin + whole)));
        length /= std::f64::consts::SQRT_2;
    }
    windows
}

/// A step in a series of scores.
struct Step {
    /// The first value after it.
    at: usize,
    /// Squared difference of the means before and after it, in units of its own variance.
    size: f64,
}

/// The largest step within any window.
fn largest_step(scores: &[f64], windows: &[(usize, usize)]) -> Step {
    let mut sums = Vec::with_capacity(scores.len() + 1);
    let mut sum = 0.0;
    sums.push(sum);
    for score in scores {
        sum += score;
        sums.push(sum);
    }
    let mut largest = Step { at: 0, size: 0.0 };
    for (begin, end) in windows {
        let n = (end - begin) as f64;
        let mean = (sums[*end] - sums[*begin]) / n;
        for at in begin + LEAST_LEVEL..=end - LEAST_LEVEL {
            let before = (at - begin) as f64;
            let excess = sums[at] - sums[*begin] - before * mean;
            let size = excess * excess * n / (before * (n - before));
            if size > largest.size {
                largest = Step { at, size };
            }
        }
    }
    largest
}

/// Share of random orders with a step at least as large, always by the same seed; none where that
/// is no rarity.
fn p_of_step(size: f64, mut scores: Vec<f64>, windows: &[(usize, usize)]) -> Option<f64> {
    let places = windows
        .iter()
        .map(|(begin, end)| end - begin + 1 - 2 * LEAST_LEVEL);
    // Each place alone has a step of a normal distribution, and no more than all of them together.
    let bound = 2.0 * Normal::standard().sf(size.sqrt()) * places.sum::<usize>() as f64;
    if scores.len() >= LONG || bound <= 1.0 / f64::from(ORDERS + 1) {
        return (bound <= SURE).then_some(bound);
    }
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(scores.len() as u64);
    let most = (SURE * f64::from(ORDERS + 1)) as u32;
    // The order found is one of them.
    let mut as_large = 1;
    for _ in 0..ORDERS {
        for last in (1..scores.len()).rev() {
            // The high half of a product is even to a part in 2^64 / length.
            let other = (u128::from(chance.next_u64()) * (last as u128 + 1)) >> 64;
            scores.swap(last, other as usize);
        }
        if largest_step(&scores, windows).size >= size * (1.0 - 1e-12) {
            as_large += 1;
            if as_large > most {
                return None;
            }
        }
    }
    Some(f64::from(as_large) / f64::from(ORDERS + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Around 1 with a deviation of a hundredth, always the same.
    fn wobble(count: usize) -> impl Iterator<Item = f64> {
        const STEPS: [f64; 11] = [0.3, -0.9, 0.7, 0.1, -0.2, 1.0, -0.6, -1.0, 0.5, 0.9, -0.8];
        (0..count).map(|index| 1.0 + 0.01 * STEPS[index * index % 11])
    }

    fn rounded(found: &LevelChanges) -> Vec<(usize, [f64; 4])> {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let change = |change: &LevelChange| {
            let Shift {
                estimate,
                low,
                high,
                p,
                ..
            } = change.ratio;
            (change.at, [estimate, low, high, p].map(round))
        };
        found.changes.iter().map(change).collect()
    }

    #[test]
    fn the_run_at_which_the_level_changed_is_named() {
        let level = |index: usize| match index {
            0..24 => 60_000.0,
            24..40 => 52_000.0,
            _ => 57_000.0,
        };
        let values: Vec<f64> = wobble(50).enumerate().map(|(i, w)| level(i) * w).collect();
        let found = LevelChanges::of(&values).expect("enough runs");
        let begins: Vec<_> = found
            .levels
            .iter()
            .map(|level| (level.begin, level.runs))
            .collect();
        assert_eq!(begins, [(0, 24), (24, 16), (40, 10)]);
        let expected = [
            (24, [0.8667, 0.8641, 0.8727, 0.0]),
            (40, [1.0962, 1.0885, 1.1039, 0.0002]),
        ];
        assert_eq!(rounded(&found), expected);
    }

    #[test]
    fn five_runs_at_a_new_level_after_ten_are_enough_and_three_are_not() {
        let history = |after: usize| {
            let values: Vec<f64> = wobble(10).chain(wobble(after).map(|w| 0.8 * w)).collect();
            LevelChanges::of(&values)
                .expect("enough runs")
                .changes
                .len()
        };
        assert_eq!([3, 5].map(history), [0, 1]);
    }

    #[test]
    fn too_few_runs_and_values_without_a_logarithm_tell_nothing() {
        assert_eq!(LevelChanges::of(&[1.0; LEAST_RUNS - 1]), None);
        assert_eq!(LevelChanges::of(&[0.0; LEAST_RUNS]), None);
        let constant = LevelChanges::of(&[5.0; LEAST_RUNS]).expect("enough runs");
        assert_eq!(constant.levels.len(), 1);
    }

    #[test]
    fn a_dip_that_is_over_again_is_two_changes() {
        let level = |index: usize| if (40..46).contains(&index) { 0.9 } else { 1.0 };
        let values: Vec<f64> = wobble(80).enumerate().map(|(i, w)| level(i) * w).collect();
        let found = LevelChanges::of(&values).expect("enough runs");
        let at: Vec<usize> = found.changes.iter().map(|change| change.at).collect();
        assert_eq!(at, [40, 46]);
    }

    /// Noise of a made-up history with a deviation of 1 %.
    #[derive(Clone, Copy)]
    enum Noise {
        Normal,
        /// Student's t with 3 degrees of freedom.
        HeavyTailed,
        /// Normal, with a lag-1 correlation of 0.5.
        Correlated,
    }

    /// Histories that show a change, and those that show one within a run of the place at which
    /// `loss` begins.
    fn shown(noise: Noise, runs: usize, at: usize, loss: f64, trials: usize) -> [usize; 2] {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(runs as u64);
        let mut uniform = || (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut normal = || {
            let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
            radius * (std::f64::consts::TAU * uniform()).cos()
        };
        let mut state = 0.0;
        let mut step = || match noise {
            Noise::Normal => normal(),
            Noise::HeavyTailed => {
                let squares: f64 = (0..3).map(|_| normal().powi(2)).sum();
                normal() / squares.sqrt()
            }
            Noise::Correlated => {
                state = 0.5 * state + 0.75_f64.sqrt() * normal();
                state
            }
        };
        let mut counts = [0; 2];
        for _ in 0..trials {
            let level = |index: usize| if index < at { 1.0 } else { 1.0 - loss };
            let values: Vec<f64> = (0..runs)
                .map(|index| level(index) * (0.01 * step()).exp())
                .collect();
            let found = LevelChanges::of(&values).expect("enough runs").changes;
            counts[0] += usize::from(!found.is_empty());
            counts[1] += usize::from(found.iter().any(|one| one.at.abs_diff(at) <= 1));
        }
        counts
    }

    #[test]
    fn fewer_than_one_in_a_hundred_histories_without_a_change_show_one() {
        for noise in [Noise::Normal, Noise::HeavyTailed] {
            let [any, _] = shown(noise, 30, 30, 0.0, 1_000);
            println!("{any} of 1,000");
            assert!(any < 10, "{any} of 1,000");
        }
    }

    #[test]
    fn alike_neighbours_look_like_a_change_in_one_of_twelve_at_most() {
        let [any, _] = shown(Noise::Correlated, 30, 30, 0.0, 400);
        println!("{any} of 400");
        assert!(any <= 33, "{any} of 400");
    }

    #[test]
    fn a_loss_of_three_percent_is_found_at_its_run() {
        for (noise, runs) in [
            (Noise::Normal, 30),
            (Noise::Normal, 60),
            (Noise::HeavyTailed, 60),
        ] {
            let found = shown(noise, runs, runs * 2 / 3, 0.03, 100);
            println!("{runs}: {found:?} of 100");
            assert!(found[1] >= 90, "{found:?} of 100");
        }
    }
}

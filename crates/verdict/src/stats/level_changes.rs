//! Where the level of a history of runs changed, and how sure that is.
//!
//! Places are proposed by segmentation (`segments.rs`). Whoever looks for the largest step of a
//! series finds one in any noise, so that each place has to stand against the largest step of the
//! same values in random order (A. N. Pettitt's question, "A non-parametric approach to the
//! change-point problem", 1979, answered by permutation as in D. S. Matteson and N. A. James,
//! JASA 2014).

use super::autocorrelation::autocorrelation;
use super::rank_sum::rank_sum;
use super::segments::{level_shifts, segments};
use super::shift::Shift;
use super::spread::median;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::Serialize;

/// Fewer runs do not tell of levels.
pub const LEAST_RUNS: usize = 8;
/// Random orders of a stretch.
const ORDERS: u32 = 999;
/// Largest share of orders with as large a step: one in a hundred, for a history is looked at
/// often.
const SURE: f64 = 0.01;
/// The most runs next to a change that are compared with each other.
const BESIDE: usize = 200;
/// Correlation of neighbours within levels from which random orders say too much.
const CORRELATED: f64 = 0.3;
/// Deviations of logarithms below which values are as good as equal.
const ROUNDING: f64 = 1e-9;

/// A stretch of runs around one value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
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
pub struct LevelChange {
    /// Position of the first run of the new level.
    pub at: usize,
    /// New over old level (Hodges-Lehmann) with its interval, as if the place had been known
    /// before. Its `p` is the share of random orders of these runs, the order found among them,
    /// whose largest step anywhere is as large.
    pub ratio: Shift,
}

/// What a history of one number shows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelChanges {
    /// The levels, in order; one if nothing changed.
    pub levels: Vec<Level>,
    /// The changes between them, one fewer.
    pub changes: Vec<LevelChange>,
    /// Lag-1 correlation of neighbours within the levels, where it is above 0.3 and above
    /// what chance gives so few runs: random orders then find changes too easily.
    pub correlation: Option<f64>,
}

impl LevelChanges {
    /// Looks for changes in the positive values of runs in the order in which they were made;
    /// `None` with fewer than [`LEAST_RUNS`] or with a value that is not positive. Steps below 5 %
    /// are not looked for.
    pub fn of(values: &[f64]) -> Option<Self> {
        let usable = values.iter().all(|value| *value > 0.0 && value.is_finite());
        if values.len() < LEAST_RUNS || !usable {
            return None;
        }
        let logs: Vec<f64> = values.iter().map(|value| value.ln()).collect();
        let mut shifts = level_shifts(values);
        loop {
            let unsure = windows(values.len(), &shifts)
                .map(|(begin, at, end)| (at, p_of_step(&logs[begin..end])));
            let unsure = unsure.filter(|(_, p)| *p > SURE);
            let Some((weakest, _)) = unsure.max_by(|one, two| one.1.total_cmp(&two.1)) else {
                break;
            };
            shifts.retain(|at| *at != weakest);
        }
        let changes = windows(values.len(), &shifts)
            .filter_map(|(begin, at, end)| change(&logs, begin, at, end))
            .collect();
        let levels = segments(values.len(), &shifts).into_iter();
        let levels: Vec<Level> = levels
            .map(|(begin, end)| Level {
                begin,
                runs: end - begin,
                median: median(&values[begin..end]),
            })
            .collect();
        let correlation = correlation(&within(&logs, &levels));
        Some(Self {
            levels,
            changes,
            correlation,
        })
    }
}

/// Begin of the level before each shift, the shift, and end of the level after it.
fn windows(length: usize, shifts: &[usize]) -> impl Iterator<Item = (usize, usize, usize)> {
    let parts = segments(length, shifts);
    let pairs: Vec<_> = parts
        .windows(2)
        .map(|two| (two[0].0, two[1].0, two[1].1))
        .collect();
    pairs.into_iter()
}

fn change(logs: &[f64], begin: usize, at: usize, end: usize) -> Option<LevelChange> {
    let left = &logs[begin.max(at.saturating_sub(BESIDE))..at];
    let right = &logs[at..end.min(at + BESIDE)];
    let p = p_of_step(&logs[begin..end]);
    let ratio = rank_sum(left, right, 0.05)?.shift.exp();
    Some(LevelChange {
        at,
        ratio: Shift { p, ..ratio },
    })
}

/// What is left of the logarithms when each level is taken away.
fn within(logs: &[f64], levels: &[Level]) -> Vec<f64> {
    let mut rest = Vec::with_capacity(logs.len());
    for level in levels {
        let part = &logs[level.begin..level.begin + level.runs];
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        rest.extend(part.iter().map(|value| value - mean));
    }
    rest
}

/// How alike neighbours are, where that is more than chance and more than nothing to speak of.
fn correlation(rest: &[f64]) -> Option<f64> {
    let spread = rest.iter().map(|value| value.abs()).fold(0.0, f64::max);
    let chance = 2.0 / (rest.len() as f64).sqrt();
    let found = autocorrelation(rest, 1);
    (spread > ROUNDING && found > CORRELATED.max(chance)).then_some(found)
}

/// Share of random orders with a step as large as that of this one, always by the same seed.
fn p_of_step(stretch: &[f64]) -> f64 {
    let found = largest_step(stretch);
    let mut order = stretch.to_vec();
    let mut chance = Xoshiro256PlusPlus::seed_from_u64(stretch.len() as u64);
    let as_large = (0..ORDERS).filter(|_| {
        for last in (1..order.len()).rev() {
            // The high half of a product is even to a part in 2^64 / length.
            let other = (u128::from(chance.next_u64()) * (last as u128 + 1)) >> 64;
            order.swap(last, other as usize);
        }
        largest_step(&order) >= found * (1.0 - 1e-12)
    });
    f64::from(1 + as_large.count() as u32) / f64::from(ORDERS + 1)
}

/// The largest difference of means of what is before and after any place, in units of its own
/// standard error but for the noise, which all orders share.
fn largest_step(values: &[f64]) -> f64 {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let (mut sum, mut largest) = (0.0, 0.0_f64);
    for (index, value) in values.iter().enumerate().take(values.len() - 1) {
        sum += value - mean;
        let before = (index + 1) as f64;
        largest = largest.max(sum * sum * n / (before * (n - before)));
    }
    largest
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
            (24, [0.8667, 0.8641, 0.8727, 0.001]),
            (40, [1.0962, 1.0885, 1.1039, 0.001]),
        ];
        assert_eq!(rounded(&found), expected);
    }

    #[test]
    fn three_runs_at_a_new_level_after_ten_are_enough_and_two_are_not() {
        let history = |after: usize| {
            let values: Vec<f64> = wobble(10).chain(wobble(after).map(|w| 0.8 * w)).collect();
            LevelChanges::of(&values)
                .expect("enough runs")
                .changes
                .len()
        };
        assert_eq!([2, 3].map(history), [0, 1]);
    }

    #[test]
    fn too_few_runs_and_values_without_a_logarithm_tell_nothing() {
        assert_eq!(LevelChanges::of(&[1.0; 7]), None);
        assert_eq!(LevelChanges::of(&[0.0; 8]), None);
        let constant = LevelChanges::of(&[5.0; 8]).expect("enough runs");
        assert_eq!((constant.levels.len(), constant.correlation), (1, None));
    }

    /// How many of some histories with a coefficient of variation of 1 to 5 % show a change, or
    /// where there is a loss two thirds down show that one within a run. 60 histories, or as many
    /// as `FATHOM_TRIALS` said when this was compiled.
    fn shown(runs: usize, r1: f64, loss: f64) -> usize {
        let mut chance = Xoshiro256PlusPlus::seed_from_u64(runs as u64);
        let mut uniform = || (chance.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let at = runs * 2 / 3;
        let mut trial = || {
            let cv = 0.01 + 0.04 * uniform();
            let mut normal = || {
                let radius = (-2.0 * (1.0 - uniform()).ln()).sqrt();
                radius * (std::f64::consts::TAU * uniform()).cos()
            };
            let mut state = normal();
            let values: Vec<f64> = (0..runs)
                .map(|index| {
                    state = r1 * state + (1.0 - r1 * r1).sqrt() * normal();
                    let level = if index < at { 1.0 } else { 1.0 - loss };
                    level * (1.0 + cv * state)
                })
                .collect();
            let found = LevelChanges::of(&values).expect("enough runs");
            let near = |change: &LevelChange| change.at.abs_diff(at) <= 1;
            if loss > 0.0 {
                found.changes.iter().any(near)
            } else {
                !found.changes.is_empty()
            }
        };
        (0..trials()).filter(|_| trial()).count()
    }

    fn trials() -> usize {
        option_env!("FATHOM_TRIALS").map_or(60, |number| number.parse().expect("a number"))
    }

    #[test]
    fn a_history_without_a_change_shows_one_in_a_hundred_at_most() {
        let found = [12, 30, 100].map(|runs| shown(runs, 0.0, 0.0));
        println!("{found:?} of {}", trials());
        // Found in 500: none.
        assert!(found.iter().all(|seen| seen * 100 <= trials()), "{found:?}");
    }

    #[test]
    fn alike_neighbours_look_like_a_change_in_one_of_ten_at_most() {
        let found = [12, 30, 100].map(|runs| shown(runs, 0.5, 0.0));
        println!("{found:?} of {}", trials());
        // Found in 500: 3, 23 and 34.
        assert!(found.iter().all(|seen| seen * 10 <= trials()), "{found:?}");
    }

    #[test]
    fn a_loss_of_a_tenth_is_found_at_its_run() {
        let found = [30, 100].map(|runs| shown(runs, 0.0, 0.1));
        println!("{found:?} of {}", trials());
        // Found in 500: 476 and 487; of 12 runs, four of them after it, 172.
        assert!(
            found.iter().all(|seen| seen * 10 >= 9 * trials()),
            "{found:?}"
        );
    }
}

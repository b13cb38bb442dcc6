//! Level shifts of a series: where one plateau ends and the next begins.
//!
//! Optimal partitioning with a penalty for each change (R. Killick, P. Fearnhead, I. Eckley,
//! "Optimal detection of changepoints with a linear computational cost", JASA 2012, whose pruning
//! keeps long series cheap). A segment costs the sum of squared deviations from its mean, a change
//! `3 sigma^2 ln n`; what then is too small or too unsure for a positive quantity is dropped.

use super::autocorrelation::autocorrelation;
use super::rank_sum::rank_sum;
use super::spread::median;

/// Weight of a change.
pub const PENALTY: f64 = 3.0;
/// Points from which a segment has at least three instead of two.
pub const LONG: usize = 60;
/// Ratio of largest to smallest value from which levels are compared as logarithms.
pub const WIDE: f64 = 20.0;
/// Smallest ratio of two levels that counts as a change.
pub const LEAST_STEP: f64 = 1.05;
/// Points on each side from which ranks decide.
pub const RANKED: usize = 8;
/// Largest p of a change that ranks decide.
pub const SURE: f64 = 0.001;
/// Steps in sigmas that count where ranks cannot decide.
pub const LARGE_STEP: f64 = 4.0;
/// Correlation of neighbours from which the penalty is raised.
pub const CORRELATED: f64 = 0.3;
/// Points of each side that are ranked at most.
const RANKED_AT_MOST: usize = 200;

/// Standard deviation of the noise, robust to level shifts: from the median absolute deviation of
/// the differences. A constant series counts as noisy by a thousandth of its median.
pub fn noise(series: &[f64]) -> f64 {
    let steps: Vec<f64> = series.windows(2).map(|two| two[1] - two[0]).collect();
    let middle = median(&steps);
    let deviations: Vec<f64> = steps.iter().map(|step| (step - middle).abs()).collect();
    let sigma = 1.4826 * median(&deviations) / std::f64::consts::SQRT_2;
    if sigma > 0.0 {
        sigma
    } else {
        (0.001 * median(series).abs()).max(1e-9)
    }
}

/// Positions (from 0) at which a new level begins, rising; without those of the first value.
pub fn level_shifts(series: &[f64]) -> Vec<usize> {
    let positive = series.iter().all(|value| *value > 0.0);
    let highest = series.iter().copied().fold(f64::MIN, f64::max);
    let lowest = series.iter().copied().fold(f64::MAX, f64::min);
    if positive && highest / lowest > WIDE {
        let logarithms: Vec<f64> = series.iter().map(|value| value.log10()).collect();
        drop_small(
            series,
            best_shifts(&logarithms),
            LEAST_STEP,
            &by_noise_of(series),
        )
    } else if positive {
        drop_small(
            series,
            best_shifts(series),
            LEAST_STEP,
            &by_noise_of(series),
        )
    } else {
        best_shifts(series)
    }
}

/// The same for rates whose noise is a share of each, as a shaper's is: levels are compared as
/// logarithms, so that a high one is not taken for several. None where a rate is not above zero.
/// Levels count as such from a ratio of `least_step` on.
pub(super) fn rate_shifts(rates: &[f64], least_step: f64) -> Vec<usize> {
    if rates.iter().any(|rate| *rate <= 0.0) {
        return Vec::new();
    }
    let logarithms: Vec<f64> = rates.iter().map(|rate| rate.ln()).collect();
    let large = LARGE_STEP * noise(&logarithms);
    let is_large = |left: f64, right: f64| (right / left).ln().abs() >= large;
    drop_small(rates, best_shifts(&logarithms), least_step, &is_large)
}

/// Whether a step from a median to another is large compared with the noise of a series.
fn by_noise_of(series: &[f64]) -> impl Fn(f64, f64) -> bool {
    let large = LARGE_STEP * noise(series);
    move |left, right| (right - left).abs() >= large
}

/// Shifts of a series as its scale is, the small ones included.
fn best_shifts(scaled: &[f64]) -> Vec<usize> {
    let least = if scaled.len() >= LONG { 3 } else { 2 };
    if scaled.len() < 2 * least {
        return Vec::new();
    }
    let sigma = noise(scaled);
    let penalty = PENALTY * sigma * sigma * (scaled.len() as f64).ln();
    let shifts = partition(scaled, penalty, least);
    let correlation = autocorrelation(&residuals(scaled, &shifts), 1);
    if correlation > CORRELATED && !shifts.is_empty() {
        let raised = penalty * (1.0 + correlation) / (1.0 - correlation);
        return partition(scaled, raised, least);
    }
    shifts
}

/// What is left of a series when each level is taken away.
fn residuals(series: &[f64], shifts: &[usize]) -> Vec<f64> {
    let mut rest = Vec::with_capacity(series.len());
    for (begin, end) in segments(series.len(), shifts) {
        let part = &series[begin..end];
        let mean = part.iter().sum::<f64>() / part.len() as f64;
        rest.extend(part.iter().map(|value| value - mean));
    }
    rest
}

/// Begin and end of each level of a series of `length` values with these shifts.
pub fn segments(length: usize, shifts: &[usize]) -> Vec<(usize, usize)> {
    let begins = std::iter::once(0).chain(shifts.iter().copied());
    let ends = shifts.iter().copied().chain(std::iter::once(length));
    begins.zip(ends).collect()
}

fn partition(series: &[f64], penalty: f64, least: usize) -> Vec<usize> {
    let count = series.len();
    let mut sums = vec![0.0; count + 1];
    let mut squares = vec![0.0; count + 1];
    // Around the median the squares stay small, and so does their rounding.
    let middle = median(series);
    for (index, value) in series.iter().enumerate() {
        let value = value - middle;
        sums[index + 1] = sums[index] + value;
        squares[index + 1] = squares[index] + value * value;
    }
    let cost = |begin: usize, end: usize| {
        let sum = sums[end] - sums[begin];
        (squares[end] - squares[begin] - sum * sum / (end - begin) as f64).max(0.0)
    };
    let mut best = vec![f64::INFINITY; count + 1];
    best[0] = -penalty;
    let mut before = vec![0; count + 1];
    let mut candidates: Vec<usize> = vec![0];
    for end in least..=count {
        let reached = |begin: usize| best[begin] + cost(begin, end);
        let usable = candidates
            .iter()
            .copied()
            .filter(|begin| end - begin >= least);
        let Some(begin) = usable.min_by(|a, b| reached(*a).total_cmp(&reached(*b))) else {
            continue;
        };
        let total = reached(begin) + penalty;
        // A begin that costs more than this end without a penalty never wins again.
        candidates.retain(|begin| end - begin < least || best[*begin] + cost(*begin, end) <= total);
        best[end] = total;
        before[end] = begin;
        candidates.push(end);
    }
    let mut shifts = Vec::new();
    let mut at = before[count];
    while at > 0 {
        shifts.push(at);
        at = before[at];
    }
    shifts.reverse();
    shifts
}

/// Drops changes that are small or unsure, the weakest first, until all that are left are not.
fn drop_small(
    series: &[f64],
    mut shifts: Vec<usize>,
    least_step: f64,
    is_large: &impl Fn(f64, f64) -> bool,
) -> Vec<usize> {
    loop {
        let parts = segments(series.len(), &shifts);
        let weak = parts.windows(2).enumerate().filter_map(|(index, two)| {
            let left = &series[two[0].0..two[0].1];
            let right = &series[two[1].0..two[1].1];
            let step = (median(right) / median(left)).ln().abs();
            let is_small = step < least_step.ln();
            (is_small || !counts(left, right, is_large)).then_some((index, step))
        });
        let Some((weakest, _)) = weak.min_by(|a, b| a.1.total_cmp(&b.1)) else {
            return shifts;
        };
        shifts.remove(weakest);
    }
}

fn counts(left: &[f64], right: &[f64], is_large: &impl Fn(f64, f64) -> bool) -> bool {
    if left.len().min(right.len()) < RANKED {
        return is_large(median(left), median(right));
    }
    let left = &left[left.len().saturating_sub(RANKED_AT_MOST)..];
    let right = &right[..right.len().min(RANKED_AT_MOST)];
    rank_sum(left, right, 0.05).is_some_and(|ranks| ranks.shift.p <= SURE)
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 20] = [
        1.02, 0.95, 0.99, 1.00, 1.12, 1.00, 1.01, 0.98, 1.01, 0.96, 0.50, 0.51, 0.48, 0.48, 0.55,
        0.50, 0.49, 0.51, 0.50, 0.49,
    ];
    const B: [f64; 14] = [
        0.3, 2.4, 1.5, -0.9, -0.5, 99.7, 98.3, 99.1, 149.0, 149.7, 149.5, 149.1, 148.8, 150.0,
    ];
    const C: [f64; 20] = [
        3010.0, 2995.0, 3002.0, 2989.0, 3007.0, 2998.0, 3004.0, 2991.0, 3001.0, 2999.0, 612.0,
        598.0, 603.0, 601.0, 595.0, 607.0, 600.0, 599.0, 604.0, 602.0,
    ];
    const D: [f64; 20] = [
        500.0, 505.0, 495.0, 502.0, 498.0, 501.0, 499.0, 503.0, 497.0, 500.0, 470.0, 440.0, 410.0,
        380.0, 350.0, 352.0, 348.0, 351.0, 349.0, 350.0,
    ];
    const E: [f64; 20] = [
        100.3, 99.1, 100.7, 99.9, 100.2, 99.5, 100.1, 100.9, 99.4, 99.8, 100.5, 99.7, 100.0, 100.4,
        99.2, 100.6, 99.6, 100.8, 99.3, 100.0,
    ];

    #[test]
    fn the_published_series_change_where_they_should() {
        assert_eq!(level_shifts(&A), [10]);
        assert_eq!(level_shifts(&B), [5, 8]);
        assert_eq!(level_shifts(&C), [10]);
        assert_eq!(level_shifts(&D), [10, 12, 14]);
        assert_eq!(level_shifts(&E), [0_usize; 0]);
    }

    #[test]
    fn noise_is_that_of_the_differences() {
        for (series, expected) in [(&A[..], 0.031_45), (&B[..], 0.838_69), (&C[..], 8.386_86)] {
            assert!((noise(series) - expected).abs() < 1e-4 * expected.max(1.0));
        }
    }

    #[test]
    fn a_long_series_is_cut_once() {
        let wave = |index: usize| (index as f64 * 0.7).sin() * 5.0;
        let level = |index: usize| if index < 1200 { 1000.0 } else { 700.0 };
        let series: Vec<f64> = (0..2000).map(|index| level(index) + wave(index)).collect();
        assert_eq!(level_shifts(&series), [1200]);
    }

    #[test]
    fn what_is_too_short_has_no_levels() {
        assert_eq!(level_shifts(&[1.0, 9.0, 1.0]), [0_usize; 0]);
        assert_eq!(level_shifts(&[]), [0_usize; 0]);
    }
}

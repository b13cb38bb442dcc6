//! A rate that fell and did not come back: where, from what to what, and in which shape.
//!
//! A bucket of credit ([`fit_bucket`]) is the cleanest of all falls; caches that fill up, heat and
//! garbage collection look otherwise, and their shape is one of the signs that tell them apart.

use super::bucket::{BucketFit, fit_bucket};

/// Least ratio of the rates before and after: the same as of a bucket's.
pub const FALL_LEAST_RATIO: f64 = 1.2;
/// Fewest points on each side.
pub const FALL_FEWEST_POINTS: usize = 5;
/// Standard errors by which both sides differ at least.
pub const FALL_CERTAIN: f64 = 4.0;
/// Share of its side's upper quartile below which a point is a dip.
pub const FALL_DIP: f64 = 0.5;
/// Dips from which the later side is a saw-tooth.
pub const FALL_DIPS: usize = 3;
/// Points half-way between both levels from which the way down is gradual.
pub const FALL_GRADUAL: usize = 3;
/// Share of the step that a point must be away from both levels to be half-way.
const HALF_WAY: f64 = 0.2;

/// How a rate fell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FallShape {
    /// From one level to another within two points.
    Cliff,
    /// Over several points.
    Gradual,
    /// To a level that is left and reached again and again.
    SawTooth,
}

/// A rate that fell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fall {
    /// Position of the first value of the later level.
    pub from: usize,
    /// Mean rate before, in the unit of the series.
    pub before: f64,
    /// Mean rate afterwards.
    pub after: f64,
    /// What was done above the later rate: rate times seconds.
    pub above: f64,
    /// How.
    pub shape: FallShape,
}

impl Fall {
    /// The fall that a bucket makes.
    pub const fn of_bucket(fit: &BucketFit) -> Self {
        Self {
            from: fit.baseline_from,
            before: fit.burst,
            after: fit.baseline,
            above: fit.capacity,
            shape: FallShape::Cliff,
        }
    }
}

/// The fall of a series of rates in intervals of `interval_s`, if it has one: the split into two
/// sides that leaves the least squares, where the first is the higher by far and without doubt.
pub fn find_fall(series: &[f64], interval_s: f64) -> Option<Fall> {
    if let Some(fit) = fit_bucket(series, interval_s) {
        return Some(Fall::of_bucket(&fit));
    }
    let from = best_split(series)?;
    let (left, right) = series.split_at(from);
    let (before, after) = (mean(left), mean(right));
    let error = (variance(left) / left.len() as f64 + variance(right) / right.len() as f64).sqrt();
    if after <= 0.0 || before / after < FALL_LEAST_RATIO {
        return None;
    }
    let shape = shape(series, from, before, after);
    // Teeth are no scatter: three of them, and none before, are certain by themselves.
    let has_teeth =
        shape == FallShape::SawTooth && left.iter().all(|rate| *rate >= FALL_DIP * before);
    if !has_teeth && before - after < FALL_CERTAIN * error {
        return None;
    }
    let above: f64 = left.iter().map(|rate| (rate - after) * interval_s).sum();
    Some(Fall {
        from,
        before,
        after,
        above,
        shape,
    })
}

/// The split that leaves the least squares on both sides: the greatest excursion of the sums.
fn best_split(series: &[f64]) -> Option<usize> {
    let count = series.len();
    if count < 2 * FALL_FEWEST_POINTS {
        return None;
    }
    let total: f64 = series.iter().sum();
    let mut sum: f64 = series[..FALL_FEWEST_POINTS - 1].iter().sum();
    let mut best = (0.0, None);
    for split in FALL_FEWEST_POINTS..=count - FALL_FEWEST_POINTS {
        sum += series[split - 1];
        let (left, right) = (split as f64, (count - split) as f64);
        let step = sum / left - (total - sum) / right;
        let gain = step * step.abs() * left * right / count as f64;
        if gain > best.0 {
            best = (gain, Some(split));
        }
    }
    best.1
}

fn shape(series: &[f64], from: usize, before: f64, after: f64) -> FallShape {
    let right = &series[from..];
    let mut sorted = right.to_vec();
    sorted.sort_by(f64::total_cmp);
    let high = sorted[sorted.len() * 3 / 4];
    let is_dip = |rate: f64| rate < FALL_DIP * high;
    let begins = right
        .windows(2)
        .filter(|two| !is_dip(two[0]) && is_dip(two[1]))
        .count();
    if begins >= FALL_DIPS {
        return FallShape::SawTooth;
    }
    let step = before - after;
    let half_way = |rate: &f64| *rate < before - HALF_WAY * step && *rate > after + HALF_WAY * step;
    let down = series[..from]
        .iter()
        .rev()
        .take_while(|rate| half_way(rate));
    let on = right.iter().take_while(|rate| half_way(rate));
    if down.count() + on.count() >= FALL_GRADUAL {
        FallShape::Gradual
    } else {
        FallShape::Cliff
    }
}

fn mean(part: &[f64]) -> f64 {
    part.iter().sum::<f64>() / part.len() as f64
}

fn variance(part: &[f64]) -> f64 {
    let mean = mean(part);
    let squares: f64 = part.iter().map(|value| (value - mean).powi(2)).sum();
    squares / (part.len() as f64 - 1.0).max(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape_of(series: &[f64]) -> Option<(usize, FallShape)> {
        find_fall(series, 1.0).map(|fall| (fall.from, fall.shape))
    }

    #[test]
    fn each_shape_is_told() {
        let cliff = [vec![3000.0; 7], vec![1400.0], vec![300.0; 6]].concat();
        assert_eq!(shape_of(&cliff), Some((8, FallShape::Cliff)));
        let slope: Vec<f64> = (0..30)
            .map(|second| (1500.0 - 50.0 * f64::from(second)).clamp(600.0, 1000.0))
            .collect();
        assert_eq!(shape_of(&slope), Some((15, FallShape::Gradual)));
        let teeth = (0..30).map(|second| match second {
            0..10 => 1000.0,
            _ if second % 4 == 0 => 100.0,
            _ => 980.0,
        });
        let teeth: Vec<f64> = teeth.collect();
        assert_eq!(shape_of(&teeth), Some((12, FallShape::SawTooth)));
    }

    #[test]
    fn what_was_done_above_the_later_rate_is_added_up() {
        let series = [vec![500.0; 10], vec![200.0; 10]].concat();
        let fall = find_fall(&series, 2.0).expect("a fall");
        assert_eq!(
            (fall.before, fall.after, fall.above),
            (500.0, 200.0, 6000.0)
        );
    }

    #[test]
    fn what_rises_or_only_wobbles_does_not_fall() {
        let rising = [vec![300.0; 10], vec![3000.0; 10]].concat();
        let wobbling: Vec<f64> = (0..40).map(|n| 1000.0 + 150.0 * f64::from(n % 3)).collect();
        let one_stall = [vec![1000.0; 12], vec![10.0], vec![1000.0; 12]].concat();
        for series in [rising, wobbling, one_stall, vec![1000.0; 9], Vec::new()] {
            assert_eq!(shape_of(&series), None);
        }
    }
}

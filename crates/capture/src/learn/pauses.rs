//! How long the tasks of a closed load pause, and how that changes over the trace.

use super::buckets::Buckets;
use fathom_core::spec::{PauseLength, RateCurve};
use fathom_core::{Nanos, Percent};

/// Length of the intervals at first, and how many there are before two become one.
const INTERVAL_NS: u64 = 1_000_000_000;
const MOST_INTERVALS: usize = 60;
/// Fewer intervals show no change.
const LEAST_INTERVALS: usize = 6;
/// Fewer pauses show neither lengths nor a change.
const LEAST_PAUSES: u64 = 100;
/// Means of intervals differ more than those of pauses that do not change, by this factor in the
/// variance and by this number of deviations.
const BEYOND: (f64, f64) = (2.0, 4.0);
/// Least standard deviation of these means, as a share of their mean.
const LEAST_CHANGE: f64 = 0.1;
/// Pauses that vary less, as a share of their mean, are alike.
const ALIKE: f64 = 0.3;
/// Buckets that become one length: a factor of two.
const STEPS: usize = 8;
/// Level of an interval with pauses of the mean length.
const MEAN_LEVEL: f64 = 100.0;
/// The highest level: pauses may be shorter than can be paused.
const MOST_LEVEL: f64 = 100_000.0;

/// Pauses of some tasks.
#[derive(Clone, Debug, Default)]
pub(super) struct Pauses {
    doublings: u32,
    intervals: Vec<Interval>,
}

/// Those that ended in one interval.
#[derive(Clone, Debug, Default)]
struct Interval {
    lengths: Buckets,
    count: u64,
    sum_ns: f64,
    squares: f64,
}

/// What the pauses of a load are like.
#[derive(Clone, Debug, Default)]
pub(super) struct PauseShape {
    /// Nothing where they are alike.
    pub(super) lengths: Vec<PauseLength>,
    /// None where they hardly change.
    pub(super) curve: Option<RateCurve>,
    /// Mean length in equal intervals of the trace, nanoseconds.
    pub(super) means_ns: Vec<f64>,
}

impl Pauses {
    pub(super) fn add(&mut self, at_ns: u64, length_ns: u64) {
        let mut position = at_ns / self.every_ns();
        while position >= MOST_INTERVALS as u64 {
            self.double();
            position = at_ns / self.every_ns();
        }
        let interval = self.interval(position as usize);
        let length = length_ns as f64;
        interval.lengths.add(length_ns);
        interval.count += 1;
        interval.sum_ns += length;
        interval.squares += length * length;
    }

    pub(super) fn join(&mut self, other: &Self) {
        while self.doublings < other.doublings {
            self.double();
        }
        let factor = 1_usize << (self.doublings - other.doublings);
        for (number, interval) in other.intervals.iter().enumerate() {
            self.interval(number / factor).join(interval);
        }
    }

    /// Makes one interval of two.
    fn double(&mut self) {
        let halves = std::mem::take(&mut self.intervals);
        for (number, half) in halves.iter().enumerate() {
            self.interval(number / 2).join(half);
        }
        self.doublings += 1;
    }

    /// What a load like it needs.
    pub(super) fn shape(&self) -> PauseShape {
        let mut whole = Interval::default();
        for interval in &self.intervals {
            whole.join(interval);
        }
        if whole.count < LEAST_PAUSES {
            return PauseShape::default();
        }
        let mean_ns = whole.mean_ns();
        let Some(means_ns) = self.changing(&whole) else {
            let lengths = lengths([(&whole, mean_ns)]);
            let (curve, means_ns) = (None, vec![mean_ns]);
            return PauseShape {
                lengths,
                curve,
                means_ns,
            };
        };
        // Rates are as much higher as pauses are shorter.
        let count = means_ns.len() as f64;
        let harmonic = count / means_ns.iter().map(|mean_ns| 1.0 / mean_ns).sum::<f64>();
        let level = |mean_ns: &f64| {
            let level = MEAN_LEVEL * harmonic / mean_ns;
            level.round().clamp(1.0, MOST_LEVEL) as u32
        };
        let curve = RateCurve {
            every: Nanos(self.every_ns()),
            levels: means_ns.iter().map(level).collect(),
        };
        PauseShape {
            lengths: lengths(self.intervals.iter().zip(means_ns.iter().copied())),
            curve: Some(curve),
            means_ns,
        }
    }

    /// Mean lengths of the intervals, if they change.
    fn changing(&self, whole: &Interval) -> Option<Vec<f64>> {
        let mean_ns = whole.mean_ns();
        let some: Vec<&Interval> = self.intervals.iter().filter(|one| one.count > 0).collect();
        if self.intervals.len() < LEAST_INTERVALS || some.len() < LEAST_INTERVALS {
            return None;
        }
        let between = some
            .iter()
            .map(|one| one.count as f64 * (one.mean_ns() - mean_ns).powi(2))
            .sum::<f64>();
        let within = some.iter().map(|one| one.deviations()).sum::<f64>();
        let free = (some.len() - 1) as f64;
        let rest = whole.count.saturating_sub(some.len() as u64).max(1) as f64;
        let chance = 1.0 + BEYOND.1 * (2.0 / free).sqrt();
        let is_chance = between / free <= within / rest * chance.max(BEYOND.0);
        let deviation = (between / whole.count as f64).sqrt();
        if is_chance || deviation < LEAST_CHANGE * mean_ns {
            return None;
        }
        let each = self.intervals.iter();
        let mean_of = |one: &Interval| match one.count {
            0 => mean_ns,
            _ => one.mean_ns(),
        };
        Some(each.map(mean_of).collect())
    }

    const fn every_ns(&self) -> u64 {
        INTERVAL_NS << self.doublings
    }

    fn interval(&mut self, number: usize) -> &mut Interval {
        if self.intervals.len() <= number {
            self.intervals.resize_with(number + 1, Interval::default);
        }
        &mut self.intervals[number]
    }
}

impl Interval {
    fn join(&mut self, other: &Self) {
        self.lengths.join(&other.lengths);
        self.count += other.count;
        self.sum_ns += other.sum_ns;
        self.squares += other.squares;
    }

    fn mean_ns(&self) -> f64 {
        self.sum_ns / self.count.max(1) as f64
    }

    /// Sum of the squares of the deviations from the mean.
    fn deviations(&self) -> f64 {
        (self.squares - self.sum_ns * self.mean_ns()).max(0.0)
    }
}

/// Lengths in units of a thousandth of the means, with their shares; nothing if all are alike.
fn lengths<'a>(intervals: impl IntoIterator<Item = (&'a Interval, f64)>) -> Vec<PauseLength> {
    let mut relative = Buckets::default();
    let (mut count, mut squares) = (0.0, 0.0);
    for (interval, mean_ns) in intervals {
        count += interval.count as f64;
        squares += interval.deviations() / mean_ns.max(1.0).powi(2);
        for (value_ns, number) in interval.lengths.each() {
            let scaled = (value_ns / mean_ns.max(1.0) * 1000.0).round().max(1.0);
            relative.add_many(scaled as u64, number);
        }
    }
    if (squares / f64::max(count, 1.0)).sqrt() < ALIKE {
        return Vec::new();
    }
    let each: Vec<(f64, u32)> = relative.each().collect();
    let groups = each.chunks(STEPS).filter_map(|group| {
        let all: f64 = group.iter().map(|(_, number)| f64::from(*number)).sum();
        let sum: f64 = group
            .iter()
            .map(|(value, number)| value * f64::from(*number))
            .sum();
        let share = (all / count * 1e6).round() / 1e4;
        let length = (sum / all).round().max(1.0);
        (share > 0.0).then_some(PauseLength {
            share: Percent(share),
            length: length as u32,
        })
    });
    groups.collect()
}

#[cfg(test)]
mod tests {
    use super::super::reuse::hash;
    use super::*;

    fn pauses(length_of: impl Fn(u64, f64) -> f64) -> PauseShape {
        let mut pauses = Pauses::default();
        for number in 0..60_000 {
            let uniform = (hash(number) >> 11) as f64 / (1_u64 << 53) as f64;
            pauses.add(number * 1_000_000, length_of(number, uniform) as u64);
        }
        pauses.shape()
    }

    #[test]
    fn pauses_that_are_alike_have_no_lengths() {
        let found = pauses(|_, uniform| 900_000.0 + 200_000.0 * uniform);
        assert_eq!((found.lengths, found.curve), (vec![], None));
    }

    #[test]
    fn two_lengths_are_found_with_their_shares() {
        let found = pauses(|_, uniform| if uniform < 0.9 { 1e5 } else { 5e6 });
        let factors = PauseLength::factors(&found.lengths);
        let rounded: Vec<(u32, u32)> = factors
            .iter()
            .map(|(share, factor)| ((share * 50.0).round() as u32, (factor * 20.0) as u32))
            .collect();
        assert_eq!((rounded, found.curve), (vec![(45, 3), (5, 170)], None));
    }

    #[test]
    fn pauses_that_become_shorter_have_a_curve_and_no_lengths() {
        let found = pauses(|number, _| if number < 30_000 { 4e6 } else { 1e6 });
        let levels = [vec![40; 30], vec![160; 30]].concat();
        let every = Nanos::from_secs(1);
        assert_eq!(
            (found.lengths, found.curve),
            (vec![], Some(RateCurve { every, levels }))
        );
    }
}

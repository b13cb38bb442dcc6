//! The time axis of a series: every interval, or bins of intervals where they are too many to be
//! distinguished.

use fathom_core::interval::Part;
use std::ops::Range;

/// Points of a line, at most: as many as a screen can tell apart. What a bin hides is between its
/// smallest and its largest interval, which are drawn too.
pub(crate) const MOST: usize = 480;

/// When an interval was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// Nanoseconds after the start of the axis.
    pub(crate) start_ns: u64,
    /// Nanoseconds.
    pub(crate) length_ns: u64,
    /// Which part of the phase; a bin never spans two.
    pub(crate) part: Part,
    /// Which phase, where there are several; nor does it span two of these.
    pub(crate) phase: usize,
}

/// The axis of one or more series.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    slices: Vec<Slice>,
    /// Intervals in a full bin.
    size: usize,
    bins: Vec<Range<usize>>,
}

/// A point of the axis: one interval, or a bin of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tick {
    /// Seconds after the start of the axis.
    pub(crate) from_s: f64,
    pub(crate) to_s: f64,
    /// Whether it follows the one before without a gap.
    pub(crate) follows: bool,
}

/// A series in the points of its axis; NaN is a gap.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Level {
    /// The value, or what stands for those of a bin.
    pub(crate) value: Vec<f64>,
    /// The smallest of a bin; empty where a bin is one interval.
    pub(crate) low: Vec<f64>,
    /// The largest.
    pub(crate) high: Vec<f64>,
}

/// What stands for the values of a bin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reduce {
    /// The mean over time: of rates and levels.
    Mean,
    /// The middle one: of percentiles, which cannot be averaged.
    Median,
    /// The largest: of maxima.
    Largest,
}

impl Clock {
    /// The axis of intervals, oldest first, in at most about `most` points.
    pub(crate) fn new(slices: Vec<Slice>, most: usize) -> Self {
        let mut size = slices.len().div_ceil(most.max(1)).max(1);
        let mut bins = self::bins(&slices, size);
        // Bins end with parts and phases, which makes a few more.
        while bins.len() > most + most / 4 && size < slices.len() {
            size += size.div_ceil(4);
            bins = self::bins(&slices, size);
        }
        Self { slices, size, bins }
    }

    /// The points.
    pub(crate) fn ticks(&self) -> Vec<Tick> {
        let mut before = None;
        let tick = |bin: &Range<usize>| {
            let (from, to) = (self.slices[bin.start], self.slices[bin.end - 1].end_ns());
            let is_next = |(end, phase): (u64, usize)| {
                phase == from.phase && from.start_ns.abs_diff(end) <= from.length_ns
            };
            let follows = before.is_some_and(is_next);
            before = Some((to, from.phase));
            Tick {
                from_s: from.start_ns as f64 / 1e9,
                to_s: to as f64 / 1e9,
                follows,
            }
        };
        self.bins.iter().map(tick).collect()
    }

    /// Intervals in a full bin; 1 is every interval by itself.
    pub(crate) const fn bin(&self) -> usize {
        self.size
    }

    /// A series with a value for each interval; NaN is a gap.
    pub(crate) fn level(&self, values: &[f64], reduce: Reduce) -> Level {
        let mut level = Level {
            value: Vec::with_capacity(self.bins.len()),
            low: Vec::new(),
            high: Vec::new(),
        };
        for bin in &self.bins {
            let known = |index: &usize| values.get(*index).is_some_and(|value| value.is_finite());
            let known: Vec<usize> = bin.clone().filter(known).collect();
            let middle = self.middle(values, &known, reduce);
            level.value.push(middle.unwrap_or(f64::NAN));
            if self.size > 1 && reduce != Reduce::Largest {
                let known = known.iter().map(|index| values[*index]);
                let low = known.clone().reduce(f64::min);
                level.low.push(low.unwrap_or(f64::NAN));
                level.high.push(known.reduce(f64::max).unwrap_or(f64::NAN));
            }
        }
        level
    }

    fn middle(&self, values: &[f64], known: &[usize], reduce: Reduce) -> Option<f64> {
        if let [only] = known {
            return Some(values[*only]);
        }
        let mut sorted: Vec<f64> = known.iter().map(|index| values[*index]).collect();
        match reduce {
            Reduce::Mean => {
                let length = |index: &usize| self.slices[*index].length_ns as f64;
                let total: f64 = known.iter().map(length).sum();
                let weighted: f64 = known.iter().map(|i| values[*i] * length(i)).sum();
                (total > 0.0).then(|| weighted / total)
            }
            Reduce::Median => {
                sorted.sort_by(f64::total_cmp);
                // The lower of two: it is a value that was seen.
                sorted.get(sorted.len().saturating_sub(1) / 2).copied()
            }
            Reduce::Largest => sorted.into_iter().reduce(f64::max),
        }
    }
}

impl Slice {
    /// Nanoseconds after the start of the axis.
    pub(crate) const fn end_ns(&self) -> u64 {
        self.start_ns + self.length_ns
    }
}

/// Neighbours in bins of `size`, each within one part of one phase.
fn bins(slices: &[Slice], size: usize) -> Vec<Range<usize>> {
    let mut bins: Vec<Range<usize>> = Vec::new();
    for (index, slice) in slices.iter().enumerate() {
        let fits = |last: &Range<usize>| {
            let first = &slices[last.start];
            last.len() < size && (first.part, first.phase) == (slice.part, slice.phase)
        };
        match bins.last_mut() {
            Some(last) if fits(last) => last.end = index + 1,
            _ => bins.push(index..index + 1),
        }
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slices(count: usize, warm_up: usize) -> Vec<Slice> {
        (0..count)
            .map(|index| Slice {
                start_ns: index as u64 * 1_000_000_000,
                length_ns: 1_000_000_000,
                part: if index < warm_up {
                    Part::WarmUp
                } else {
                    Part::Measure
                },
                phase: 0,
            })
            .collect()
    }

    #[test]
    fn few_intervals_are_drawn_one_by_one() {
        let clock = Clock::new(slices(3, 1), MOST);
        let level = clock.level(&[1.0, 2.0, 3.0], Reduce::Mean);
        assert_eq!(
            (level.value, level.low, level.high),
            (vec![1.0, 2.0, 3.0], vec![], vec![])
        );
        let times: Vec<_> = clock
            .ticks()
            .iter()
            .map(|one| (one.from_s, one.to_s))
            .collect();
        assert_eq!(times, [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0)]);
    }

    #[test]
    fn a_day_has_no_more_points_than_a_screen() {
        let sizes = [0, 480, 481, 3_600, 86_400].map(|count| {
            let clock = Clock::new(slices(count, count / 100), MOST);
            (clock.bin(), clock.ticks().len())
        });
        assert_eq!(sizes, [(1, 0), (1, 480), (2, 241), (8, 451), (180, 481)]);
    }

    #[test]
    fn bins_keep_what_the_mean_hides() {
        let bins = bins(&slices(8, 3), 4);
        assert_eq!(bins, [0..3, 3..7, 7..8]);
        let clock = Clock {
            slices: slices(8, 3),
            size: 4,
            bins,
        };
        let values = [5.0, 1.0, 3.0, 10.0, 20.0, 90.0, 40.0, 7.0];
        let level = |reduce| {
            let level = clock.level(&values, reduce);
            (level.value, level.low, level.high)
        };
        let (low, high) = (vec![1.0, 10.0, 7.0], vec![5.0, 90.0, 7.0]);
        assert_eq!(
            level(Reduce::Mean),
            (vec![3.0, 40.0, 7.0], low.clone(), high.clone())
        );
        assert_eq!(level(Reduce::Median), (vec![3.0, 20.0, 7.0], low, high));
        assert_eq!(
            level(Reduce::Largest),
            (vec![5.0, 90.0, 7.0], vec![], vec![])
        );
    }

    #[test]
    fn a_pause_between_phases_breaks_the_line() {
        let mut slices = slices(3, 0);
        slices[2].start_ns += 9_000_000_000;
        slices[2].phase = 1;
        let ticks = Clock::new(slices, MOST).ticks();
        let follows: Vec<bool> = ticks.iter().map(|one| one.follows).collect();
        assert_eq!(follows, [false, true, false]);
    }
}

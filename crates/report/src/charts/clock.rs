//! The time axis of a series in several grains: every interval where that is not too much, and
//! bins of four, sixteen … intervals for whoever looks from afar.

use super::number::Number;
use fathom_core::interval::Part;
use serde::{Serialize, Serializer};
use std::ops::Range;

/// Points of the finest grain that goes into the page.
pub(crate) const FINEST: usize = 25_000;

/// Points of the coarsest grain, at most, where there are more intervals.
const COARSEST: usize = 1_500;

/// Intervals of a bin, times this, in the next coarser grain.
const STEP: usize = 4;

/// When an interval was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Slice {
    /// Nanoseconds after the begin of the phase.
    pub(crate) start_ns: u64,
    /// Nanoseconds.
    pub(crate) length_ns: u64,
    /// Which part of the phase; a bin never spans two.
    pub(crate) part: Part,
}

/// The axis of one or more series.
#[derive(Clone, Debug)]
pub(crate) struct Clock {
    slices: Vec<Slice>,
    grains: Vec<Grain>,
}

/// One grain: which intervals each of its points holds.
#[derive(Clone, Debug)]
struct Grain {
    /// Intervals in a full bin.
    size: usize,
    bins: Vec<Range<usize>>,
}

/// A grain of the axis, for the page.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Ticks {
    /// Intervals in a full bin; 1 is every interval by itself.
    pub(crate) bin: usize,
    /// Begins, seconds after the begin of the phase.
    pub(crate) start_s: Vec<Seconds>,
    /// End of the last.
    pub(crate) end_s: Seconds,
}

/// A series in one grain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Level {
    /// The value, or what stands for those of a bin.
    pub(crate) value: Vec<Number>,
    /// The smallest of a bin; empty where a bin is one interval.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) low: Vec<Number>,
    /// The largest.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) high: Vec<Number>,
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
    /// The axis of intervals, oldest first, with at most `finest` points in a grain.
    pub(crate) fn new(slices: Vec<Slice>, finest: usize) -> Self {
        let mut grains = Vec::new();
        let mut size = 1;
        loop {
            let bins = bins(&slices, size);
            let enough = bins.len() <= COARSEST || size >= slices.len();
            if enough || bins.len() <= finest {
                grains.push(Grain { size, bins });
            }
            if enough {
                break;
            }
            size *= STEP;
        }
        Self { slices, grains }
    }

    /// The axis for the page, the finest grain first.
    pub(crate) fn ticks(&self) -> Vec<Ticks> {
        let ticks = |grain: &Grain| Ticks {
            bin: grain.size,
            start_s: grain
                .bins
                .iter()
                .map(|bin| Seconds(self.slices[bin.start].start_ns))
                .collect(),
            end_s: Seconds(self.end_ns()),
        };
        self.grains.iter().map(ticks).collect()
    }

    /// End of the last interval, nanoseconds after the begin of the phase.
    pub(crate) fn end_ns(&self) -> u64 {
        self.slices.last().map_or(0, Slice::end_ns)
    }

    /// Intervals in a bin of the finest grain.
    pub(crate) fn finest(&self) -> usize {
        self.grains.first().map_or(1, |grain| grain.size)
    }

    /// A series with a value for each interval, in all grains; NaN is a gap.
    pub(crate) fn levels(&self, values: &[f64], reduce: Reduce) -> Vec<Level> {
        let level = |grain: &Grain| {
            let mut level = Level {
                value: Vec::with_capacity(grain.bins.len()),
                low: Vec::new(),
                high: Vec::new(),
            };
            for bin in &grain.bins {
                let known: Vec<usize> = bin
                    .clone()
                    .filter(|index| values[*index].is_finite())
                    .collect();
                level.value.push(self.middle(values, &known, reduce).into());
                if grain.size > 1 && reduce != Reduce::Largest {
                    let known = known.iter().map(|index| values[*index]);
                    level.low.push(known.clone().reduce(f64::min).into());
                    level.high.push(known.reduce(f64::max).into());
                }
            }
            level
        };
        self.grains.iter().map(level).collect()
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
    /// Nanoseconds after the begin of the phase.
    pub(crate) fn end_ns(&self) -> u64 {
        self.start_ns + self.length_ns
    }
}

/// Neighbours in bins of `size`, each within one part.
fn bins(slices: &[Slice], size: usize) -> Vec<Range<usize>> {
    let mut bins: Vec<Range<usize>> = Vec::new();
    for (index, slice) in slices.iter().enumerate() {
        match bins.last_mut() {
            Some(last) if last.len() < size && slices[last.start].part == slice.part => {
                last.end = index + 1;
            }
            _ => bins.push(index..index + 1),
        }
    }
    bins
}

/// Nanoseconds, written as seconds to the millisecond: a [`Number`] would round a day's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Seconds(pub(crate) u64);

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let milliseconds = self.0.saturating_add(500_000) / 1_000_000;
        if milliseconds.is_multiple_of(1000) {
            serializer.serialize_u64(milliseconds / 1000)
        } else {
            serializer.serialize_f64(milliseconds as f64 / 1e3)
        }
    }
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
            })
            .collect()
    }

    #[test]
    fn few_intervals_have_one_grain() {
        let clock = Clock::new(slices(3, 1), FINEST);
        let levels = clock.levels(&[1.0, f64::NAN, 3.0], Reduce::Mean);
        assert_eq!(clock.ticks().len(), 1);
        assert_eq!(
            serde_json::to_string(&clock.ticks()).unwrap(),
            r#"[{"bin":1,"start_s":[0,1,2],"end_s":3}]"#
        );
        assert_eq!(
            serde_json::to_string(&levels).unwrap(),
            r#"[{"value":[1,null,3]}]"#
        );
    }

    #[test]
    fn a_day_has_coarser_grains_and_no_finest() {
        let grains = |count| {
            let ticks = Clock::new(slices(count, 0), FINEST).ticks();
            let grain = |ticks: &Ticks| (ticks.bin, ticks.start_s.len());
            ticks.iter().map(grain).collect::<Vec<_>>()
        };
        assert_eq!(grains(86_400), [(4, 21_600), (16, 5_400), (64, 1_350)]);
        assert_eq!(grains(3_600), [(1, 3_600), (4, 900)]);
        assert_eq!(grains(0), [(1, 0)]);
    }

    #[test]
    fn seconds_keep_their_milliseconds() {
        let written = |ns| serde_json::to_string(&Seconds(ns)).unwrap();
        assert_eq!(written(86_399_123_456_789), "86399.123");
        assert_eq!(written(5_000_000_001), "5");
    }

    #[test]
    fn bins_keep_what_the_mean_hides() {
        let bins = bins(&slices(8, 3), 4);
        assert_eq!(bins, [0..3, 3..7, 7..8]);
        let clock = Clock {
            slices: slices(8, 3),
            grains: vec![Grain { size: 4, bins }],
        };
        let values = [5.0, 1.0, 3.0, 10.0, 20.0, 90.0, 40.0, f64::NAN];
        let level = |reduce| {
            let levels = clock.levels(&values, reduce);
            serde_json::to_string(&levels[0]).unwrap()
        };
        assert_eq!(
            level(Reduce::Mean),
            r#"{"value":[3,40,null],"low":[1,10,null],"high":[5,90,null]}"#
        );
        assert_eq!(
            level(Reduce::Median),
            r#"{"value":[3,20,null],"low":[1,10,null],"high":[5,90,null]}"#
        );
        assert_eq!(level(Reduce::Largest), r#"{"value":[5,90,null]}"#);
    }
}

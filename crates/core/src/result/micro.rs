//! What the storage did with writes that were made to ask it: many short rounds of each question,
//! taken in turns, so that what drifts is in all of them alike.

use super::ProbeKind;
use crate::stats::{RankInterval, median, quantile_ranks};
use crate::summary::LatencySummary;
use serde::{Deserialize, Serialize};

/// All rounds of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MicroProbe {
    /// What was asked.
    pub kind: ProbeKind,
    /// Service times of all rounds together, reads or writes; absent where the question is a
    /// flush alone, or where nothing was served.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_ns: Option<LatencySummary>,
    /// The same of its flushes, if it has any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush_ns: Option<LatencySummary>,
    /// The rounds, in the order in which they were made. Those of the same number of different
    /// questions are neighbours in time.
    pub rounds: Vec<ProbeRound>,
}

/// One short round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProbeRound {
    /// Which round of its question, from 0.
    pub number: u32,
    /// Measured time, nanoseconds.
    pub measured_ns: u64,
    /// Reads or writes completed.
    pub ios: u64,
    /// Their bytes a second.
    pub bytes_per_second: f64,
    /// Median service time of reads or writes, nanoseconds, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub median_ns: Option<u64>,
    /// The same of flushes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub flush_median_ns: Option<u64>,
}

/// The middle of the rounds, and between which it lies with 95 % confidence, by ranks: one round of
/// nine, two of twelve may have been disturbed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Middle {
    /// The median.
    pub estimate: f64,
    /// Least that it can be.
    pub low: f64,
    /// Most that it can be.
    pub high: f64,
}

impl Middle {
    /// Of these values; `None` where they are too few (below six) to say anything.
    pub fn of(mut values: Vec<f64>) -> Option<Self> {
        let RankInterval { low, high } = quantile_ranks(values.len() as u64, 0.5);
        values.sort_by(f64::total_cmp);
        let at = |rank: u64| values[rank as usize - 1];
        Some(Self {
            estimate: median(&values),
            low: at(low?),
            high: at(high?),
        })
    }
}

/// A number of a round, if it has it.
pub type OfRound = fn(&ProbeRound) -> Option<f64>;

impl ProbeRound {
    /// Median time of its reads or writes, nanoseconds.
    pub fn service(&self) -> Option<f64> {
        self.median_ns.map(|median| median as f64)
    }

    /// Median time of its flushes, nanoseconds.
    pub fn flush(&self) -> Option<f64> {
        self.flush_median_ns.map(|median| median as f64)
    }

    /// A write and the flush after it, nanoseconds.
    pub fn flushed(&self) -> Option<f64> {
        Some(self.service()? + self.flush()?)
    }

    /// Bytes a second, if there were any.
    pub fn rate(&self) -> Option<f64> {
        (self.bytes_per_second > 0.0).then_some(self.bytes_per_second)
    }
}

impl MicroProbe {
    /// A number over all rounds; `None` where there are too few to say anything.
    pub fn middle(&self, of: OfRound) -> Option<Middle> {
        Middle::of(self.rounds.iter().filter_map(of).collect())
    }

    /// A number over one of another question, from rounds of the same number, which are
    /// neighbours in time; `None` where there are too few to say anything.
    pub fn over(&self, of: OfRound, base: &Self, base_of: OfRound) -> Option<Middle> {
        let ratios = self.rounds.iter().filter_map(|round| {
            let mut others = base.rounds.iter();
            let beside = others.find(|one| one.number == round.number)?;
            let ratio = of(round)? / base_of(beside)?;
            (ratio > 0.0 && ratio.is_finite()).then_some(ratio)
        });
        Middle::of(ratios.collect())
    }

    /// Median service time over all rounds, nanoseconds.
    pub fn median_ns(&self) -> Option<u64> {
        self.service_ns.as_ref()?.percentile("50")
    }

    /// Median of the flushes over all rounds, nanoseconds.
    pub fn flush_median_ns(&self) -> Option<u64> {
        self.flush_ns.as_ref()?.percentile("50")
    }

    /// A write and its flush: the sum of both medians, nanoseconds.
    pub fn flushed_ns(&self) -> Option<u64> {
        Some(self.median_ns()? + self.flush_median_ns()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_nine_and_two_of_twelve_may_be_disturbed() {
        let of = |count: u32, disturbed: u32| {
            let values = (0..count).map(|index| if index < disturbed { 0.0 } else { 1.0 });
            Middle::of(values.collect()).map(|middle| (middle.low, middle.high))
        };
        assert_eq!(of(5, 0), None);
        assert_eq!(of(6, 0), Some((1.0, 1.0)));
        assert_eq!(of(8, 1), Some((0.0, 1.0)));
        assert_eq!(of(9, 1), Some((1.0, 1.0)));
        assert_eq!(of(9, 2), Some((0.0, 1.0)));
        assert_eq!(of(12, 2), Some((1.0, 1.0)));
    }
}

//! What the storage did with writes that were made to ask it: many short rounds of each question,
//! taken in turns, so that what drifts is in all of them alike.

use super::ProbeKind;
use crate::summary::LatencySummary;
use serde::{Deserialize, Serialize};

/// All rounds of one question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// The unit of the writes that are not aligned, bytes.
    pub const SHIFT_BYTES: u64 = 512;

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

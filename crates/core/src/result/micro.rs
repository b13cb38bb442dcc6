//! What the storage did with writes that were made to ask it: many short rounds of each question,
//! taken in turns, so that what drifts is in all of them alike.

use super::ProbeKind;
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

impl MicroProbe {
    /// Median service time over all rounds, nanoseconds.
    pub fn median_ns(&self) -> Option<u64> {
        self.service_ns.as_ref()?.percentile("50")
    }

    /// Median of the flushes over all rounds, nanoseconds.
    pub fn flush_median_ns(&self) -> Option<u64> {
        self.flush_ns.as_ref()?.percentile("50")
    }

    /// Median of the rates of the rounds, bytes a second; `None` without rounds.
    pub fn bytes_per_second(&self) -> Option<f64> {
        let rates: Vec<f64> = self
            .rounds
            .iter()
            .map(|round| round.bytes_per_second)
            .collect();
        (!rates.is_empty()).then(|| crate::stats::median(&rates))
    }
}

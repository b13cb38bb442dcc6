//! How much a storage takes fast, before it shows how fast it really writes.

use serde::{Deserialize, Serialize};

/// Sequential writes at full rate, until the rate fell or no more might be written.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CliffReport {
    /// Bytes that were asked for.
    pub asked_bytes: u64,
    /// Bytes that might be written: as many, or the room there was.
    pub limit_bytes: u64,
    /// Bytes that were written.
    pub written_bytes: u64,
    /// Time that took, nanoseconds.
    pub measured_ns: u64,
    /// Length of the intervals of `bytes_per_second`, nanoseconds.
    pub interval_ns: u64,
    /// Rate interval by interval, complete ones only.
    pub bytes_per_second: Vec<f64>,
    /// Where the rate fell for good; absent where it did not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cliff: Option<Cliff>,
}

/// A rate that fell for good.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cliff {
    /// Median rate before the first fall, bytes a second: `B`.
    pub burst_bytes_per_second: f64,
    /// Mean rate of the last level, bytes a second: `F`, at which a buffer is emptied.
    pub drain_bytes_per_second: f64,
    /// Bytes accepted before the first fall.
    pub accepted_bytes: f64,
    /// Time until then, nanoseconds.
    pub after_ns: u64,
    /// Bytes that a buffer held at its fullest: those beyond `F`, over all intervals before the
    /// last level (`sum (X - F) delta`).
    pub capacity_bytes: f64,
}

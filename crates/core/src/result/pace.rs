//! How many requests completed in each short slice of the measured time.

use serde::{Deserialize, Serialize};

/// Completions of all jobs of a phase, flushes excluded, in slices that are shorter than the
/// intervals of the time series.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pace {
    /// Start of the first slice, nanoseconds after the start of the measured time. It is above 0
    /// where a job starts with a delay.
    pub start_ns: u64,
    /// Length of a slice in nanoseconds. It doubles in long runs, so that the series stays short.
    pub slice_ns: u64,
    /// Completions in each slice in which all threads were at work.
    pub ios: Vec<u64>,
}

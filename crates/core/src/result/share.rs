//! What one thread of a job did in the measured time.

use crate::op::PerOp;
use crate::summary::Spread;
use serde::{Deserialize, Serialize};

/// The requests of one thread over the measured time, over all its targets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerShare {
    /// Reads and writes, each under its name; only those that it made are there.
    #[serde(flatten)]
    pub ops: PerOp<Option<WorkerOp>>,
    /// Requests a second by interval, reads and writes together, complete intervals only.
    pub iops_by_interval: Spread,
    /// The same by target, in the order of the job's, where targets were kept apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub targets: Vec<TargetShare>,
}

/// The requests of one thread to one target over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetShare {
    /// Path of the target.
    pub target: String,
    /// Reads and writes, each under its name; only those that were made are there.
    #[serde(flatten)]
    pub ops: PerOp<Option<WorkerOp>>,
    /// Requests a second by interval, reads and writes together, complete intervals only.
    pub iops_by_interval: Spread,
    /// The time series, of the measured time alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub intervals: Vec<ShareInterval>,
}

/// One interval of one thread at one target.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShareInterval {
    /// Start, nanoseconds after the start of the phase (warm-up included).
    pub start_ns: u64,
    /// Length in nanoseconds.
    pub length_ns: u64,
    /// Reads and writes, each under its name.
    #[serde(flatten)]
    pub ops: PerOp<Option<ShareIntervalOp>>,
}

/// One operation of one thread at one target in one interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ShareIntervalOp {
    /// Completed without error.
    pub ios: u64,
    /// Issue to completion, nanoseconds.
    pub service_ns: Spread,
}

/// One operation of one thread over the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerOp {
    /// Completed without error.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Issue to completion, nanoseconds.
    pub service_ns: Spread,
    /// Requests a second by interval, complete intervals only.
    pub iops_by_interval: Spread,
}

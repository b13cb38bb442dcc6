//! What one thread of a job did in the measured time.

use crate::op::PerOp;
use crate::summary::Spread;
use serde::{Deserialize, Serialize};

/// The requests of one thread over the measured time, over all its targets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerShare {
    /// Reads and writes, each under its name; only those that it made are there.
    #[serde(flatten)]
    pub ops: PerOp<Option<WorkerOp>>,
    /// Requests a second by interval, reads and writes together, complete intervals only.
    pub iops_by_interval: Spread,
}

/// One operation of one thread over the measured time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
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

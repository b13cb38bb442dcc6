//! What one operation did in one job.

use super::EncodedHistogram;
use crate::summary::{LatencySummary, Spread};
use serde::{Deserialize, Serialize};

/// One operation of one job over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OpResult {
    /// Completed without error.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Requests a second: `ios` over the measured time.
    pub iops: f64,
    /// Bytes a second over the measured time.
    pub bytes_per_second: f64,
    /// Completed with an error.
    pub errors: u64,
    /// Completed with fewer bytes than asked.
    pub short: u64,
    /// Requests a second by interval, complete intervals only.
    pub iops_by_interval: Spread,
    /// Bytes a second by interval, complete intervals only.
    pub bytes_per_second_by_interval: Spread,
    /// Issue to completion.
    pub service_ns: LatencySummary,
    /// Intended start to completion. In a closed load a request is intended when it is issued,
    /// so this equals `service_ns`.
    pub response_ns: LatencySummary,
    /// All service times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_histogram: Option<EncodedHistogram>,
    /// All response times; only of open loads, where they differ.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_histogram: Option<EncodedHistogram>,
}

/// Errors of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ErrorTally {
    /// What failed: read, write, trim, flush or verify.
    pub op: String,
    /// System error number; 0 for failed verification.
    pub errno: i32,
    /// Its meaning in words.
    pub message: String,
    /// How often.
    pub count: u64,
    /// Target of the first one.
    pub target: String,
    /// Byte offsets of the first few.
    pub first_offsets: Vec<u64>,
}

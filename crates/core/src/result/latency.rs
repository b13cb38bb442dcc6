//! What one operation did in one job.

use super::{EncodedHistogram, LateRequests};
use crate::is_default::is_default;
use crate::op::PerOp;
use crate::summary::{LatencySummary, Spread};
use serde::{Deserialize, Serialize};

/// One operation of one job over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OpResult {
    /// Completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Requests a second: `ios` over the measured time.
    pub iops: f64,
    /// Bytes a second over the measured time.
    pub bytes_per_second: f64,
    /// Completed with an error.
    pub errors: u64,
    /// Completed without error and with fewer bytes than asked: in no rate, time or sum of bytes.
    pub short: u64,
    /// Bytes that these moved.
    #[serde(default, skip_serializing_if = "is_default")]
    pub short_bytes: u64,
    /// Requests a second by interval, complete intervals only.
    pub iops_by_interval: Spread,
    /// Bytes a second by interval, complete intervals only.
    pub bytes_per_second_by_interval: Spread,
    /// Those in flight at the end that were slower than all that completed; they count in the
    /// times.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<LateRequests>,
    /// The generator's own work: from the start of the preparation of a batch, when the completions
    /// before it have been seen, to its issue, for each request of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub generation_ns: Option<Spread>,
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
    /// The generator's own time of each completed request, where it was kept one by one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub split: Option<Box<SplitResult>>,
    /// The requests with the longest service times, the slowest first; none in an import.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub slowest: Vec<SlowRequest>,
}

impl OpResult {
    /// Whether the longest time is only a lower bound: the request had not ended when the wait for
    /// it did.
    pub fn is_max_a_bound(&self) -> bool {
        self.late.is_some_and(|late| {
            late.in_flight > 0 && late.in_flight_longest_ns >= late.returned_longest_ns
        })
    }
}

/// The completed requests of one of a job's several targets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TargetLatency {
    /// Path of the target.
    pub target: String,
    /// Reads and writes, each under its name; only those that the job has are there.
    #[serde(flatten)]
    pub ops: PerOp<Option<ServiceResult>>,
}

/// Service times that are kept apart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServiceResult {
    /// Issue to completion.
    pub service_ns: LatencySummary,
    /// All of `service_ns`.
    pub service_histogram: EncodedHistogram,
}

/// What of the completed requests was the generator's own time, and all of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SplitResult {
    /// From the start of the preparation of a batch to its issue.
    pub generation_ns: LatencySummary,
    /// From there to the completion.
    pub total_ns: LatencySummary,
    /// All generation times.
    pub generation_histogram: EncodedHistogram,
    /// All of `total_ns`.
    pub total_histogram: EncodedHistogram,
}

/// One request among the slowest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SlowRequest {
    /// When it was handed to the engine, nanoseconds after the start of the phase (warm-up
    /// included).
    pub issued_ns: u64,
    /// From there to its completion.
    pub service_ns: u64,
    /// From its intended start to when it was handed to the engine; none in a closed load, where
    /// the two are one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag_ns: Option<u64>,
    /// Which of the job's `targets`, from 0.
    pub target: u16,
    /// Byte offset there; 0 for a flush.
    pub offset: u64,
    /// Bytes asked for; 0 for a flush.
    pub bytes: u32,
}

impl SlowRequest {
    /// When it was found completed, nanoseconds after the start of the phase.
    pub const fn completed_ns(&self) -> u64 {
        self.issued_ns.saturating_add(self.service_ns)
    }

    /// Intended start to completion.
    pub const fn response_ns(&self) -> u64 {
        self.service_ns.saturating_add(match self.lag_ns {
            Some(lag_ns) => lag_ns,
            None => 0,
        })
    }
}

/// Errors of one kind.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Byte offsets of the first few, at most [`offsets_kept`](Self::offsets_kept) of them.
    pub first_offsets: Vec<u64>,
}

impl ErrorTally {
    /// Offsets that are kept of errors of a number; of blocks that are not what was written there
    /// many more, since whoever looks for them wants to know where they are.
    pub const fn offsets_kept(errno: i32) -> usize {
        if errno == 0 { 1024 } else { 8 }
    }
}

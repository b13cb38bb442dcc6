//! What a job replayed of a trace, and how late it issued the recorded requests.

use super::JobResult;
use crate::summary::LatencySummary;
use serde::{Deserialize, Serialize};

/// Lag from which a request of a replay is late: longer than a thread takes to wake up, and shorter
/// than the bursts that a trace is replayed for.
pub const REPLAY_LATE_NS: u64 = 1_000_000;

/// The requests of a trace that a job replayed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Replayed {
    /// Requests that the trace has.
    pub recorded: u64,
    /// Those of the selected processes, roles and offsets.
    pub selected: u64,
    /// Whether a request waited until no more were outstanding than when it was recorded; `false`
    /// where the trace has too few completions. None of a timed replay, and of one without order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<bool>,
    /// How late they were issued; none of a replay as fast as completions allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lag: Option<ReplayLag>,
}

/// From the recorded time of a request to its issue, over the requests that a timed replay issued
/// in the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReplayLag {
    /// All of them.
    pub time_ns: LatencySummary,
    /// Those whose lag exceeded [`REPLAY_LATE_NS`].
    pub late: u64,
    /// Late ones that waited for the storage: all allowed requests were outstanding.
    pub late_queued: u64,
}

impl ReplayLag {
    /// Late requests, 0 to 1.
    pub fn late_share(&self) -> f64 {
        self.late as f64 / self.time_ns.count.max(1) as f64
    }

    /// Whether most late requests waited for the storage, and not for the load generator.
    pub const fn is_by_storage(&self) -> bool {
        self.late_queued.saturating_mul(2) > self.late
    }
}

impl JobResult {
    /// How late it issued recorded requests, if it replayed them at their times.
    pub fn replay_lag(&self) -> Option<&ReplayLag> {
        self.replay.as_ref()?.lag.as_ref()
    }
}

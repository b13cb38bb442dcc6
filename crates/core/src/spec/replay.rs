//! Requests that were recorded, instead of drawn.

use crate::is_default::is_default;
use crate::units::{Bytes, Percent};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Which recorded requests a job makes, and how fast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Path of the trace: a capture, an I/O log of fio (version 2 or 3), or a trace of blktrace.
    pub trace: String,
    /// Share of the recorded speed, above 0: 200 runs twice as fast. Without it, requests go as
    /// fast as completions allow, in their order: each waits until no more are outstanding than
    /// were when it was recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Percent>,
    /// Without a speed, requests wait for nothing but free slots.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unordered: bool,
    /// Offsets are divided by this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub shrink: u64,
    /// Names of the processes whose requests are made; all if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
    /// Names of the roles whose requests are made, as they are learned from the trace; all if there
    /// is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub roles: Vec<String>,
    /// Requests before this recorded offset are left out, unless they are flushes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_start: Option<Bytes>,
    /// And those from this one on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub region_end: Option<Bytes>,
    /// Regions of 1 MiB without requests take no space, and all requests go to one target.
    #[serde(default, skip_serializing_if = "is_default")]
    pub packed: bool,
}

impl Replay {
    /// All requests of a trace, as fast as completions allow.
    pub fn all(trace: impl Into<String>) -> Self {
        Self {
            trace: trace.into(),
            speed: None,
            unordered: false,
            shrink: 1,
            processes: Vec::new(),
            roles: Vec::new(),
            region_start: None,
            region_end: None,
            packed: false,
        }
    }

    /// Whether a request waits until no more are outstanding than when it was recorded.
    pub const fn keeps_order(&self) -> bool {
        self.speed.is_none() && !self.unordered
    }

    /// The offsets whose requests are made, if not all are.
    pub fn region(&self) -> Option<Range<u64>> {
        let is_limited = self.region_start.is_some() || self.region_end.is_some();
        let start = self.region_start.unwrap_or_default().0;
        let end = self.region_end.map_or(u64::MAX, |end| end.0);
        is_limited.then_some(start..end)
    }

    /// Whether requests are selected.
    pub fn selects(&self) -> bool {
        !self.processes.is_empty() || !self.roles.is_empty() || self.region().is_some()
    }
}

const fn one() -> u64 {
    1
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
const fn is_one(number: &u64) -> bool {
    *number == 1
}

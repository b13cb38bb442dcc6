//! Requests that were recorded, instead of drawn.

use crate::units::Percent;
use serde::{Deserialize, Serialize};

/// Which recorded requests a job makes, and how fast.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Replay {
    /// Path of the trace: a capture, an I/O log of fio (version 2 or 3), or a trace of blktrace.
    pub trace: String,
    /// Share of the recorded speed, above 0: 200 runs twice as fast. Without it, requests go as
    /// fast as completions allow, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<Percent>,
    /// Offsets are divided by this.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub shrink: u64,
    /// Names of the processes whose requests are made; all if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processes: Vec<String>,
    /// Regions of 1 MiB without requests take no space, and all requests go to one target.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub packed: bool,
}

impl Replay {
    /// All requests of a trace, as fast as completions allow.
    pub fn all(trace: impl Into<String>) -> Self {
        Self {
            trace: trace.into(),
            speed: None,
            shrink: 1,
            processes: Vec::new(),
            packed: false,
        }
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

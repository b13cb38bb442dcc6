//! What the checks of what was written found.

use super::OpResult;
use crate::is_default::is_default;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// Outcome of verification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Verified {
    /// 512-byte blocks checked.
    pub blocks: u64,
    /// Of these, wrong.
    pub wrong: u64,
    /// Further blocks that were read, of which nobody can say what they should hold: nothing was
    /// written there, or it was being written.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unwritten: u64,
    /// The wrong ones by kind.
    #[serde(default, skip_serializing_if = "WrongBlocks::is_empty")]
    pub kinds: WrongBlocks,
}

/// The requests that read back, after the measured time, what a job has written.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReadBackResult {
    /// How long it took, nanoseconds. All rates of `read` are over this time.
    pub active_ns: u64,
    /// What was read.
    pub read: OpResult,
}

/// Wrong blocks of 512 bytes by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WrongBlocks {
    /// The checksum does not fit: damaged, or torn inside of the 512 bytes.
    #[serde(default, skip_serializing_if = "is_default")]
    pub damaged: u64,
    /// Older than other parts of the same request.
    #[serde(default, skip_serializing_if = "is_default")]
    pub torn: u64,
    /// Of an earlier write of the run than one that was acknowledged.
    #[serde(default, skip_serializing_if = "is_default")]
    pub stale: u64,
    /// As before the run, though a write of the run was acknowledged.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lost: u64,
    /// Zeros where something was written or laid out.
    #[serde(default, skip_serializing_if = "is_default")]
    pub zeros: u64,
    /// Written to another place.
    #[serde(default, skip_serializing_if = "is_default")]
    pub misplaced: u64,
    /// Of a run with another seed.
    #[serde(default, skip_serializing_if = "is_default")]
    pub foreign: u64,
    /// Bytes that describe nothing.
    #[serde(default, skip_serializing_if = "is_default")]
    pub unstamped: u64,
}

impl WrongBlocks {
    /// Each kind that there is, in words, with its number.
    pub fn each(&self) -> impl Iterator<Item = (u64, &'static str)> {
        let all = [
            (self.damaged, "damaged"),
            (self.torn, "torn"),
            (self.stale, "stale"),
            (self.lost, "lost"),
            (self.zeros, "zeros"),
            (self.misplaced, "written to another place"),
            (self.foreign, "of a run with another seed"),
            (self.unstamped, "not stamped"),
        ];
        all.into_iter().filter(|(count, _)| *count > 0)
    }

    /// All together.
    pub fn total(&self) -> u64 {
        self.each().map(|(count, _)| count).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.total() == 0
    }
}

impl AddAssign for WrongBlocks {
    fn add_assign(&mut self, more: Self) {
        self.damaged += more.damaged;
        self.torn += more.torn;
        self.stale += more.stale;
        self.lost += more.lost;
        self.zeros += more.zeros;
        self.misplaced += more.misplaced;
        self.foreign += more.foreign;
        self.unstamped += more.unstamped;
    }
}

impl AddAssign for Verified {
    fn add_assign(&mut self, more: Self) {
        self.blocks += more.blocks;
        self.wrong += more.wrong;
        self.unwritten += more.unwritten;
        self.kinds += more.kinds;
    }
}

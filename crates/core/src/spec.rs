//! The native specification: a workload has phases, a phase has jobs.
//!
//! The types here are *resolved*: every choice is made, nothing is left to a default at run
//! time. Their serialised form is what `fathom run --print` shows, and it parses back to the
//! same value. Short forms and defaults belong to the text dialect that produced them.

mod access;
mod arrivals;
mod compat;
mod data;
mod durability;
mod engine_limits;
pub mod fields;
mod files;
mod io_kind;
mod ior_data;
mod job;
mod old_keys;
mod pacing;
mod pattern;
mod pauses;
mod rate_curve;
mod replay;
mod stop;
pub mod validate;

pub use access::{Access, Cursor, CursorScope, Distribution, HotRange, QueueScope, Walk};
pub use arrivals::{Arrivals, Bursts};
pub use compat::{Compat, ReadAhead, TargetOrder};
pub use data::{
    BlockForm, Data, DataFile, FIO_HEADER_BYTES, Fill, MAX_DATA_FILE_BYTES, VERIFY_UNIT_BYTES,
    Verify,
};
pub use durability::{Durability, SyncEvery};
pub use files::{FileKind, FilePlaces, Files, TreeShape};
pub use io_kind::{IoClass, IoKind, Priority};
pub use ior_data::{IorData, IorDataError, IorKind};
pub use job::Job;
pub use pacing::Pacing;
pub use pattern::{MOST_PATTERN_BYTES, Pattern, PatternError};
pub use pauses::PauseLength;
pub use rate_curve::RateCurve;
pub use replay::Replay;
pub use stop::{JobStop, Steady, SteadyMetric};

use crate::units::Nanos;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What to do to which storage: the whole of one measurement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Workload {
    /// Short name, as in `ms-oltp`.
    pub name: String,
    /// One sentence for lists.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Where the parameters come from, and which reading of a contradictory source was taken.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub source: String,
    /// Seed of the order and the sizes of requests. `None` draws a new seed for each run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Salt of the bytes that writes carry. `None` draws a new salt for each run, so that no two
    /// runs write the same content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub salt: Option<u64>,
    /// Length of an interval of the time series, 100 ms to 60 s.
    pub interval: Nanos,
    /// How often the phases are run through, at least once.
    pub repeat: u32,
    /// The phases, one after another.
    #[serde(rename = "phase")]
    pub phases: Vec<Phase>,
}

impl Workload {
    /// Seed of a workload that names none and for which none was drawn, as in virtual time.
    pub const PLAIN_SEED: u64 = 1;

    /// The seed, or [`Self::PLAIN_SEED`] if there is none.
    pub fn seed(&self) -> u64 {
        self.seed.unwrap_or(Self::PLAIN_SEED)
    }

    /// The salt, or 0 if there is none.
    pub fn salt(&self) -> u64 {
        self.salt.unwrap_or_default()
    }

    /// The paths that its jobs name themselves, and no role.
    pub fn named_paths(&self) -> impl Iterator<Item = PathBuf> {
        let jobs = self.phases.iter().flat_map(|phase| &phase.jobs);
        let targets = jobs.flat_map(|job| &job.targets);
        let paths = targets.filter(|target| !target.starts_with('@'));
        paths.map(PathBuf::from)
    }

    /// No phase yet, no name, no seed, intervals of a second, run through once.
    pub fn plain() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            source: String::new(),
            seed: None,
            salt: None,
            interval: Nanos::from_secs(1),
            repeat: 1,
            phases: Vec::new(),
        }
    }
}

impl Default for Workload {
    fn default() -> Self {
        Self::plain()
    }
}

/// Jobs that run at the same time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Phase {
    /// Name, unique in the workload.
    pub name: String,
    /// Load before the measured time; recorded, but not part of the result.
    pub warm_up: Nanos,
    /// Measured time. Without it the phase ends when its jobs have done their bytes or requests,
    /// or when the load is steady.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration: Option<Nanos>,
    /// Load after the measured time, so that threads that end a little later do not have the
    /// device to themselves.
    pub cool_down: Nanos,
    /// How long requests that are in flight at the end of the load are waited for. What has not
    /// completed by then is counted with its age.
    #[serde(default = "drain_timeout", skip_serializing_if = "is_drain_timeout")]
    pub drain_timeout: Nanos,
    /// End (and take as the measured time) the first steady window.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady: Option<Steady>,
    /// The jobs, all at once.
    #[serde(rename = "job")]
    pub jobs: Vec<Job>,
}

const fn drain_timeout() -> Nanos {
    Nanos::from_secs(30)
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "the signature serde asks for"
)]
fn is_drain_timeout(time: &Nanos) -> bool {
    *time == drain_timeout()
}

impl Phase {
    /// No job yet, no warm-up, no time: it lasts until its jobs have done their amounts.
    pub fn plain() -> Self {
        Self {
            name: "main".to_owned(),
            warm_up: Nanos::ZERO,
            duration: None,
            cool_down: Nanos::ZERO,
            drain_timeout: drain_timeout(),
            steady: None,
            jobs: Vec::new(),
        }
    }
}

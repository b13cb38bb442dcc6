//! When requests go: closed, open, in bursts.

use super::Arrivals;
use crate::is_default::is_default;
use crate::units::{Bytes, Nanos, Rate};
use serde::{Deserialize, Serialize};

/// When requests go.
///
/// In a *closed* load a new request waits for an old one to complete; in an *open* load requests
/// arrive by a schedule of their own, whatever the storage does. (Schroeder, Wierman,
/// Harchol-Balter: "Open versus closed: a cautionary tale", NSDI 2006.)
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Pacing {
    /// As fast as completions allow, optionally thinking after every `burst` requests.
    Closed {
        /// Pause of a thread after a burst, counted from its last completion.
        #[serde(default, skip_serializing_if = "is_default")]
        think: Nanos,
        /// Requests between two pauses.
        #[serde(default = "one", skip_serializing_if = "is_one")]
        burst: u64,
    },
    /// By the clock, at a rate of the whole job.
    Open {
        /// Requests or bytes a second, all threads together.
        rate: Rate,
        /// How the instants are spread.
        arrivals: Arrivals,
    },
    /// A burst of `bytes` (all threads together) every `every`, as fast as the queue allows.
    Cyclic {
        /// From the start of one burst to the start of the next. A burst that takes longer
        /// delays the next.
        every: Nanos,
        /// Bytes of a burst.
        bytes: Bytes,
    },
    /// A burst of `bytes` each time the job named by `after` has ended one of its own.
    Triggered {
        /// Bytes of a burst.
        bytes: Bytes,
    },
}

impl Pacing {
    /// Whether threads of a closed load pause.
    pub const fn thinks(&self) -> bool {
        matches!(self, Self::Closed { think, .. } if think.0 > 0)
    }

    /// As fast as completions allow.
    pub const CLOSED: Self = Self::Closed {
        think: Nanos::ZERO,
        burst: 1,
    };

    /// Whether requests have an intended instant of their own.
    pub const fn is_open(&self) -> bool {
        matches!(self, Self::Open { .. })
    }

    /// Whether the job works in bursts that others can wait for.
    pub const fn is_bursty(&self) -> bool {
        matches!(self, Self::Cyclic { .. } | Self::Triggered { .. })
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

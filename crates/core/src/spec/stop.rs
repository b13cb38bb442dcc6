//! When a job or a phase has enough.

use crate::is_default::is_default;
use crate::units::{Bytes, Nanos, Percent};
use serde::{Deserialize, Serialize};

/// Own end of a job, in the measured time and over all its threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct JobStop {
    /// After this number of bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bytes: Option<Bytes>,
    /// After this number of requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ios: Option<u64>,
    /// After this time, counted from the start of the job or of the measured time, whichever is
    /// later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Nanos>,
    /// Amounts are counted from the start of the warm-up, not from that of the measured time: what
    /// is done in the warm-up is part of them, and not of the result.
    #[serde(default, skip_serializing_if = "is_default")]
    pub with_warm_up: bool,
    /// After no more requests than the job of this name did in the phase before that had it: what
    /// that one had no time to write is not read.
    #[serde(default, skip_serializing_if = "is_default")]
    pub as_before: bool,
    /// The first thread that has done its part of the amounts, or all of its time, ends the phase
    /// and so the other jobs.
    #[serde(default, skip_serializing_if = "is_default")]
    pub ends_phase: bool,
    /// The first write for which there is no room left is no error and ends the thread, as if its
    /// amounts were done.
    #[serde(default, skip_serializing_if = "is_default")]
    pub when_full: bool,
}

impl JobStop {
    /// Whether the job ends by itself, however fast it is.
    pub const fn is_set(&self) -> bool {
        self.bytes.is_some() || self.ios.is_some() || self.time.is_some() || self.when_full
    }
}

/// The steady-state rule of the SNIA Solid State Storage Performance Test Specification 2.x:
/// over the last `rounds` rounds, largest minus smallest is at most `range` of their mean, and
/// the best-fit line moves by at most `slope` of the mean from the first to the last round.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Steady {
    /// What is followed.
    pub metric: SteadyMetric,
    /// Length of a round.
    pub round: Nanos,
    /// Rounds in the window.
    pub rounds: u32,
    /// Allowed range in percent of the mean.
    pub range: Percent,
    /// Allowed excursion of the best-fit line in percent of the mean.
    pub slope: Percent,
    /// Allowed distance of any round from the mean, in percent of the mean; fio's limit, which is
    /// not among SNIA's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation: Option<Percent>,
    /// The same in the unit of the metric: requests or bytes a second, or nanoseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deviation_most: Option<f64>,
    /// Allowed move of the best-fit line from one round to the next, in the unit of the metric;
    /// fio's limit as well.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slope_most: Option<f64>,
    /// Rounds after which to give up and say so.
    pub max_rounds: u32,
}

impl Steady {
    /// Rounds in SNIA's window.
    pub const SNIA_ROUNDS: u32 = 5;
    /// Its range in percent of the mean.
    pub const SNIA_RANGE: f64 = 20.0;
    /// Its excursion of the best-fit line in percent of the mean.
    pub const SNIA_SLOPE: f64 = 10.0;
    /// Rounds after which SNIA gives up.
    pub const SNIA_MAX_ROUNDS: u32 = 25;
}

/// What the steady-state rule follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SteadyMetric {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    Throughput,
    /// Mean service time.
    ServiceTime,
}

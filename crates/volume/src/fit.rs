//! Whether a recorded load fits on volumes: what it gets there, how long its requests take, and
//! what that costs.

mod answer;
mod interval;
mod on_path;
mod played;
mod responses;

pub use answer::{Answer, Fits};
pub use interval::Interval;
pub use on_path::{Got, OnPath};
pub use played::{CreditEnd, Held, Played, play};
pub use responses::Responses;

use crate::plan::Cost;
use serde::Serialize;

/// Version of the JSON of [`Fits`]; raised where a field loses its meaning.
pub const FIT_VERSION: u32 = 1;

/// Where the requests on a target come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// The recorded requests, at their recorded instants.
    Replay,
    /// A twin of the trace, whose closed roles wait for completions.
    Twin,
}

/// The load as it was recorded.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Original {
    /// Reads, writes and discards; flushes are counted apart.
    pub requests: u64,
    /// Length of the trace.
    pub seconds: f64,
    /// Of these, those of a second.
    pub iops: f64,
    /// Read, written and discarded.
    pub bytes_per_second: f64,
    /// Service times in nanoseconds; none where the trace does not have enough of them.
    pub p50_ns: Option<f64>,
    /// See [`Self::p50_ns`].
    pub p99_ns: Option<f64>,
    /// See [`Self::p50_ns`].
    pub p999_ns: Option<f64>,
    /// How near the rates of windows are to each other: the median of |ln(next / window)|.
    pub floor_of_rate: Option<f64>,
    /// The same of the median of service times.
    pub floor_of_p50: Option<f64>,
    /// The same of the p99 of service times.
    pub floor_of_p99: Option<f64>,
    /// The longest time without a request, seconds.
    pub longest_gap_seconds: f64,
    /// Space that the requests touch, in regions of 1 MiB.
    pub touched_bytes: u64,
}

/// A target that cannot be simulated, where others can.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Unread {
    /// As it was given.
    pub target: String,
    /// Always [`Answer::CannotTell`].
    pub answer: Answer,
    /// Why, as a sentence.
    pub sentence: String,
}

/// The load on one target.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fit {
    /// As in `4x gp3:1TiB under r6i.2xlarge`.
    pub target: String,
    /// Whether the load fits.
    pub answer: Answer,
    /// The same in words.
    pub sentence: String,
    /// Requests a second that are asked for.
    pub asked_iops: f64,
    /// Requests a second that are served.
    pub delivered_iops: Interval,
    /// Response times in nanoseconds, where there are enough requests.
    pub p50_ns: Option<f64>,
    /// See [`Self::p50_ns`].
    pub p99_ns: Option<Interval>,
    /// See [`Self::p50_ns`].
    pub p999_ns: Option<f64>,
    /// The share of the time in which requests wait for a limit, 0 to 1.
    pub held_share: f64,
    /// What holds requests back, of the first seed.
    pub played: Played,
    /// Mean time of a request where nothing waits, which the models assume, nanoseconds.
    pub service_ns: f64,
    /// Whether no machine is named, so that its limits and its price are not included.
    pub is_without_machine: bool,
    /// Capacity of the whole target.
    pub size_bytes: u64,
    /// Why the limits of the target are not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<String>,
    /// Why the machine does not take these volumes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<String>,
    /// List price a month.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<Cost>,
    /// The same in words, or why there is none.
    pub bill: String,
    /// Whose prices of which days these are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bill_origin: Option<String>,
    /// Why its figures may be wrong.
    pub warnings: Vec<String>,
    /// What was assumed of the target.
    pub remarks: Vec<String>,
}

//! A role, as it was measured.

use super::extents::Extents;
use super::naming::RoleKind;
use fathom_core::spec::{Arrivals, Distribution, IoKind, PauseLength, RateCurve};
use serde::Serialize;

/// Intervals of the dispersion, nanoseconds.
pub(super) const INTERVALS_NS: [u64; 3] = [10_000_000, 100_000_000, 1_000_000_000];

/// When the requests of a role are made.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Loop {
    /// At instants of their own.
    Open {
        /// How the instants are spread, as far as a specification has it.
        arrivals: Arrivals,
    },
    /// After completions of earlier ones.
    Closed {
        /// Tasks that make them at once.
        threads: u32,
        /// Requests in flight for each.
        depth: u32,
        /// Requests between two pauses.
        burst: u64,
        /// Length of a pause, nanoseconds; 0 without pauses.
        think_ns: u64,
    },
}

/// Requests that one part of an application makes.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Role {
    /// Name, unique among the roles.
    pub name: String,
    /// What it does.
    pub kind: RoleKind,
    /// Name of the process; empty if it is unknown.
    pub process: String,
    /// Number of its device in the trace.
    pub device: u16,
    /// Requests without flushes.
    pub requests: u64,
    /// Those of processes or areas that were too small for a role of their own.
    pub joined: u64,
    /// Requests per second.
    pub iops: f64,
    /// Read, written and discarded.
    pub bytes_per_second: f64,
    /// Share of reads among reads and writes, 0 to 1.
    pub read_share: f64,
    /// Operations and sizes with their weights.
    pub kinds: Vec<IoKind>,
    /// Distinct sizes that the trace has.
    pub sizes: u64,
    /// Share of the requests that continue another one, 0 to 1.
    pub sequential_share: f64,
    /// Mean bytes of requests that continue each other, with the first.
    pub run_bytes: f64,
    /// Bytes that it uses.
    pub footprint_bytes: u64,
    /// Where in them its requests go.
    pub distribution: Distribution,
    /// Whether requests wait for others.
    pub pace: Loop,
    /// Whether that is known: there are service times, and enough requests.
    pub is_pace_known: bool,
    /// Lengths of the pauses of a closed load; nothing if they are alike.
    pub pauses: Vec<PauseLength>,
    /// How the rate of an open load, or the pauses of a closed one, change over the trace; none if
    /// they hardly do.
    pub rate_curve: Option<RateCurve>,
    /// Index of dispersion of its arrivals at 10 ms, 100 ms and 1 s.
    pub dispersion: [Option<f64>; 3],
    /// Writes from one flush to the next, rounded; none without flushes.
    pub writes_per_flush: Option<u32>,
    /// Writes before successive flushes, where their mean is no whole number.
    pub flush_pattern: Vec<u32>,
    /// Whether most writes are durable by themselves.
    pub is_write_through: bool,
    /// Mean service time of a request, nanoseconds; none where it is unknown.
    pub service_ns: Option<f64>,
    /// The parts of the device that it uses.
    #[serde(skip)]
    pub(super) extents: Extents,
}

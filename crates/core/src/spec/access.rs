//! Where requests go: order, distribution, and who shares a position.

use crate::is_default::is_default;
use crate::units::{Bytes, Percent};
use serde::{Deserialize, Serialize};

/// Where requests go. How *many* of them go to a random place is said by each
/// [`IoKind`](super::IoKind).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Access {
    /// How random places are chosen.
    pub distribution: Distribution,
    /// Whether a random pass touches each block exactly once before it begins anew.
    pub without_repetition: bool,
    /// Distance from one sequential request to the next; without it, the request's own size.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stride: Option<Bytes>,
    /// Whose sequential position it is.
    pub cursor: Cursor,
    /// Whether reads and writes keep a position each or share one.
    pub cursor_scope: CursorScope,
    /// What else binds a request to the ones before it.
    #[serde(default, skip_serializing_if = "Walk::is_free")]
    pub walk: Walk,
}

impl Access {
    /// Random places everywhere alike, a sequential position for each thread and operation.
    pub const PLAIN: Self = Self {
        distribution: Distribution::Uniform,
        without_repetition: false,
        stride: None,
        cursor: Cursor::Own { stride: None },
        cursor_scope: CursorScope::PerOp,
        walk: Walk::Free,
    };
}

/// What ties a request to the ones before it, apart from offsets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Walk {
    /// Nothing.
    #[default]
    Free,
    /// Each write goes where the trim just before it went: the job's two kinds, a trim and a
    /// write, take turns.
    TrimFirst,
    /// In order, and the last of a pass is as short as what is left of the window then.
    ToTheEnd,
    /// Requests stay in a zone of the window until enough of it is done, and go on to the next.
    Zones {
        /// Bytes of requests in a zone before the next has its turn.
        done: Bytes,
        /// Length of a zone. One that does not fit at the end of the window is left out.
        length: Bytes,
        /// Bytes between two zones.
        skip: Bytes,
    },
    /// Writes go to the write pointers of a zoned device's zones, and a zone that is full is reset
    /// before it is written again.
    WritePointers {
        /// Zones of a target that all threads of the job write to at once, at most; without it,
        /// what the device allows.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        open: Option<u32>,
        /// The same for each thread.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        of_thread: Option<u32>,
        /// The length that the zones are expected to have.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        zone: Option<Bytes>,
        /// Whether writes only name their zone, and the device finds the place (zone append).
        #[serde(default, skip_serializing_if = "is_default")]
        append: bool,
    },
}

impl Walk {
    /// Whether nothing binds requests.
    pub fn is_free(&self) -> bool {
        *self == Self::Free
    }

    /// Whether writes are appended to zones by the device.
    pub const fn appends(&self) -> bool {
        matches!(self, Self::WritePointers { append: true, .. })
    }

    /// Whether writes go to the write pointers of zones.
    pub const fn is_at_write_pointers(&self) -> bool {
        matches!(self, Self::WritePointers { .. })
    }
}

/// How random places are spread over the window.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Distribution {
    /// Everywhere alike.
    #[default]
    Uniform,
    /// Rank k is chosen with probability proportional to `k^-theta`; ranks are scattered.
    Zipf {
        /// Skew, above 0; 0.8 to 1.2 is usual.
        theta: f64,
    },
    /// A power law that gives the share `h` of the requests to the share `1 - h` of the blocks, as
    /// in 80 % of the requests to 20 % of the blocks; ranks are scattered.
    Pareto {
        /// Between 0 and 1, exclusive.
        h: f64,
    },
    /// Around the middle of the window.
    Normal {
        /// Standard deviation in percent of the window.
        deviation: Percent,
    },
    /// Explicit ranges, each with its share of requests; what is left goes to the rest.
    Hot {
        /// The ranges, in order, not overlapping.
        ranges: Vec<HotRange>,
    },
}

/// One explicit range of [`Distribution::Hot`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct HotRange {
    /// Share of the requests, in percent.
    pub ios: Percent,
    /// Share of the window, in percent, following on the range before.
    pub of: Percent,
}

/// Whose sequential position it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Cursor {
    /// Each thread has its own, started `stride` times its number into the window. Without a
    /// stride the threads share the window out evenly; a stride of 0 starts all at one place. Past
    /// the end a thread goes on at the first place from which whole steps lead to its start.
    Own {
        /// Distance between the starts of two threads.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        stride: Option<Bytes>,
    },
    /// The threads of the job advance one common position (interlocked).
    Shared,
}

/// Whether reads and writes keep a sequential position each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CursorScope {
    /// A write does not move the place where the next read continues.
    PerOp,
    /// One position: a write punches a hole in the sequence of reads.
    Shared,
}

/// What `queue_depth` counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum QueueScope {
    /// Outstanding requests per thread and target.
    PerTarget,
    /// Outstanding requests per thread over all targets, taken in turn.
    Shared,
}

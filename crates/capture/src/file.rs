//! The file of a capture: blocks, each with its length and checksum, so that a file that was cut is
//! readable up to its last whole block. `docs/capture.md` describes it byte by byte.

mod columns;
mod reader;
mod source;
mod spool;
mod writer;

pub use columns::Chunk;
pub use reader::{CaptureError, Reader, is_capture};
pub use source::Source;
pub use spool::Spool;
pub use writer::{Writer, block};

use crate::matching::Matched;
use serde::{Deserialize, Serialize};

/// The first bytes of a file.
pub(crate) const MAGIC: &[u8; 8] = b"FATHOMRQ";
/// Raised where an older reader would misread.
pub(crate) const VERSION: u32 = 1;
/// Bytes of a block at most.
pub(crate) const MOST_BLOCK_BYTES: u32 = 64 << 20;
/// Requests of a block at most.
pub(crate) const MOST_REQUESTS: usize = 1 << 16;

/// What a block holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BlockKind {
    /// The head, as JSON; the first block.
    Head = b'H' as isize,
    /// Tasks, as a JSON list; their positions go on from those before.
    Tasks = b'T' as isize,
    /// What happened before the issue of the requests in the next block, as columns. A reader that
    /// does not know it has the requests without it.
    Early = b'B' as isize,
    /// The requests of volumes that the requests in the next block serve, as columns. A reader that
    /// does not know it has the requests without them.
    Above = b'V' as isize,
    /// Columns of requests.
    Requests = b'R' as isize,
    /// The tail, as JSON; the last block of a whole file.
    Tail = b'E' as isize,
}

/// The checksum of a block.
pub(crate) fn checksum(kind: u8, payload: &[u8]) -> u32 {
    let mut sum = flate2::Crc::new();
    sum.update(&[kind]);
    sum.update(payload);
    sum.sum()
}

/// A device that was captured.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Device {
    /// Its kernel name.
    pub name: String,
    /// Major and minor number, as in `254:0`.
    pub number: String,
    /// Capacity; 0 where it is unknown.
    pub size_bytes: u64,
}

/// What is known when a capture starts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Head {
    /// The program and its version, or the tool whose trace it was.
    pub made_by: String,
    /// When it started, RFC 3339.
    pub started: String,
    /// The kernel's release.
    #[serde(default)]
    pub kernel: String,
    /// The devices; a request names one by its position.
    pub devices: Vec<Device>,
    /// The volumes (device mapper, md) on these devices whose requests were followed to them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub volumes: Vec<Device>,
    /// The kernel's events that were recorded.
    pub events: Vec<String>,
    /// Events that were wanted and that this kernel does not have.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing_events: Vec<String>,
    /// What was kept of all requests of the devices, in words; none where all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filter: Option<String>,
    /// Whether names of tasks and devices were replaced by numbers.
    #[serde(default)]
    pub is_anonymised: bool,
}

/// What is known when a capture ends.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tail {
    /// Length of the capture, nanoseconds.
    pub length_ns: u64,
    /// Requests in the file.
    pub requests: u64,
    /// Events that the kernel recorded and that were overwritten before they were read.
    pub lost_events: u64,
    /// All requests of the devices, also those that a filter left out.
    pub matched: Matched,
}

impl Tail {
    /// Whether nothing was lost.
    pub const fn is_complete(&self) -> bool {
        self.lost_events == 0
    }
}

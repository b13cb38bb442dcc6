//! What writes carry, and how it is checked.

use super::Pattern;
use crate::units::Percent;
use serde::{Deserialize, Serialize};

/// The unit in which verification stamps blocks: the smallest sector there is.
pub const VERIFY_UNIT_BYTES: u64 = 512;

/// The bytes of writes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// What the bytes are.
    pub fill: Fill,
    /// Size to which a good compressor shrinks each 4 KiB, in percent; 100 cannot be compressed.
    pub compressible_to: Percent,
    /// Share of 4 KiB blocks that are copies of one block, which deduplication removes.
    pub duplicate: Percent,
}

/// What the bytes of writes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// All zeros. Many devices treat them specially; the report says so.
    Zero,
    /// Random, and different in every block written.
    Random,
    /// 0, 1 … 255 and again from 0, from the head of each request on.
    Counting,
    /// A pattern, repeated from the head of each request on.
    Pattern(Pattern),
}

impl Fill {
    /// Whether all requests carry bytes that can be told beforehand, so that a read can be held
    /// against them without the write having described itself.
    pub const fn is_told(self) -> bool {
        matches!(self, Self::Counting | Self::Pattern(_))
    }
}

/// Self-describing blocks: each carries its offset, generation and checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verify {
    /// Writes carry plain data.
    Off,
    /// Writes are stamped, so that a later `fathom verify` can check them.
    Stamp,
    /// Writes are stamped and every read of the job is checked as it completes.
    Check,
    /// As `check`; after the phase the whole window is read back and checked as well.
    ReadBack,
}

impl Verify {
    /// Whether writes are stamped.
    pub const fn stamps(self) -> bool {
        !matches!(self, Self::Off)
    }

    /// Whether reads are checked as they complete.
    pub const fn checks(self) -> bool {
        matches!(self, Self::Check | Self::ReadBack)
    }
}

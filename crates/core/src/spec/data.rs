//! What writes carry, and how it is checked.

use super::{IorData, IorKind, Pattern};
use crate::units::{Bytes, Percent};
use serde::{Deserialize, Serialize};

/// The unit in which verification stamps blocks: the smallest sector there is.
pub const VERIFY_UNIT_BYTES: u64 = 512;

/// The bytes of writes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Data {
    /// What the bytes are.
    pub fill: Fill,
    /// Size to which a good compressor shrinks each 4 KiB, in percent; 100 cannot be compressed. Of
    /// a pattern, less is the share of each 4 KiB that is random, in front of it.
    pub compressible_to: Percent,
    /// Share of 4 KiB blocks that are copies of others, which deduplication removes.
    pub duplicate: Percent,
}

impl Data {
    /// Random bytes, which neither shrink nor repeat.
    pub const PLAIN: Self = Self {
        fill: Fill::Random,
        compressible_to: Percent::ALL,
        duplicate: Percent::ZERO,
    };

    /// The pattern that is behind random bytes in each 4 KiB, if the content is of that kind.
    pub fn mixed_pattern(&self) -> Option<Pattern> {
        match self.fill {
            Fill::Pattern(pattern) if (0.0..100.0).contains(&self.compressible_to.0) => {
                Some(pattern)
            }
            _ => None,
        }
    }
}

/// What the bytes of writes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Fill {
    /// All zeros. Many devices treat them specially; the report says so.
    Zero,
    /// Random, and new in every block written.
    Random,
    /// Random once for each buffer; of a write, each 512 bytes begin with a new number. Cheap, and
    /// nothing that storage finds twice in 4 KiB, but most of it is there again and again.
    Scrambled,
    /// 0, 1 … 255 and again from 0, from the head of each request on.
    Counting,
    /// A pattern, repeated from the head of each request on.
    Pattern(Pattern),
    /// What a task of IOR writes.
    Ior(IorData),
    /// Random parts of what a file holds, which [`DataFile`] names.
    File,
}

impl Fill {
    /// Whether all requests carry bytes that can be derived beforehand, so that a read can be
    /// compared with them without the write having described itself.
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Counting | Self::Pattern(_) | Self::Ior(_))
    }

    /// Whether derivable bytes differ from request to request, by its offset.
    pub const fn has_offset(self) -> bool {
        match self {
            Self::Zero | Self::Random | Self::Scrambled | Self::Counting | Self::File => false,
            Self::Pattern(pattern) => pattern.has_offset(),
            Self::Ior(data) => !matches!(data.kind, IorKind::Timestamp),
        }
    }
}

/// The most that is kept of a file whose content writes carry: 4 GiB.
pub const MAX_DATA_FILE_BYTES: u64 = 1 << 32;

/// A file whose content writes carry: it is read before the load begins, and each write carries a
/// random part of what was read. Parts begin at any byte; past the page cache at multiples of 512.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct DataFile {
    /// Where it is.
    pub path: String,
    /// How much of it is kept in memory: its first bytes, or all of it again and again.
    pub size: Bytes,
}

/// Self-describing blocks: each carries its offset, generation and checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// As `check`; after the phase what the job has written is read back by its own engine, in
    /// requests as long as its writes. What was there before is neither laid out nor looked at.
    ReadWritten,
}

/// The form in which blocks describe themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum BlockForm {
    /// Fathom's own: each 512 bytes by themselves.
    #[default]
    Fathom,
    /// fio's header, which is all that is checked.
    FioMeta,
    /// fio's header and MD5.
    FioMd5,
    /// fio's header and CRC-64.
    FioCrc64,
    /// fio's header and CRC-32.
    FioCrc32,
    /// fio's header and CRC-32C.
    FioCrc32c,
    /// fio's header and eight bytes of a SHA-256.
    FioSha256,
    /// fio's header and what fio calls SHA-512: the end of the block.
    FioSha512,
    /// fio's header and xxHash of 32 bits.
    FioXxhash,
    /// fio's header and SHA-1.
    FioSha1,
    /// fio's header, and a pattern that is checked itself.
    FioPattern,
    /// No header: derivable bytes, of which all are checked, as by fio without one.
    FioBare,
}

/// Bytes of a header of fio's before its checksum.
pub const FIO_HEADER_BYTES: u64 = 40;

impl BlockForm {
    /// Whether it is Fathom's own.
    pub const fn is_own(&self) -> bool {
        matches!(self, Self::Fathom)
    }

    /// Whether blocks have a header of fio's.
    pub const fn has_header(self) -> bool {
        !matches!(self, Self::Fathom | Self::FioBare)
    }

    /// Whether a block of `block_bytes` bytes can have this form: Fathom's own are of 512 bytes
    /// each, and behind a header of fio's there is something.
    pub const fn fits(self, block_bytes: u64) -> bool {
        match self {
            Self::Fathom => block_bytes.is_multiple_of(VERIFY_UNIT_BYTES),
            Self::FioBare => true,
            _ => block_bytes > self.header_bytes(),
        }
    }

    /// Bytes of the checksum in a header of fio's; none where there is no such header.
    pub const fn sum_bytes(self) -> u64 {
        match self {
            Self::Fathom | Self::FioBare | Self::FioMeta | Self::FioPattern => 0,
            Self::FioCrc32 | Self::FioCrc32c | Self::FioXxhash => 4,
            Self::FioCrc64 => 8,
            Self::FioMd5 => 16,
            Self::FioSha1 => 20,
            Self::FioSha256 => 64,
            Self::FioSha512 => 128,
        }
    }

    /// Bytes of a header of fio's, with its checksum.
    pub const fn header_bytes(self) -> u64 {
        FIO_HEADER_BYTES + self.sum_bytes()
    }
}

impl Verify {
    /// Whether writes are stamped.
    pub const fn stamps(self) -> bool {
        !matches!(self, Self::Off)
    }

    /// Whether reads are checked as they complete.
    pub const fn checks(self) -> bool {
        matches!(self, Self::Check | Self::ReadBack | Self::ReadWritten)
    }
}

//! Self-describing blocks: what a write leaves on the storage so that a read can tell whether it
//! got what was written there.
//!
//! Each 512 bytes, the smallest sector there is, describe themselves, so that a torn write or a
//! misdirected one is found whatever the block size. All numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–7 | `FATHOM3` and a zero byte |
//! | 8–15 | offset in the target, bytes |
//! | 16–23 | generation: worker times 2^40, plus number of its write; 0 for layout |
//! | 24–31 | seed of the run |
//! | 32–39 | when it was handed to the storage, in 512 ns since 1970; 0 for layout |
//! | 40–47 | identity of the run: random bits of the kernel, never 0 |
//! | 48–503 | payload |
//! | 504–511 | XXH3-64 of the bytes before |
//!
//! The identity separates the blocks of a run from those of all others. A seed repeats, and so does
//! a clock that was set. Blocks of earlier versions begin with `FATHOM2` and have no identity:
//! their payload starts at byte 40.

mod closed;
mod fio_blocks;
mod judge;
mod proof;
mod written;

pub use closed::ClosedAccount;
pub use fio_blocks::FioBlocks;
pub use judge::{Seen, judge, judge_between_writes, judge_written};
pub use proof::Proof;
pub use written::{Expected, MOST_BLOCKS, Written, shares};

use fathom_core::result::WrongBlocks;
use fathom_core::spec::VERIFY_UNIT_BYTES;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes of a block that describes itself.
pub const UNIT: usize = VERIFY_UNIT_BYTES as usize;
const MAGIC: [u8; 8] = *b"FATHOM3\0";
/// Of blocks that were written before there were identities.
const OLD_MAGIC: [u8; 8] = *b"FATHOM2\0";
const SUM_AT: usize = UNIT - 8;
/// Bits of a generation that count the writes of a worker.
const WRITE_BITS: u32 = 40;

/// What a piece of this size counts in the unit of all counts: one that is wrong does, however
/// short it is.
const fn units(piece_bytes: usize) -> u64 {
    let whole = (piece_bytes / UNIT) as u64;
    if whole > 0 { whole } else { 1 }
}

/// What a write by a worker (numbered from 1 over the whole run; 0 is the layout) is stamped
/// with.
#[inline]
pub const fn generation(worker: u32, write: u64) -> u64 {
    ((worker as u64) << WRITE_BITS) | (write & ((1 << WRITE_BITS) - 1))
}

/// The worker and the write of a generation.
#[inline]
pub const fn worker_and_write(generation: u64) -> (u32, u64) {
    (
        (generation >> WRITE_BITS) as u32,
        generation & ((1 << WRITE_BITS) - 1),
    )
}

/// Makes a buffer that goes to `offset` describe itself. Bytes after the last whole 512 are left
/// as they are.
#[inline]
pub fn stamp(buffer: &mut [u8], offset: u64, stamp: Stamp) {
    let mut offset = offset;
    for block in buffer.chunks_exact_mut(UNIT) {
        block[..8].copy_from_slice(&MAGIC);
        block[8..16].copy_from_slice(&offset.to_le_bytes());
        block[16..24].copy_from_slice(&stamp.generation.to_le_bytes());
        block[24..32].copy_from_slice(&stamp.seed.to_le_bytes());
        block[32..40].copy_from_slice(&stamp.sequence.to_le_bytes());
        block[40..48].copy_from_slice(&stamp.run.to_le_bytes());
        let sum = xxh3_64(&block[..SUM_AT]);
        block[SUM_AT..].copy_from_slice(&sum.to_le_bytes());
        offset += VERIFY_UNIT_BYTES;
    }
}

/// What the bytes of a run are made from, and what separates them from those of all other runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// Identity of the run, never the same twice; 0 in virtual time.
    pub run: u64,
    /// Seed of the order of its requests.
    pub seed: u64,
    /// Salt of its content.
    pub salt: u64,
}

/// What a good block says of itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Who wrote it, and which of its writes it is.
    pub generation: u64,
    /// When it was handed to the storage, see [`Written::sequence`].
    pub sequence: u64,
    /// Seed of the run that wrote it.
    pub seed: u64,
    /// Identity of the run that wrote it; 0 where a block does not tell.
    pub run: u64,
}

impl Stamp {
    /// What a layout leaves.
    pub const fn laid(mark: Mark) -> Self {
        Self {
            generation: 0,
            sequence: 0,
            seed: mark.seed,
            run: mark.run,
        }
    }

    /// Whether a layout left it, and no job.
    pub const fn is_laid(self) -> bool {
        self.generation == 0 && self.sequence == 0
    }

    /// What a block says, whether or not it is good.
    fn read(block: &[u8]) -> Self {
        Self {
            generation: word(block, 16),
            sequence: word(block, 32),
            seed: word(block, 24),
            run: if block[..8] == MAGIC {
                word(block, 40)
            } else {
                0
            },
        }
    }
}

/// Whether nothing is in it.
fn is_zero(block: &[u8]) -> bool {
    block.iter().all(|byte| *byte == 0)
}

fn word(block: &[u8], at: usize) -> u64 {
    block[at..]
        .first_chunk()
        .map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// What is wrong with a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongKind {
    /// Its checksum does not fit: damaged, or torn between two writes inside of the 512 bytes.
    Corrupt,
    /// Good, but of an older write than others of its block, of which all were acknowledged.
    Torn,
    /// Good, but an older write of the run than one that was acknowledged.
    Stale,
    /// What was there before the run, though a write of the run was acknowledged.
    Lost,
    /// Zeros, where something was written or laid out.
    Zeros,
    /// Whole, but written to another offset.
    Misplaced {
        /// Where it says that it belongs, bytes.
        found_offset: u64,
    },
    /// Not a self-describing block at all.
    NotStamped,
    /// Whole, but of a run with another seed.
    ForeignSeed,
}

/// A block that is not what was written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Offset from the start of the target, bytes.
    pub offset: u64,
    /// What is wrong with it.
    pub kind: WrongKind,
}

/// The outcome of checking some blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CheckedBlocks {
    /// 512-byte blocks checked.
    pub blocks: u64,
    /// Of these, wrong.
    pub wrong: u64,
    /// The wrong ones by kind.
    pub kinds: WrongBlocks,
    /// Further blocks, of which nobody can say what they should hold: nothing was written there,
    /// or it is being written.
    pub unwritten: u64,
    /// The first of the wrong ones.
    pub first_wrong: Option<Wrong>,
}

impl CheckedBlocks {
    /// Counts a wrong block.
    fn note(&mut self, kind: WrongKind, offset: u64) {
        self.note_many(kind, offset, 1);
    }

    /// Counts a wrong block of `units` times 512 bytes.
    fn note_many(&mut self, kind: WrongKind, offset: u64, units: u64) {
        self.wrong += units;
        *kind.count_of(&mut self.kinds) += units;
        self.first_wrong.get_or_insert(Wrong { offset, kind });
    }

    /// Adds what was found further on.
    pub fn join(&mut self, more: &Self) {
        self.blocks += more.blocks;
        self.wrong += more.wrong;
        self.kinds += more.kinds;
        self.unwritten += more.unwritten;
        self.first_wrong = self.first_wrong.or(more.first_wrong);
    }
}

impl WrongKind {
    fn count_of(self, kinds: &mut WrongBlocks) -> &mut u64 {
        match self {
            Self::Corrupt => &mut kinds.damaged,
            Self::Torn => &mut kinds.torn,
            Self::Stale => &mut kinds.stale,
            Self::Lost => &mut kinds.lost,
            Self::Zeros => &mut kinds.zeros,
            Self::Misplaced { .. } => &mut kinds.misplaced,
            Self::NotStamped => &mut kinds.unstamped,
            Self::ForeignSeed => &mut kinds.foreign,
        }
    }
}

/// Checks the whole 512-byte blocks of a buffer that was read from `offset`; without a seed, one
/// of any run is good.
#[inline]
pub fn check(buffer: &[u8], offset: u64, seed: Option<u64>) -> CheckedBlocks {
    let mut outcome = CheckedBlocks::default();
    let mut offset = offset;
    for block in buffer.chunks_exact(UNIT) {
        outcome.blocks += 1;
        if let Err(kind) = examine(block, offset, seed) {
            outcome.note(kind, offset);
        }
        offset += VERIFY_UNIT_BYTES;
    }
    outcome
}

/// Checks one block of 512 bytes that was read from `offset`.
#[inline]
pub fn examine(block: &[u8], offset: u64, seed: Option<u64>) -> Result<Stamp, WrongKind> {
    let found_offset = word(block, 8);
    let stamp = Stamp::read(block);
    if block[..8] != MAGIC && block[..8] != OLD_MAGIC {
        // The rest of a damaged header still tells a block of ours from someone else's.
        let ours = found_offset == offset && seed.is_none_or(|seed| seed == stamp.seed);
        return Err(if is_zero(block) {
            WrongKind::Zeros
        } else if ours && offset != 0 {
            WrongKind::Corrupt
        } else {
            WrongKind::NotStamped
        });
    }
    if word(block, SUM_AT) != xxh3_64(&block[..SUM_AT]) {
        return Err(WrongKind::Corrupt);
    }
    if seed.is_some_and(|seed| seed != stamp.seed) {
        return Err(WrongKind::ForeignSeed);
    }
    if found_offset != offset {
        return Err(WrongKind::Misplaced { found_offset });
    }
    Ok(stamp)
}

#[cfg(test)]
mod tests;

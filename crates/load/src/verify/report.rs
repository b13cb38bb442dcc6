//! What the verification of a target found.

use super::{UNIT, Wrong, WrongKind, examine, worker_and_write};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Wrong blocks and unreadable places that are listed; all are counted.
const LISTED: usize = 16;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The target.
    pub path: PathBuf,
    /// Where checking began, bytes.
    pub offset: u64,
    /// Bytes to check.
    pub len: u64,
    /// Whether past the page cache.
    pub direct: bool,
    /// What to know about the check itself, in a sentence.
    pub note: Option<String>,
    /// 512-byte blocks that could be read.
    pub blocks: u64,
    /// Of these, wrong ones by kind.
    pub wrong: WrongCounts,
    /// The first of them.
    pub first_wrong: Vec<Wrong>,
    /// What could not be read, by error number.
    pub unreadable: BTreeMap<i32, ReadFault>,
    /// Good blocks that the layout wrote and nobody since.
    pub layout_blocks: u64,
    /// The other good blocks by the worker that wrote them last.
    pub workers: BTreeMap<u32, WorkerGenerations>,
    /// Seeds of the good blocks, and how many of each: more than one after several runs, if none
    /// was asked for.
    pub seeds: BTreeMap<u64, u64>,
    /// Ended by the user before the end of the range.
    pub interrupted: bool,
}

impl VerifyReport {
    /// Whether every block was read and good.
    pub fn is_clean(&self) -> bool {
        !self.interrupted && self.wrong.total() == 0 && self.unreadable.is_empty()
    }

    /// Bytes that could not be read.
    pub fn unreadable_bytes(&self) -> u64 {
        self.unreadable.values().map(|fault| fault.bytes).sum()
    }

    pub(super) fn add(&mut self, bytes: &[u8], offset: u64, seed: Option<u64>) {
        let offsets = (offset..).step_by(UNIT);
        for (block, offset) in bytes.chunks_exact(UNIT).zip(offsets) {
            self.blocks += 1;
            match examine(block, offset, seed) {
                Ok(stamp) => {
                    *self.seeds.entry(stamp.seed).or_default() += 1;
                    self.add_generation(stamp.generation);
                }
                Err(kind) => {
                    self.wrong.add(kind);
                    if self.first_wrong.len() < LISTED {
                        self.first_wrong.push(Wrong { offset, kind });
                    }
                }
            }
        }
    }

    pub(super) fn add_unreadable(&mut self, errno: i32, offset: u64, bytes: u64) {
        let fault = self.unreadable.entry(errno).or_default();
        fault.bytes += bytes;
        if fault.first_offsets.len() < LISTED {
            fault.first_offsets.push(offset);
        }
    }

    fn add_generation(&mut self, generation: u64) {
        let (worker, write) = worker_and_write(generation);
        if worker == 0 {
            self.layout_blocks += 1;
            return;
        }
        self.workers
            .entry(worker)
            .and_modify(|found| {
                found.blocks += 1;
                found.oldest = found.oldest.min(write);
                found.newest = found.newest.max(write);
            })
            .or_insert(WorkerGenerations {
                blocks: 1,
                oldest: write,
                newest: write,
            });
    }
}

/// Wrong blocks by kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WrongCounts {
    /// [`WrongKind::Corrupt`].
    pub corrupt: u64,
    /// [`WrongKind::Misplaced`].
    pub misplaced: u64,
    /// [`WrongKind::NotStamped`].
    pub not_stamped: u64,
    /// [`WrongKind::ForeignSeed`].
    pub foreign_seed: u64,
}

impl WrongCounts {
    /// All together.
    pub const fn total(&self) -> u64 {
        self.corrupt + self.misplaced + self.not_stamped + self.foreign_seed
    }

    const fn add(&mut self, kind: WrongKind) {
        match kind {
            WrongKind::Corrupt => self.corrupt += 1,
            WrongKind::Misplaced { .. } => self.misplaced += 1,
            WrongKind::NotStamped => self.not_stamped += 1,
            WrongKind::ForeignSeed => self.foreign_seed += 1,
        }
    }
}

/// The blocks that a worker wrote last.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerGenerations {
    /// Their number.
    pub blocks: u64,
    /// Number of the oldest write among them.
    pub oldest: u64,
    /// Number of the newest write among them. A worker that is known to have made more writes
    /// that were not overwritten has lost some.
    pub newest: u64,
}

/// Places that failed to be read with one error.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadFault {
    /// Bytes in them.
    pub bytes: u64,
    /// Offsets of the first.
    pub first_offsets: Vec<u64>,
}

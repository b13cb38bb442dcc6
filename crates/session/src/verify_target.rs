//! Reading back a whole target and checking every block of it, in a run of its own.

pub use fathom_load::verify::{ClosedAccount, Proof, Written, Wrong, WrongKind};

use crate::aligned::{ALIGN_BYTES, AlignedBuffer};
use crate::source::Source;
use fathom_core::Bytes;
use fathom_core::result::WrongBlocks;
use fathom_load::control::{Control, Wish};
use fathom_load::observer::{Event, Observer};
use fathom_load::verify::{CheckedBlocks, Seen, UNIT, examine, judge, worker_and_write};
use fathom_platform::fd::OwnedFd;
use std::collections::BTreeMap;
use std::io::{self, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

/// Bytes of one read.
const READ_BYTES: u64 = 1 << 20;
/// A read that fails is tried again in pieces of this size, to find the bad ones.
const PIECE_BYTES: u64 = ALIGN_BYTES as u64;
/// Progress is reported after this number of bytes.
const TELL_BYTES: u64 = 64 << 20;
/// Wrong blocks and unreadable places that are listed; all are counted.
const LISTED: usize = 16;

/// What a verification found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
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
    pub wrong: WrongBlocks,
    /// 512-byte blocks of which nobody can say what they should hold.
    pub unwritten: u64,
    /// The first of them.
    pub first_wrong: Vec<Wrong>,
    /// What could not be read, by error number.
    pub unreadable: BTreeMap<i32, ReadFault>,
    /// Good blocks of other runs, where the run whose account they were held against wrote nothing.
    pub of_others: u64,
    /// Blocks of other runs where that run wrote, of which the clock says that they are newer: a
    /// run that the history does not know may have written there since.
    pub newer: u64,
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

    fn add(&mut self, bytes: &[u8], offset: u64, subject: &Subject<'_>) {
        let (piece, first) = match (subject.proof.pieces(), subject.written) {
            ((piece, _), Some(written)) if piece <= UNIT as u64 => {
                (written.block_bytes(), written.first())
            }
            (pieces, _) => pieces,
        };
        let mut at = 0;
        while at < bytes.len() {
            let place = offset + at as u64;
            let ahead = piece - place.wrapping_sub(first) % piece;
            let end = bytes.len().min(at + ahead as usize);
            let part = &bytes[at..end];
            let outcome = match subject.written {
                Some(written) => judge(subject.proof, written, part, place, Seen::Now),
                None => subject.proof.check(part, place),
            };
            self.count(&outcome);
            at = end;
        }
        let Proof::Stamps { seed } = subject.proof else {
            return;
        };
        for (block, offset) in bytes.chunks_exact(UNIT).zip((offset..).step_by(UNIT)) {
            if let Ok(stamp) = examine(block, offset, seed) {
                *self.seeds.entry(stamp.seed).or_default() += 1;
                let Some(written) = subject.written.filter(|one| one.is_of_other(stamp)) else {
                    self.add_generation(stamp.generation);
                    continue;
                };
                if written.must_hold(offset) {
                    self.newer += u64::from(written.ended_before(stamp.sequence));
                } else {
                    self.of_others += 1;
                }
            }
        }
    }

    fn count(&mut self, outcome: &CheckedBlocks) {
        self.blocks += outcome.blocks;
        self.wrong += outcome.kinds;
        self.unwritten += outcome.unwritten;
        if self.first_wrong.len() < LISTED {
            self.first_wrong.extend(outcome.first_wrong);
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
    pub first_offsets: Vec<u64>,
}

/// Why nothing could be verified.
#[derive(Debug, thiserror::Error)]
pub enum VerifyError {
    /// The target cannot be opened or its size not found.
    #[error("cannot open {} to verify it: {source}", path.display())]
    Open {
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// The range is not of whole blocks.
    #[error(
        "cannot verify {} from offset {offset} for {len} bytes: self-describing blocks are \
         512 bytes each; give multiples of 512",
        path.display()
    )]
    Unaligned {
        path: PathBuf,
        /// As asked for.
        offset: u64,
        /// As asked for.
        len: u64,
    },
    /// The target ends before the range does.
    #[error(
        "cannot verify {} up to {}: it ends at {}",
        path.display(),
        Bytes(*end),
        Bytes(*size_bytes)
    )]
    TooSmall {
        path: PathBuf,
        /// End of the range.
        end: u64,
        size_bytes: u64,
    },
}

/// What is checked, and its reference.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// A file or block device.
    pub path: &'a Path,
    /// What was opened under that name, if it was: that is checked, whatever the name leads to by
    /// now.
    pub opened: Option<&'a OwnedFd>,
    /// Where it begins, bytes.
    pub offset: u64,
    /// Bytes.
    pub len: u64,
    /// How blocks are known to be right.
    pub proof: Proof,
    /// What is known to have been written; without it, any write that describes itself is right.
    pub written: Option<&'a Written>,
}

/// Checks a part of a file or block device against what a run wrote. Errors of reading are part of
/// the report.
///
/// # Errors
///
/// [`VerifyError`], when there is nothing to read.
pub fn verify_target(
    subject: &Subject<'_>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<VerifyReport, VerifyError> {
    let Subject {
        path, offset, len, ..
    } = *subject;
    let open_error = |source| VerifyError::Open {
        path: path.to_owned(),
        source,
    };
    let unit = UNIT as u64;
    if !offset.is_multiple_of(unit) || !len.is_multiple_of(unit) {
        return Err(VerifyError::Unaligned {
            path: path.to_owned(),
            offset,
            len,
        });
    }
    let mut source = Source::open(path, subject.opened).map_err(open_error)?;
    let size_bytes = source.file.seek(SeekFrom::End(0)).map_err(open_error)?;
    let end = offset.saturating_add(len);
    if end > size_bytes {
        return Err(VerifyError::TooSmall {
            path: path.to_owned(),
            end,
            size_bytes,
        });
    }
    let mut report = VerifyReport {
        path: path.to_owned(),
        offset,
        len,
        ..VerifyReport::default()
    };
    let (step, base) = steps(&subject.proof);
    let room = step.next_multiple_of(ALIGN_BYTES as u64) + ALIGN_BYTES as u64;
    let mut buffer = AlignedBuffer::new(room as usize);
    let mut tell = |done_bytes| {
        observer.event(&Event::Verify {
            path: &path.to_string_lossy(),
            done_bytes,
            total_bytes: len,
        });
    };
    tell(0);
    let mut told = 0;
    let mut at = offset;
    while at < end {
        if control.wish() != Wish::Run {
            report.interrupted = true;
            break;
        }
        // After the first, reads begin at whole pieces.
        let next = after(at, step, base).min(end);
        read_and_check(&mut source, at..next, &mut buffer, subject, &mut report);
        at = next;
        if at - offset - told >= TELL_BYTES || at == end {
            told = at - offset;
            tell(told);
        }
    }
    report.direct = source.direct;
    report.note = source.note();
    Ok(report)
}

/// Bytes of a read, of whole pieces, and where one of them begins.
fn steps(proof: &Proof) -> (u64, u64) {
    let (piece, base) = proof.pieces();
    let step = (READ_BYTES / piece).max(1) * piece;
    (step, base % step)
}

/// The next begin of a step behind `at`.
const fn after(at: u64, step: u64, base: u64) -> u64 {
    at + step - (at + step - base % step) % step
}

/// Checks a range that is no longer than a read, in pieces where it cannot be read at once.
fn read_and_check(
    source: &mut Source,
    range: std::ops::Range<u64>,
    buffer: &mut AlignedBuffer,
    subject: &Subject<'_>,
    report: &mut VerifyReport,
) {
    if let Ok(bytes) = source.read(&range, buffer) {
        report.add(bytes, range.start, subject);
        return;
    }
    let mut at = range.start;
    while at < range.end {
        let (piece, base) = subject.proof.pieces();
        let piece = PIECE_BYTES.next_multiple_of(piece);
        let next = after(at, piece, base % piece).min(range.end);
        match source.read(&(at..next), buffer) {
            Ok(bytes) => report.add(bytes, at, subject),
            Err(error) => {
                let errno = error.raw_os_error().unwrap_or(0);
                let fault = report.unreadable.entry(errno).or_default();
                fault.bytes += next - at;
                if fault.first_offsets.len() < LISTED {
                    fault.first_offsets.push(at);
                }
            }
        }
        at = next;
    }
}

#[cfg(test)]
mod tests;

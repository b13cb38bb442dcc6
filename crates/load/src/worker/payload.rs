//! What writes carry and what reads are checked for, decided once for a worker.

use super::between::Piece;
use crate::excerpt::Excerpts;
use crate::fill::{BLOCK_BYTES, Filler, given};
use crate::slots::Slot;
use crate::verify::{
    self, CheckedBlocks, Expected, FioBlocks, Mark, Proof, Seen, Stamp, Written, judge,
    judge_between_writes, judge_written,
};
use fathom_core::result::Verified;
use fathom_core::spec::{Fill, Job, VERIFY_UNIT_BYTES, Verify};
use fathom_core::{Nanos, Op, Percent};
use std::sync::Arc;

/// How a worker treats the bytes of its requests.
#[derive(Debug)]
pub struct Payload {
    filler: Filler,
    mode: Mode,
    excerpts: Option<Excerpts>,
    checks: bool,
    /// Whether what is read was written by a job, or is wrong.
    rereads: bool,
    /// Whether reads are made for the load, and only what was written is checked for sure.
    reads_between_writes: bool,
    fill: Fill,
    proof: Proof,
    mark: Mark,
    worker: u32,
    writes: u64,
    verified: Verified,
    /// What is known to have been written to each target; empty where nothing is stamped.
    written: Box<[Option<Arc<Written>>]>,
    /// For each slot, what was known of its blocks when its request began.
    seen: Box<[Expected]>,
    /// Blocks of a slot.
    per_slot: usize,
}

/// Where and when a write goes out.
#[derive(Clone, Copy, Debug)]
pub(super) struct WritePlace {
    pub(super) slot: u32,
    pub(super) target: usize,
    pub(super) offset: u64,
    pub(super) len: u32,
    pub(super) now: Nanos,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Buffers stay as they were prepared.
    Keep,
    /// Every write gets bytes of its own.
    Refresh,
    /// Every write describes itself, in bytes that are made for it where nothing of what its buffer
    /// holds belongs to it.
    Stamp { anew: bool },
    /// Every block of a write has a header of fio's.
    Fio(FioBlocks),
    /// The buffer is filled anew for every write.
    Place,
    /// Every write gets a part of what a file holds.
    Excerpt,
}

/// Whether buffers hold nothing but what was prepared and is written whole: nothing is read into
/// them, and no shorter write leaves its zeros where a longer one has none.
fn keeps_buffers(job: &Job) -> bool {
    let largest = job.largest_io();
    let alike = job.kinds.iter().all(|kind| kind.block_size == largest);
    let is_plain = job.data.compressible_to == Percent::ALL;
    let reads_back = job.verify == Verify::ReadWritten || job.replay.is_some();
    !job.reads()
        && !reads_back
        && (is_plain || alike && largest.0.is_multiple_of(BLOCK_BYTES as u64))
}

impl Payload {
    /// The treatment that `job` asks for. The phases of a run are numbered from 0, the
    /// workers of each from 1.
    pub fn new(job: &Job, mark: Mark, (phase, worker): (u32, u32)) -> Self {
        let proof = Proof::of(job, mark.run, 0);
        let mode = if let Proof::Fio(blocks) = proof {
            Mode::Fio(blocks)
        } else {
            match (job.verify.stamps(), job.data.fill) {
                // Reads into the same buffer would leave there what the storage gave.
                (false, _) if job.data.mixed_pattern().is_some() => Mode::Refresh,
                (true, Fill::Zero) => Mode::Place,
                (true, fill) if fill.is_given() && job.data.mixed_pattern().is_none() => {
                    Mode::Place
                }
                (false, Fill::Zero | Fill::Counting | Fill::Pattern(_) | Fill::Ior(_))
                    if job.reads() =>
                {
                    Mode::Place
                }
                (false, fill) if fill.has_offset() => Mode::Place,
                (false, Fill::File) => Mode::Excerpt,
                (true, _) => Mode::Stamp {
                    anew: !keeps_buffers(job),
                },
                (false, Fill::Random | Fill::Scrambled) => Mode::Refresh,
                (false, Fill::Zero | Fill::Counting | Fill::Pattern(_) | Fill::Ior(_)) => {
                    Mode::Keep
                }
            }
        };
        let filler = Filler::new(&job.data, mark.salt, worker).numbered(phase);
        Self {
            filler: if keeps_buffers(job) {
                filler.with_buffers_of_its_own()
            } else {
                filler
            },
            mode,
            excerpts: None,
            checks: job.verify.checks(),
            rereads: false,
            reads_between_writes: job.verify == Verify::ReadWritten && job.reads(),
            fill: job.data.fill,
            proof,
            mark,
            worker,
            writes: 0,
            verified: Verified::default(),
            written: Box::default(),
            seen: Box::default(),
            per_slot: 0,
        }
    }

    /// The same, with where writes take their bytes from, if that is a file.
    #[must_use]
    pub fn taking(mut self, excerpts: Option<Excerpts>) -> Self {
        self.excerpts = excerpts;
        self
    }

    /// The same, which reads where writes were made or are said to have been: what was there
    /// before them is wrong.
    #[must_use]
    pub const fn rereading(mut self, is_asked: bool) -> Self {
        self.rereads = is_asked;
        self
    }

    /// The same, with what is known to have been written to each target.
    #[must_use]
    pub fn knowing(mut self, written: &[Option<Arc<Written>>], largest_bytes: u64) -> Self {
        let blocks = written.iter().flatten().map(|w| w.blocks_of(largest_bytes));
        self.per_slot = blocks.max().unwrap_or(0);
        if written.iter().any(Option::is_some) {
            self.written = written.into();
        }
        self
    }

    /// The same; where nothing becomes of what writes carry, buffers are left as they are, unless
    /// the job checks them.
    pub(super) fn kept(mut self, is_kept: bool) -> Self {
        let is_stamped = matches!(self.mode, Mode::Stamp { .. } | Mode::Fio(_));
        if !is_kept && !is_stamped && !self.checks && !self.tracks() {
            self.mode = Mode::Keep;
        }
        self
    }

    /// Adds memory for `slots` requests in flight.
    pub(super) fn make_room(&mut self, slots: u32) {
        self.seen = vec![Expected::default(); slots as usize * self.per_slot].into();
    }

    /// Whether it is noted what is written where.
    #[inline]
    pub(super) const fn tracks(&self) -> bool {
        !self.written.is_empty()
    }

    /// Notes that a request begins; a write has begun when its buffer was filled.
    pub(super) fn begin(&mut self, slot: u32, request: &Slot) {
        let Some(Some(written)) = self.written.get(usize::from(request.target)) else {
            return;
        };
        let first = slot as usize * self.per_slot;
        let seen = &mut self.seen[first..first + self.per_slot];
        let (offset, len) = (request.offset, request.len);
        match request.op {
            Op::Read => written.begin_read(offset, len, seen),
            Op::Trim => written.begin_trim(offset, len, request.issued, seen),
            _ => {}
        }
    }

    /// Notes that a write or trim has ended.
    pub(super) fn end(&mut self, slot: u32, request: &Slot, result: i32) {
        let Some(Some(written)) = self.written.get(usize::from(request.target)) else {
            return;
        };
        let first = slot as usize * self.per_slot;
        let seen = &self.seen[first..first + self.per_slot];
        let is_good = request.op == Op::Write && result == request.len as i32;
        if matches!(request.op, Op::Write | Op::Trim) {
            written.end(request.offset, request.len, is_good, seen);
        }
    }

    /// Notes that a write of the job is being read back and need not be once more at the end.
    pub(super) fn rereads(&self, piece: &Piece) {
        if let Some(Some(written)) = self.written.get(usize::from(piece.target)) {
            written.reread(piece.offset, piece.len);
        }
    }

    /// Fills a slot's buffer once, before the load begins.
    pub(super) fn prepare(&mut self, buffer: &mut [u8]) {
        self.filler.prepare(buffer);
    }

    /// Makes a buffer ready to be written at `now`.
    #[inline]
    pub(super) fn fill(&mut self, buffer: &mut [u8], place: WritePlace) {
        let WritePlace { offset, len, .. } = place;
        match self.mode {
            Mode::Keep => {}
            Mode::Refresh => self.filler.refresh(buffer, len as usize),
            Mode::Stamp { anew } => {
                if anew {
                    self.filler.refresh(buffer, len as usize);
                }
                self.writes += 1;
                let stamp = Stamp {
                    generation: verify::generation(self.worker, self.writes),
                    sequence: self.begin_write(place),
                    seed: self.mark.seed,
                    run: self.mark.run,
                };
                verify::stamp(&mut buffer[..len as usize], offset, stamp);
            }
            Mode::Fio(blocks) => {
                let number = self.begin_write(place);
                // A write is a request, whatever the window begins with.
                let under = blocks.from(offset);
                if !under.put_under(&mut buffer[..len as usize], offset) {
                    self.filler.refresh(buffer, len as usize);
                }
                blocks.head(&mut buffer[..len as usize], offset, number);
            }
            Mode::Place => {
                self.begin_write(place);
                given(self.fill, &mut buffer[..len as usize], offset);
            }
            Mode::Excerpt => {
                if let Some(excerpts) = &mut self.excerpts {
                    excerpts.fill(&mut buffer[..len as usize]);
                }
            }
        }
    }

    /// Notes that a write begins; gives its number.
    fn begin_write(&mut self, place: WritePlace) -> u64 {
        let Some(Some(written)) = self.written.get(place.target) else {
            return 1;
        };
        let first = place.slot as usize * self.per_slot;
        let seen = &mut self.seen[first..first + self.per_slot];
        written.begin_write(place.offset, place.len, place.now, seen)
    }

    /// Whether reads are checked.
    #[inline]
    pub(super) const fn checks(&self) -> bool {
        self.checks
    }

    /// Checks what the read of a slot gave; the offset of the first wrong block, if any. What the
    /// storage did not give is wrong.
    pub(super) fn check(&mut self, buffer: &[u8], slot: u32, request: &Slot) -> Option<u64> {
        let (offset, len) = (request.offset, request.len);
        let outcome = self.outcome(buffer, slot, request);
        let given = buffer.len() as u64 / VERIFY_UNIT_BYTES;
        let missing = u64::from(len) / VERIFY_UNIT_BYTES - given;
        self.verified.blocks += outcome.blocks + missing;
        self.verified.wrong += outcome.wrong + missing;
        self.verified.unwritten += outcome.unwritten;
        self.verified.kinds += outcome.kinds;
        self.verified.kinds.lost += missing;
        let first_missing = offset + given * VERIFY_UNIT_BYTES;
        let first_wrong = outcome.first_wrong.map(|wrong| wrong.offset);
        first_wrong.or((missing > 0).then_some(first_missing))
    }

    /// Where the blocks of a read begin that are wrong, of which the first is known.
    #[cold]
    pub(super) fn wrong_blocks<'a>(
        &self,
        buffer: &'a [u8],
        request: &Slot,
        first: u64,
    ) -> impl Iterator<Item = u64> + use<'a> {
        let begin = request.offset;
        let blocks = match self.proof.from(begin) {
            Proof::Fio(blocks) => Some(blocks),
            Proof::Stamps { .. } | Proof::Told { .. } => None,
        };
        let further = blocks.into_iter().flat_map(move |blocks| {
            let length = blocks.block_bytes as usize;
            let all = buffer.chunks_exact(length);
            let all = all.zip((begin..).step_by(length));
            let wrong = all.filter(move |(block, offset)| {
                // What is older than it should be is nothing that the block itself tells.
                *offset > first && blocks.check(block, *offset).wrong > 0
            });
            wrong.map(|(_, offset)| offset)
        });
        std::iter::once(first).chain(further)
    }

    fn outcome(&self, buffer: &[u8], slot: u32, request: &Slot) -> CheckedBlocks {
        // A read of a job is one of its blocks, whatever the window begins with.
        let proof = self.proof.from(request.offset);
        let written = self.written.get(usize::from(request.target));
        let written = written.and_then(Option::as_deref);
        let first = slot as usize * self.per_slot;
        let seen = Seen::AtIssue(&self.seen[first..first + self.per_slot]);
        if self.rereads {
            return judge_written(proof, written, buffer, request.offset, seen);
        }
        let Some(written) = written else {
            return proof.check(buffer, request.offset);
        };
        if self.reads_between_writes {
            return judge_between_writes(proof, written, buffer, request.offset, seen);
        }
        judge(proof, written, buffer, request.offset, seen)
    }

    /// What the checks found, if there were any.
    pub(super) fn verified(&self) -> Option<Verified> {
        self.checks.then_some(self.verified)
    }
}

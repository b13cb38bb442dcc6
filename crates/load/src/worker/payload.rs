//! What writes carry and what reads are checked for, decided once for a worker.

use crate::fill::{Filler, told};
use crate::verify::{self, Proof};
use fathom_core::result::Verified;
use fathom_core::spec::{Fill, Job, VERIFY_UNIT_BYTES};

/// How a worker treats the bytes of its requests.
#[derive(Debug)]
pub struct Payload {
    filler: Filler,
    mode: Mode,
    checks: bool,
    fill: Fill,
    proof: Proof,
    seed: u64,
    worker: u32,
    writes: u64,
    verified: Verified,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Buffers stay as they were prepared.
    Keep,
    /// Every write gets bytes of its own.
    Refresh,
    /// Every write describes itself.
    Stamp,
    /// The buffer is filled anew for every write.
    Place,
}

impl Payload {
    /// The treatment that `job` asks for. `worker` numbers the workers of a run from 1.
    pub fn new(job: &Job, seed: u64, worker: u32) -> Self {
        let mode = match (job.verify.stamps(), job.data.fill) {
            // Reads into the same buffer would leave there what the storage gave.
            (true, Fill::Counting | Fill::Pattern(_)) => Mode::Place,
            (false, Fill::Zero | Fill::Counting | Fill::Pattern(_)) if job.reads() => Mode::Place,
            (false, Fill::Pattern(pattern)) if pattern.has_offset() => Mode::Place,
            (true, _) => Mode::Stamp,
            (false, Fill::Random) => Mode::Refresh,
            (false, Fill::Zero | Fill::Counting | Fill::Pattern(_)) => Mode::Keep,
        };
        let filler = Filler::new(&job.data, seed, worker);
        Self {
            filler: if job.reads() {
                filler
            } else {
                filler.with_buffers_of_its_own()
            },
            mode,
            checks: job.verify.checks(),
            fill: job.data.fill,
            proof: Proof::of(job, seed, 0),
            seed,
            worker,
            writes: 0,
            verified: Verified::default(),
        }
    }

    /// Fills a slot's buffer once, before the load begins.
    pub(super) fn prepare(&mut self, buffer: &mut [u8]) {
        self.filler.prepare(buffer);
    }

    /// Makes a buffer ready to be written.
    #[inline]
    pub(super) fn fill(&mut self, buffer: &mut [u8], offset: u64, len: u32) {
        match self.mode {
            Mode::Keep => {}
            Mode::Refresh => self.filler.refresh(buffer, len as usize),
            Mode::Stamp => {
                self.writes += 1;
                let generation = verify::generation(self.worker, self.writes);
                verify::stamp(&mut buffer[..len as usize], offset, generation, self.seed);
            }
            Mode::Place => told(self.fill, &mut buffer[..len as usize], offset),
        }
    }

    /// Whether reads are checked.
    #[inline]
    pub(super) const fn checks(&self) -> bool {
        self.checks
    }

    /// Checks what was read from `offset` by a read of `len` bytes; the offset of the first wrong
    /// block, if any. What the storage did not give is wrong.
    pub(super) fn check(&mut self, buffer: &[u8], offset: u64, len: u32) -> Option<u64> {
        // A read of a job is one of its blocks, whatever the window begins with.
        let outcome = self.proof.from(offset).check(buffer, offset);
        let missing = u64::from(len) / VERIFY_UNIT_BYTES - outcome.blocks;
        self.verified.blocks += outcome.blocks + missing;
        self.verified.wrong += outcome.wrong + missing;
        let first_missing = offset + outcome.blocks * VERIFY_UNIT_BYTES;
        let first_wrong = outcome.first_wrong.map(|wrong| wrong.offset);
        first_wrong.or((missing > 0).then_some(first_missing))
    }

    /// What the checks found, if there were any.
    pub(super) fn verified(&self) -> Option<Verified> {
        self.checks.then_some(self.verified)
    }
}

//! What blocks are compared with: their own description, or derivable bytes.

use super::{CheckedBlocks, FioBlocks, Mark, Stamp, UNIT, WrongKind, check, examine, stamp};
use crate::fill::given;
use fathom_core::spec::{Fill, Job};

/// How blocks are known to be right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Each 512 bytes describe themselves; without a seed, those of any run are right.
    Stamps {
        /// Seed of the only runs whose blocks are right.
        seed: Option<u64>,
    },
    /// Each block of the job carries bytes that follow from its offset.
    Told {
        /// What they are.
        fill: Fill,
        block_bytes: u64,
        /// Where one of the blocks begins.
        base: u64,
    },
    /// Each block of the job has a header of fio's.
    Fio(FioBlocks),
}

impl Proof {
    /// The proof of what a job writes, whose window begins at `base`, in the run with this
    /// identity. Blocks of other runs are right too: only an account tells where they must not be.
    pub fn of(job: &Job, run: u64, base: u64) -> Self {
        let block_bytes = job
            .compat()
            .verify_interval
            .unwrap_or(job.largest_io())
            .0
            .max(1);
        if let Some(blocks) = FioBlocks::new(job.compat().verify_as, block_bytes, base) {
            let blocks = blocks.over(job.data.fill).of_run(run);
            let request = job
                .only_io()
                .filter(|size| size.0.is_multiple_of(block_bytes));
            return Self::Fio(match request.filter(|size| size.0 > 0) {
                Some(size) => blocks.in_requests_of(size.0),
                None => blocks,
            });
        }
        if job.data.fill.is_given() {
            return Self::Told {
                fill: job.data.fill,
                block_bytes: job.largest_io().0.max(1),
                base,
            };
        }
        Self::Stamps { seed: None }
    }

    /// The same for blocks of which one begins at `base`.
    #[must_use]
    pub const fn from(self, base: u64) -> Self {
        match self {
            Self::Stamps { .. } => self,
            Self::Told {
                fill, block_bytes, ..
            } => Self::Told {
                fill,
                block_bytes,
                base,
            },
            Self::Fio(blocks) => Self::Fio(blocks.from(base)),
        }
    }

    /// Bytes of the pieces that are checked by themselves, and where one of them begins.
    pub const fn pieces(&self) -> (u64, u64) {
        match self {
            // What is left of a block behind its last 512 bytes belongs to it.
            Self::Told {
                block_bytes, base, ..
            } if !block_bytes.is_multiple_of(UNIT as u64) => (*block_bytes, *base),
            Self::Stamps { .. } | Self::Told { .. } => (UNIT as u64, 0),
            Self::Fio(blocks) => (blocks.block_bytes, blocks.base),
        }
    }

    /// Puts into a buffer what a layout leaves at `offset`, for blocks that are checked.
    pub fn lay(&self, buffer: &mut [u8], offset: u64, mark: Mark) {
        match *self {
            Self::Stamps { .. } => stamp(buffer, offset, Stamp::laid(mark)),
            Self::Told {
                fill,
                block_bytes,
                base,
            } => each_block(buffer, offset, block_bytes, base, |part, begin, skip| {
                let mut block = vec![0; skip + part.len()];
                given(fill, &mut block, begin);
                part.copy_from_slice(&block[skip..]);
            }),
            Self::Fio(blocks) => {
                let FioBlocks {
                    block_bytes, base, ..
                } = blocks;
                each_block(buffer, offset, block_bytes, base, |part, begin, skip| {
                    let block = blocks.lay(begin, mark.salt);
                    part.copy_from_slice(&block[skip..skip + part.len()]);
                });
            }
        }
    }

    /// Checks the whole 512-byte blocks of a buffer that was read from `offset`.
    pub fn check(&self, buffer: &[u8], offset: u64) -> CheckedBlocks {
        match *self {
            Self::Stamps { seed } => check(buffer, offset, seed),
            Self::Told { .. } => {
                let expected = self.expected(buffer.len(), offset).unwrap_or_default();
                let mut outcome = CheckedBlocks::default();
                let piece = self.pieces().0 as usize;
                let found = buffer.chunks_exact(piece).zip(expected.chunks_exact(piece));
                for ((found, expected), offset) in found.zip((offset..).step_by(piece)) {
                    outcome.blocks += super::units(piece);
                    if found != expected {
                        outcome.note_many(WrongKind::Corrupt, offset, super::units(piece));
                    }
                }
                outcome
            }
            Self::Fio(blocks) => blocks.check(buffer, offset),
        }
    }

    /// What a block says of itself, be it good or not.
    pub(super) fn told(&self, block: &[u8]) -> Stamp {
        match self {
            Self::Stamps { .. } | Self::Told { .. } => Stamp::read(block),
            Self::Fio(blocks) => blocks.told(block),
        }
    }

    /// The bytes that belong to a place, if they can be derived.
    pub(super) fn expected(&self, len: usize, offset: u64) -> Option<Vec<u8>> {
        matches!(self, Self::Told { .. }).then(|| {
            let mut expected = vec![0; len];
            self.lay(&mut expected, offset, Mark::default());
            expected
        })
    }

    /// Checks one piece, with the expected bytes.
    pub(super) fn examine(
        &self,
        block: &[u8],
        offset: u64,
        told: Option<&[u8]>,
    ) -> Result<Option<Stamp>, WrongKind> {
        match (self, told) {
            (Self::Stamps { seed }, _) => examine(block, offset, *seed).map(Some),
            (Self::Told { .. }, told) if told == Some(block) => Ok(None),
            (Self::Told { .. }, _) => Err(WrongKind::Corrupt),
            (Self::Fio(blocks), _) => blocks.examine(block, offset).map(Some),
        }
    }
}

/// Goes through the parts of a buffer that are of one block each: the part, where its block begins,
/// and how much of the block lies before it.
fn each_block(
    buffer: &mut [u8],
    offset: u64,
    block_bytes: u64,
    base: u64,
    mut each: impl FnMut(&mut [u8], u64, usize),
) {
    let mut at = offset;
    let mut rest = buffer;
    while !rest.is_empty() {
        // Blocks before the base follow the same lattice.
        let phase = base % block_bytes;
        let into = (at + block_bytes - phase) % block_bytes;
        let length = (block_bytes - into).min(rest.len() as u64) as usize;
        let (part, more) = std::mem::take(&mut rest).split_at_mut(length);
        each(part, at.saturating_sub(into), into as usize);
        at += length as u64;
        rest = more;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proof(pattern: &str) -> Proof {
        Proof::Told {
            fill: Fill::Pattern(pattern.parse().expect("a pattern")),
            block_bytes: 4096,
            base: 1024,
        }
    }

    #[test]
    fn what_was_laid_is_right_wherever_it_is_read() {
        let proof = proof("aabbcc%o");
        let mut content = vec![0; 64 << 10];
        proof.lay(&mut content, 0, Mark::default());
        // Block by block, as a worker has written them.
        let mut block = vec![0; 4096];
        given(
            Fill::Pattern("aabbcc%o".parse().expect("a pattern")),
            &mut block,
            1024 + 4096,
        );
        assert_eq!(content[1024 + 4096..1024 + 8192], block);
        for (begin, end) in [(0, 512), (512, 9216), (1024, 64 << 10)] {
            let outcome = proof.check(&content[begin..end], begin as u64);
            assert_eq!(
                (outcome.blocks, outcome.wrong),
                ((end - begin) as u64 / 512, 0)
            );
        }
    }

    /// Blocks that are no whole number of 512 bytes are looked at to their last byte.
    #[test]
    fn the_end_of_an_odd_block_is_checked() {
        let proof = Proof::Told {
            fill: Fill::Pattern("00ff".parse().expect("a pattern")),
            block_bytes: 1000,
            base: 0,
        };
        let mut content = vec![0; 3000];
        proof.lay(&mut content, 0, Mark::default());
        assert_eq!(proof.check(&content, 0).wrong, 0);
        content[1999] ^= 1;
        let outcome = proof.check(&content, 0);
        let first = outcome.first_wrong.map(|wrong| (wrong.offset, wrong.kind));
        assert_eq!(
            (outcome.wrong, first),
            (1, Some((1000, WrongKind::Corrupt)))
        );
    }

    #[test]
    fn one_wrong_byte_is_found() {
        let proof = proof("00ff");
        let mut content = vec![0; 8192];
        proof.lay(&mut content, 4096, Mark::default());
        content[5000] ^= 1;
        let outcome = proof.check(&content, 4096);
        let first = outcome.first_wrong.map(|wrong| (wrong.offset, wrong.kind));
        let expected = (4096 + 4608, WrongKind::Corrupt);
        assert_eq!((outcome.wrong, first), (1, Some(expected)));
    }
}

//! Blocks that are not what was written there, kept as they were read for whoever wants them.

use super::{FioBlocks, Outcome, Proof};

/// Blocks that a worker keeps at most.
const MOST_BLOCKS: usize = 1024;
/// Bytes that it keeps at most, but for the last block.
const MOST_BYTES: usize = 16 << 20;

/// A block that is not what was written there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongBlock {
    /// Number of its target among those of the job.
    pub target: u16,
    /// Where it was read, bytes.
    pub offset: u64,
    /// What was read.
    pub received: Box<[u8]>,
    /// What should have been read, where that is known.
    pub expected: Option<Box<[u8]>>,
    /// Whether it is a header of fio's that is wrong, so that nothing is known of the rest.
    pub is_headless: bool,
}

/// The wrong blocks of a worker.
#[derive(Clone, Debug, Default)]
pub struct Dumps {
    /// The first of them.
    pub blocks: Vec<WrongBlock>,
    /// How many came when there was no more room.
    pub left_out: u64,
    bytes: usize,
}

impl Dumps {
    /// Keeps the wrong blocks of a read from `offset`, of which something turned out to be wrong.
    #[cold]
    pub(crate) fn add(&mut self, proof: Proof, read: &[u8], place: (u16, u64), found: &Outcome) {
        let (target, offset) = place;
        let length = match proof {
            Proof::Fio(blocks) => blocks.block_bytes as usize,
            Proof::Stamps { .. } | Proof::Told { .. } => read.len(),
        };
        let blocks = read.chunks_exact(length.max(1));
        for (received, offset) in blocks.zip((offset..).step_by(length.max(1))) {
            let block = offset..offset + length as u64;
            // What is older than it should be is nothing that the block itself tells.
            let is_first = found
                .first_wrong
                .is_some_and(|wrong| block.contains(&wrong.offset));
            if !is_first && proof.check(received, offset).wrong == 0 {
                continue;
            }
            if self.blocks.len() >= MOST_BLOCKS || self.bytes >= MOST_BYTES {
                self.left_out += 1;
                continue;
            }
            self.bytes += length;
            let header = match proof {
                Proof::Fio(blocks) => Some(blocks).filter(|b| b.has_header(received, offset)),
                Proof::Stamps { .. } | Proof::Told { .. } => None,
            };
            let told = || proof.expected(length, offset);
            self.blocks.push(WrongBlock {
                target,
                offset,
                received: received.into(),
                expected: header
                    .map_or_else(told, |blocks: FioBlocks| blocks.restored(received, offset))
                    .map(Into::into),
                is_headless: matches!(proof, Proof::Fio(_)) && header.is_none(),
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::{BlockForm, Fill};

    fn dumped(proof: Proof, read: &[u8]) -> Vec<WrongBlock> {
        let mut dumps = Dumps::default();
        dumps.add(proof, read, (3, 8192), &proof.check(read, 8192));
        dumps.blocks
    }

    fn pattern() -> Fill {
        Fill::Pattern("c0ffee".parse().expect("a pattern"))
    }

    fn fio(form: BlockForm) -> FioBlocks {
        FioBlocks::new(form, 512, 0).expect("a form of fio's")
    }

    #[test]
    fn what_was_read_is_kept_with_what_should_have_been_where_that_is_known() {
        let blocks = fio(BlockForm::FioCrc32c).over(pattern()).headed_at(100);
        let mut read = vec![0; 1536];
        blocks.put_under(&mut read, 8192);
        blocks.head(&mut read, 8192, 7);
        let whole = read.clone();
        read[512 + 300] ^= 4;
        let found = dumped(Proof::Fio(blocks), &read);
        let expected = WrongBlock {
            target: 3,
            offset: 8704,
            received: read[512..1024].into(),
            expected: Some(whole[512..1024].into()),
            is_headless: false,
        };
        assert_eq!(found, [expected]);
        let random = fio(BlockForm::FioCrc32c).headed_at(100);
        let found = dumped(Proof::Fio(random), &read);
        assert_eq!((found.len(), found[0].expected.is_none()), (1, true));
        // Of a block whose header is wrong nothing else is known.
        read[112] ^= 1;
        let found = dumped(Proof::Fio(blocks), &read);
        let seen: Vec<_> = found
            .iter()
            .map(|block| (block.offset, block.is_headless, block.expected.is_some()))
            .collect();
        assert_eq!(seen, [(8192, true, false), (8704, false, true)]);
    }

    #[test]
    fn bytes_that_can_be_told_are_kept_by_the_request() {
        let proof = Proof::Told {
            fill: pattern(),
            block_bytes: 1024,
            base: 8192,
        };
        let mut read = vec![0; 1024];
        proof.lay(&mut read, 8192, super::super::Mark::default());
        let whole = read.clone();
        read[1000] ^= 1;
        let found = dumped(proof, &read);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].expected.as_deref(), Some(&whole[..]));
    }

    #[test]
    fn there_is_an_end_to_what_is_kept() {
        let blocks = fio(BlockForm::FioMd5);
        let read = vec![0; 512 * (MOST_BLOCKS + 2)];
        let proof = Proof::Fio(blocks);
        let mut dumps = Dumps::default();
        dumps.add(proof, &read, (0, 0), &proof.check(&read, 0));
        assert_eq!((dumps.blocks.len(), dumps.left_out), (MOST_BLOCKS, 2));
    }
}

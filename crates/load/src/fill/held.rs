//! Blocks that already hold what a run is going to write.

use super::{BLOCK_BYTES, GOLDEN, SECTOR_BYTES, STAMP_BYTES, given, key_of, mix};
use fathom_core::content::generate;
use fathom_core::spec::{Data, Fill};

/// Phases, threads and blocks of a thread that a block is looked for in. Any number is that of some
/// thread with some salt: the fewer are looked for, the fewer blocks of other runs seem to be of
/// this one. With these it is one in 16,384.
const PHASES: u32 = 64;
const THREADS: std::ops::Range<u64> = 1..1 << 12;
const BLOCKS: u64 = 1 << 32;
/// The inverses of the factors of [`mix`] modulo 2^64.
const INVERSES: [u64; 2] = [0x3196_42b2_d24d_8ec3, 0x96de_1b17_3f11_9089];

/// The content that the jobs of a run write.
#[derive(Clone, Debug, Default)]
pub struct Writes {
    keys: Vec<u64>,
    given: Vec<Fill>,
}

impl Writes {
    /// That of jobs with these data, in a run with this salt. Zeros, and parts of files, are not
    /// looked for.
    pub fn new(salt: u64, data: impl Iterator<Item = Data>) -> Self {
        let mut writes = Self::default();
        for data in data {
            match data.fill {
                Fill::Random | Fill::Scrambled if writes.keys.is_empty() => {
                    let key = key_of(salt);
                    let later = (1..PHASES).map(|phase| key.wrapping_add(mix(phase.into())));
                    writes.keys = std::iter::once(key).chain(later).collect();
                }
                Fill::Random | Fill::Scrambled | Fill::Zero | Fill::File => {}
                Fill::Pattern(_) if data.mixed_pattern().is_some() => {}
                fill => writes.given.push(fill),
            }
        }
        writes
    }

    /// Whether there is nothing to look for.
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.given.is_empty()
    }

    /// Whether the run writes these bytes: a given block to this offset, or a random one anywhere.
    pub fn makes(&self, block: &[u8], offset: u64) -> bool {
        self.draws(block) || self.given.iter().any(|fill| is_given(*fill, block, offset))
    }

    /// Whether a filler of the run makes the block from the number that it begins with.
    fn draws(&self, block: &[u8]) -> bool {
        let number = |at: usize| {
            let bytes = block[at..].first_chunk();
            bytes.map_or(0, |bytes| u64::from_le_bytes(*bytes))
        };
        let first = number(0);
        let counter = unmix(first);
        let mut counters = self.keys.iter().map(|key| counter.wrapping_sub(*key));
        let is_ours = |counter: u64| {
            let (thread, block) = (
                counter >> super::WORKER_SHIFT,
                counter & ((1 << super::WORKER_SHIFT) - 1),
            );
            THREADS.contains(&thread) && block < BLOCKS
        };
        if !counters.any(is_ours) {
            return false;
        }
        // A number alone may be anybody's.
        let mut generated = [0; BLOCK_BYTES];
        let head = &mut generated[..2 * STAMP_BYTES];
        generate(head, first);
        block[..2 * STAMP_BYTES] == *head || number(SECTOR_BYTES) == first.wrapping_add(GOLDEN)
    }
}

fn is_given(fill: Fill, block: &[u8], offset: u64) -> bool {
    let mut expected = vec![0; block.len()];
    given(fill, &mut expected, offset);
    expected == block
}

/// The number of which [`mix`] makes this one.
const fn unmix(mixed: u64) -> u64 {
    let mut z = mixed;
    z = (z ^ (z >> 31) ^ (z >> 62)).wrapping_mul(INVERSES[0]);
    z = (z ^ (z >> 27) ^ (z >> 54)).wrapping_mul(INVERSES[1]);
    z ^ (z >> 30) ^ (z >> 60)
}

#[cfg(test)]
mod tests {
    use super::super::Filler;
    use super::*;
    use proptest::prelude::*;

    /// A block as a worker of a phase writes it.
    fn block(data: &Data, salt: u64, (phase, worker): (u32, u32), owned: bool) -> Vec<u8> {
        let filler = Filler::new(data, salt, worker).numbered(phase);
        let mut filler = if owned {
            filler.with_buffers_of_its_own()
        } else {
            filler
        };
        let mut block = vec![0; BLOCK_BYTES];
        filler.prepare(&mut block);
        for _ in 0..3 {
            filler.refresh(&mut block, BLOCK_BYTES);
        }
        block
    }

    fn writes(salt: u64, fill: Fill) -> Writes {
        let data = Data {
            fill,
            ..Data::PLAIN
        };
        Writes::new(salt, [data].into_iter())
    }

    #[test]
    fn content_of_the_same_salt_is_known_again() {
        for fill in [Fill::Random, Fill::Scrambled] {
            let data = Data {
                fill,
                ..Data::PLAIN
            };
            for owned in [false, true] {
                for (phase, worker) in [(0, 1), (3, 40)] {
                    let block = block(&data, 5, (phase, worker), owned);
                    assert!(writes(5, fill).makes(&block, 0), "{fill:?} {owned}");
                    assert!(!writes(6, fill).makes(&block, 0), "{fill:?} {owned}");
                }
                let laid = block(&data, 5, (0, (1 << 24) - 1), owned);
                assert!(!writes(5, fill).makes(&laid, 0));
            }
        }
        assert!(!writes(5, Fill::Random).makes(&[0; BLOCK_BYTES], 0));
    }

    #[test]
    fn a_pattern_is_known_at_its_offset() {
        let fill = Fill::Pattern("aabb%o".parse().expect("a pattern"));
        let mut block = vec![0; BLOCK_BYTES];
        given(fill, &mut block, 8192);
        assert!(writes(1, fill).makes(&block, 8192));
        assert!(!writes(1, fill).makes(&block, 4096));
        assert!(writes(1, Fill::Zero).is_empty());
    }

    proptest! {
        #[test]
        fn numbers_are_unmixed(number: u64) {
            prop_assert_eq!(unmix(mix(number)), number);
        }
    }
}

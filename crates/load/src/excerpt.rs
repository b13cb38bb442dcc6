//! Writes that carry what a file holds: each a random part of it.
//!
//! The bytes are read before the load begins and shared by all threads of all jobs that name the
//! same file; a write costs their copy into its buffer and one random number.

use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;

/// Parts of requests past the page cache begin at multiples of this: what is written of two places
/// is then the same or shares nothing of a sector.
const SECTOR_BYTES: u64 = 512;

/// Where the writes of one worker take their bytes from. Same seed and worker, same parts.
#[derive(Clone, Debug)]
pub struct Excerpts {
    bytes: Arc<[u8]>,
    align: u64,
    random: Xoshiro256PlusPlus,
}

impl Excerpts {
    /// Parts of `bytes` for the worker with a seed of its own; `sectors` where they begin at
    /// multiples of 512 bytes.
    pub fn new(bytes: Arc<[u8]>, sectors: bool, seed: u64) -> Self {
        Self {
            bytes,
            align: if sectors { SECTOR_BYTES } else { 1 },
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// Fills a buffer. A longer buffer repeats the data from their start.
    #[inline]
    pub fn fill(&mut self, buffer: &mut [u8]) {
        let len = buffer.len().min(self.bytes.len());
        if len == 0 {
            return;
        }
        let places = (self.bytes.len() - len) as u64 + 1;
        let drawn = self.random.next_u64();
        let place = ((u128::from(drawn) * u128::from(places)) >> u64::BITS) as u64;
        let place = (place - place % self.align) as usize;
        let (first, rest) = buffer.split_at_mut(len);
        first.copy_from_slice(&self.bytes[place..place + len]);
        for again in rest.chunks_mut(self.bytes.len()) {
            again.copy_from_slice(&self.bytes[..again.len()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// Numbers that tell each place, four bytes each.
    fn source(words: u32) -> Arc<[u8]> {
        (0..words).flat_map(u32::to_le_bytes).collect()
    }

    /// Where in the source the parts of many writes of `len` bytes began.
    fn places(source: &Arc<[u8]>, len: usize, sectors: bool, seed: u64) -> Vec<usize> {
        let mut excerpts = Excerpts::new(Arc::clone(source), sectors, seed);
        let mut buffer = vec![0xff; len + 3];
        let place = |_| {
            excerpts.fill(&mut buffer[..len]);
            assert_eq!(buffer[len..], [0xff; 3]);
            let found = source.windows(len).position(|part| part == &buffer[..len]);
            found.expect("a part of the source")
        };
        (0..2000).map(place).collect()
    }

    #[test]
    fn every_place_that_has_room_is_taken_and_no_other() {
        let source = source(20);
        let bytes = places(&source, 64, false, 7);
        assert_eq!(BTreeSet::from_iter(bytes.clone()), (0..=16).collect());
        assert_eq!(bytes, places(&source, 64, false, 7));
        assert_ne!(bytes, places(&source, 64, false, 8));
    }

    #[test]
    fn past_the_page_cache_parts_begin_at_sectors() {
        let source: Arc<[u8]> = source(640).iter().copied().take(2559).collect();
        let found = BTreeSet::from_iter(places(&source, 512, true, 1));
        assert_eq!(found, BTreeSet::from([0, 512, 1024, 1536]));
    }

    #[test]
    fn what_is_longer_than_the_source_repeats_it() {
        let mut excerpts = Excerpts::new(Arc::from(*b"abc"), false, 1);
        let mut buffer = [0; 8];
        excerpts.fill(&mut buffer);
        assert_eq!(&buffer, b"abcabcab");
    }
}

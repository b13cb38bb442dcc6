//! What writes carry: bytes that storage can neither compress nor find twice, or exactly as far
//! as the specification says.
//!
//! Random data are new in every block: a generator that counts blocks makes 4 KiB from the number
//! of the block, in eight lanes side by side, which compilers turn into vector instructions. It is
//! xorshift128+ (Vigna, "Further scramblings of Marsaglia's xorshift generators", 2017), good
//! enough for any compressor, and nothing that has to be kept secret. The first eight bytes are
//! the number itself, so that no two blocks of a run are equal.
//!
//! Scrambled data are the cheaper form: each buffer gets its random bytes once, and every write
//! only puts a fresh number at the head of each 512-byte sector. No two 4 KiB blocks of a run are
//! equal then, and none can be compressed by itself; but a compressor that looks at several writes
//! together, or an array that looks for repeats in pieces of less than 512 bytes, finds what is
//! left of an earlier use of the same buffer.

use crate::ior_fill;
use fathom_core::Percent;
use fathom_core::spec::{Data, Fill, Pattern};
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Unit of compression and deduplication.
pub const BLOCK_BYTES: usize = 4096;
const SECTOR_BYTES: usize = 512;
const STAMP_BYTES: usize = 8;
/// Room for the blocks of one worker in the stamp's counter; the worker's number is above.
const WORKER_SHIFT: u32 = 40;
/// Blocks of own content that are kept where duplicates displace it.
const POOL_BLOCKS: usize = 64;
/// 2^64 divided by the golden ratio, odd: multiples of it are far apart.
const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;

/// Makes the content of the writes of one worker. Same seed and worker, same bytes.
#[derive(Clone, Debug)]
pub struct Filler {
    fill: Fill,
    /// Of each 4 KiB, the bytes at its head that are random; the others are zero. A multiple of
    /// the size of a stamp, so that a stamp never reaches into the zeros, and at least one.
    random_bytes: usize,
    /// Added to the counter, so that two seeds give different stamps.
    key: u64,
    /// Worker and number of the next block.
    counter: u64,
    random: Xoshiro256PlusPlus,
    duplicates: Option<Duplicates>,
    /// What is behind the random bytes of each block instead of zeros.
    behind: Option<Pattern>,
    /// Copies of each worker are of its own blocks.
    apart: bool,
}

/// What is needed to make some blocks equal.
#[derive(Clone, Debug)]
struct Duplicates {
    /// A block is a duplicate when 32 random bits are below this.
    threshold: u64,
    /// What they are copies of where that is several blocks.
    set: Option<WorkingSet>,
    /// The only one, the same for all workers unless they are apart. Zeros where nothing of it is
    /// to be random and there are no others.
    canonical: Box<[u8; BLOCK_BYTES]>,
    /// Whether all blocks are duplicates and nothing else comes into their buffers: they need no
    /// copy then, and only get their stamps again, which costs what other content costs.
    kept: bool,
    /// Content for blocks which are none, but in whose place one was.
    pool: Box<[u8]>,
}

/// Several blocks that others are copies of. They are the first new ones that a worker writes, or
/// that each of several writes: a set of blocks beside these would be new content that nobody asked
/// for, and of large sets most copies would be of a block that is nowhere yet.
#[derive(Clone, Debug)]
struct WorkingSet {
    /// So many there are.
    blocks: u64,
    /// What the numbers of new blocks begin with, by worker whose blocks they are.
    owners: Box<[u64]>,
    /// Worker and number of the next new block.
    new: u64,
}

impl WorkingSet {
    /// What the content of a block is made from, which a draw says to be a copy or new.
    #[inline]
    fn number(&mut self, key: u64, is_copy: bool, draw: u64) -> u64 {
        if !is_copy {
            self.new += 1;
            return mix(key.wrapping_add(self.new - 1));
        }
        let which = ((draw & 0xffff_ffff) * self.blocks) >> 32;
        let owners = self.owners.len() as u64;
        let owner = self.owners[(which % owners) as usize];
        mix(key.wrapping_add(owner + which / owners))
    }
}

impl Filler {
    /// A source of content for the worker with this number, below 2^24, among all of the run.
    pub fn new(data: &Data, seed: u64, worker: u32) -> Self {
        let random_bytes = whole_stamps(part(BLOCK_BYTES as u64, data.compressible_to) as usize);
        let mut filler = Self {
            fill: data.fill,
            random_bytes,
            key: mix(seed ^ GOLDEN),
            counter: first_number(worker),
            random: Xoshiro256PlusPlus::seed_from_u64(mix(seed).wrapping_add(u64::from(worker))),
            duplicates: None,
            behind: data.mixed_pattern(),
            apart: data.duplicate_apart,
        };
        // Copies of all workers are of the same blocks, or of those of each.
        let of_copies = if data.duplicate_apart {
            mix(seed.wrapping_add(GOLDEN.wrapping_mul(u64::from(worker) + 1)))
        } else {
            seed
        };
        let threshold = part(1 << 32, data.duplicate);
        if threshold > 0 && matches!(data.fill, Fill::Random | Fill::Scrambled) {
            let all = threshold == 1 << 32;
            let mut canonical = Box::new([0; BLOCK_BYTES]);
            if !(all && data.compressible_to == Percent::ZERO) {
                let head = &mut canonical[..random_bytes];
                Xoshiro256PlusPlus::seed_from_u64(!of_copies).fill_bytes(head);
            }
            let mut pool = vec![0; POOL_BLOCKS * BLOCK_BYTES].into_boxed_slice();
            filler.prepare(&mut pool);
            filler.duplicates = Some(Duplicates {
                threshold,
                set: working_set(data, filler.counter),
                canonical,
                kept: false,
                pool,
            });
        }
        filler
    }

    /// The same where the blocks that others are copies of are spread over these workers, if they
    /// are not those of each.
    #[must_use]
    pub fn sharing(mut self, workers: &[u32]) -> Self {
        let set = self.duplicates.as_mut().and_then(|one| one.set.as_mut());
        if let Some(set) = set.filter(|_| !self.apart && !workers.is_empty()) {
            set.owners = workers.iter().copied().map(first_number).collect();
        }
        self
    }

    /// The same for buffers into which nothing is read.
    #[must_use]
    pub fn with_buffers_of_its_own(mut self) -> Self {
        if let Some(duplicates) = &mut self.duplicates {
            let all = duplicates.threshold == 1 << 32;
            duplicates.kept = all && duplicates.set.is_none();
        }
        self
    }

    /// Fills a new buffer. Once, before its first use.
    pub fn prepare(&mut self, buffer: &mut [u8]) {
        buffer.fill(0);
        match self.fill {
            Fill::Random | Fill::Scrambled => {}
            // Of a file, each write gets its own bytes.
            Fill::Zero | Fill::File => return,
            Fill::Counting | Fill::Pattern(_) | Fill::Ior(_) => return given(self.fill, buffer, 0),
        }
        let random_bytes = self.random_bytes_of(buffer.len());
        let kept = self.duplicates.as_ref().filter(|one| one.kept);
        for block in buffer.chunks_mut(BLOCK_BYTES) {
            let end = random_bytes.min(block.len());
            match kept {
                Some(duplicates) => block[..end].copy_from_slice(&duplicates.canonical[..end]),
                None => self.random.fill_bytes(&mut block[..end]),
            }
        }
    }

    /// Makes the first `len` bytes of a prepared buffer new, for the next write.
    #[inline]
    pub fn refresh(&mut self, buffer: &mut [u8], len: usize) {
        if !matches!(self.fill, Fill::Random | Fill::Scrambled) {
            return self.refresh_before_pattern(buffer, len);
        }
        let random_bytes = self.random_bytes_of(buffer.len());
        let stamped = random_bytes.div_ceil(SECTOR_BYTES);
        for block in buffer[..len].chunks_mut(BLOCK_BYTES) {
            let number = mix(self.key.wrapping_add(self.counter));
            self.counter += 1;
            if let Some(duplicates) = &mut self.duplicates
                && duplicates.place(block, random_bytes, number, self.key)
            {
                continue;
            }
            if self.fill == Fill::Random {
                let end = random_bytes.min(block.len());
                generate(&mut block[..end], number);
            } else {
                stamp(block, stamped, number);
            }
        }
    }

    /// The same where a pattern is behind the random bytes; nothing where it is all there is.
    #[inline(never)]
    fn refresh_before_pattern(&mut self, buffer: &mut [u8], len: usize) {
        let Some(pattern) = self.behind else {
            return;
        };
        let random_bytes = self.random_bytes_of(buffer.len());
        for block in buffer[..len].chunks_mut(BLOCK_BYTES) {
            let number = mix(self.key.wrapping_add(self.counter));
            self.counter += 1;
            let (head, rest) = block.split_at_mut(random_bytes.min(block.len()));
            generate(head, number);
            pattern.fill(rest, 0);
        }
    }

    /// A buffer smaller than 4 KiB is compressible as a whole.
    #[inline]
    fn random_bytes_of(&self, buffer_bytes: usize) -> usize {
        if buffer_bytes >= BLOCK_BYTES {
            self.random_bytes
        } else {
            whole_stamps(self.random_bytes * buffer_bytes / BLOCK_BYTES)
        }
    }
}

/// Worker and number of its first block.
fn first_number(worker: u32) -> u64 {
    u64::from(worker) << WORKER_SHIFT
}

/// What copies are of where that is several blocks, of the worker whose blocks begin with `first`.
fn working_set(data: &Data, first: u64) -> Option<WorkingSet> {
    let blocks = data.duplicate_blocks.filter(|blocks| *blocks > 1)?;
    Some(WorkingSet {
        blocks,
        owners: Box::new([first]),
        new: first,
    })
}

/// Fills a buffer with the bytes of a request at `offset`, of those fills that can be told
/// beforehand; others leave it as it is.
pub fn given(fill: Fill, buffer: &mut [u8], offset: u64) {
    match fill {
        Fill::Random | Fill::Scrambled | Fill::File => {}
        Fill::Zero => buffer.fill(0),
        Fill::Counting => {
            for (number, byte) in buffer.iter_mut().enumerate() {
                *byte = number as u8;
            }
        }
        Fill::Pattern(pattern) => pattern.fill(buffer, offset),
        Fill::Ior(data) => ior_fill::fill(data, buffer, offset),
    }
}

impl Duplicates {
    /// Makes `block` the canonical one if its number says so. If not, but it is from an earlier
    /// write, gives it content of its own again. Of a set of blocks each gets its content here.
    fn place(&mut self, block: &mut [u8], random_bytes: usize, number: u64, key: u64) -> bool {
        // What follows is zero in every block.
        let end = random_bytes.min(block.len());
        if self.kept {
            let sectors = block.chunks_mut(SECTOR_BYTES);
            for (sector, same) in sectors.zip(self.canonical.chunks(SECTOR_BYTES)) {
                let stamp = STAMP_BYTES.min(sector.len());
                sector[..stamp].copy_from_slice(&same[..stamp]);
            }
            return true;
        }
        let head = &mut block[..end];
        if let Some(set) = &mut self.set {
            let is_copy = number >> 32 < self.threshold;
            generate(head, set.number(key, is_copy, number));
            return true;
        }
        if number >> 32 < self.threshold {
            head.copy_from_slice(&self.canonical[..end]);
            return true;
        }
        // The first stamp tells whose content it is.
        let told = STAMP_BYTES.min(end);
        if head[..told] == self.canonical[..told] {
            let start = number as usize % POOL_BLOCKS * BLOCK_BYTES;
            head.copy_from_slice(&self.pool[start..][..end]);
        }
        false
    }
}

/// Numbers that are made side by side.
const LANES: usize = 8;

/// Fills a block with the bytes that belong to its number.
#[inline]
fn generate(block: &mut [u8], number: u64) {
    let seed = |lane: usize| mix(number.wrapping_add(GOLDEN.wrapping_mul(lane as u64 + 1)));
    let mut older: [u64; LANES] = std::array::from_fn(seed);
    // Odd, so that no lane is all zeros.
    let mut newer: [u64; LANES] = std::array::from_fn(|lane| seed(lane + LANES) | 1);
    let mut parts = block.chunks_exact_mut(LANES * size_of::<u64>());
    for part in &mut parts {
        let numbers = next(&mut older, &mut newer);
        for (to, from) in part.chunks_exact_mut(size_of::<u64>()).zip(numbers) {
            to.copy_from_slice(&from.to_le_bytes());
        }
    }
    let rest = parts.into_remainder();
    let numbers = next(&mut older, &mut newer).map(u64::to_le_bytes);
    for (to, from) in rest.iter_mut().zip(numbers.as_flattened()) {
        *to = *from;
    }
    let head = STAMP_BYTES.min(block.len());
    block[..head].copy_from_slice(&number.to_le_bytes()[..head]);
}

/// One step of xorshift128+ in each lane.
#[inline]
fn next(older: &mut [u64; LANES], newer: &mut [u64; LANES]) -> [u64; LANES] {
    let mut made = [0; LANES];
    for ((made, older), newer) in made.iter_mut().zip(older).zip(newer) {
        let (mut one, other) = (*older, *newer);
        *made = one.wrapping_add(other);
        one ^= one << 23;
        *older = other;
        *newer = one ^ other ^ (one >> 18) ^ (other >> 5);
    }
    made
}

/// Writes `number` and its successors at the heads of the first `stamped` sectors.
#[inline]
fn stamp(block: &mut [u8], stamped: usize, number: u64) {
    let mut number = number;
    for sector in block.chunks_mut(SECTOR_BYTES).take(stamped) {
        if let Some(head) = sector.first_chunk_mut::<STAMP_BYTES>() {
            *head = number.to_le_bytes();
        } else {
            sector.copy_from_slice(&number.to_le_bytes()[..sector.len()]);
        }
        number = number.wrapping_add(GOLDEN);
    }
}

/// Rounded up to stamps, and at least one, or highly compressible blocks would be equal.
#[inline]
const fn whole_stamps(bytes: usize) -> usize {
    if bytes == 0 {
        STAMP_BYTES
    } else {
        bytes.next_multiple_of(STAMP_BYTES)
    }
}

/// `share` of `whole`, rounded.
fn part(whole: u64, share: Percent) -> u64 {
    ((whole as f64 * share.0 / 100.0).round() as u64).min(whole)
}

/// The output function of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): one to one, so different counters stay different.
#[inline]
pub(crate) const fn mix(number: u64) -> u64 {
    let mut z = number;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::DeflateEncoder;
    use proptest::prelude::*;
    use std::collections::{HashMap, HashSet};
    use std::io::Write as _;

    fn data(compressible_to: f64, duplicate: f64) -> Data {
        Data {
            compressible_to: Percent(compressible_to),
            duplicate: Percent(duplicate),
            ..Data::PLAIN
        }
    }

    fn scrambled(compressible_to: f64, duplicate: f64) -> Data {
        Data {
            fill: Fill::Scrambled,
            ..data(compressible_to, duplicate)
        }
    }

    #[test]
    fn random_writes_share_nothing_with_those_before() {
        let writes = written(&data(100.0, 0.0), 0, 1, 64 << 10, 8);
        let all = writes.concat();
        // No eight bytes are there twice: nothing for a compressor with a window of any size.
        let words: HashSet<&[u8]> = all.chunks(8).collect();
        assert_eq!(words.len(), all.len() / 8);
        assert!(deflated_bytes(&all) >= all.len());
        // Each byte has all values about as often: 2048 of each, within six deviations.
        let mut counts = [0_u32; 256];
        for byte in &all {
            counts[usize::from(*byte)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(2048) < 6 * 46));
    }

    #[test]
    fn scrambled_writes_differ_in_a_number_for_each_sector() {
        let writes = written(&scrambled(100.0, 0.0), 0, 1, 4096, 2);
        let pairs = writes[0]
            .chunks(SECTOR_BYTES)
            .zip(writes[1].chunks(SECTOR_BYTES));
        for (one, other) in pairs {
            assert_ne!(one[..STAMP_BYTES], other[..STAMP_BYTES]);
            assert_eq!(one[STAMP_BYTES..], other[STAMP_BYTES..]);
        }
    }

    /// The content of `writes` writes of `len` bytes each, from `slots` buffers in turn.
    fn written(data: &Data, worker: u32, slots: usize, len: usize, writes: usize) -> Vec<Vec<u8>> {
        written_by(Filler::new(data, 7, worker), slots, len, writes)
    }

    fn written_by(mut filler: Filler, slots: usize, len: usize, writes: usize) -> Vec<Vec<u8>> {
        let mut buffers = vec![vec![0xaa; len]; slots];
        for buffer in &mut buffers {
            filler.prepare(buffer);
        }
        (0..writes)
            .map(|write| {
                let buffer = &mut buffers[write % slots];
                filler.refresh(buffer, len);
                buffer.clone()
            })
            .collect()
    }

    fn deflated_bytes(block: &[u8]) -> usize {
        let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(block).unwrap();
        encoder.finish().unwrap().len()
    }

    #[test]
    fn random_blocks_are_all_different_and_cannot_be_compressed() {
        let mut seen = HashSet::new();
        for worker in 0..2 {
            for write in written(&data(100.0, 0.0), worker, 4, 64 << 10, 40) {
                for block in write.chunks(BLOCK_BYTES) {
                    assert!(deflated_bytes(block) >= BLOCK_BYTES);
                    for sector in block.chunks(SECTOR_BYTES) {
                        assert!(seen.insert(sector.to_vec()));
                    }
                }
                // Nor several at once.
                assert!(deflated_bytes(&write) >= 64 << 10);
            }
        }
        assert_eq!(seen.len(), 2 * 40 * 16 * 8);
    }

    #[test]
    fn blocks_shrink_to_the_share_that_was_asked_for() {
        for percent in [0.0, 1.0, 10.0, 25.0, 50.0, 66.6, 90.0, 97.0] {
            for (len, duplicate) in [(4096, 0.0), (16 << 10, 50.0), (2048, 50.0)] {
                let unit = len.min(BLOCK_BYTES);
                for write in written(&data(percent, duplicate), 0, 2, len, 8) {
                    for block in write.chunks(unit) {
                        // A compressor's own overhead does not shrink with the block.
                        let expected = unit as f64 * percent / 100.0;
                        let off = (deflated_bytes(block) as f64 - expected).abs();
                        let allowed = 0.03 * BLOCK_BYTES as f64;
                        assert!(off <= allowed, "{percent} % of {unit}: {off} bytes off");
                    }
                }
            }
        }
    }

    #[test]
    fn fully_compressible_blocks_are_still_different() {
        let writes = written(&data(0.0, 0.0), 0, 1, 4096, 1000);
        let distinct: HashSet<_> = writes.iter().collect();
        assert_eq!(distinct.len(), 1000);
        assert!(
            writes
                .iter()
                .all(|w| w[STAMP_BYTES..].iter().all(|b| *b == 0))
        );
    }

    #[test]
    fn the_share_of_duplicates_is_as_asked_for() {
        for (compressible_to, percent) in [(100.0, 30.0), (50.0, 75.0), (100.0, 100.0)] {
            let mut counts: HashMap<Vec<u8>, u32> = HashMap::new();
            for worker in 0..2 {
                let data = data(compressible_to, percent);
                for write in written(&data, worker, 3, 64 << 10, 300) {
                    for block in write.chunks(BLOCK_BYTES) {
                        *counts.entry(block.to_vec()).or_default() += 1;
                    }
                }
            }
            let total = 2 * 300 * 16;
            let copies = counts.values().copied().max().unwrap();
            // All others are there once.
            assert_eq!(counts.len() as u32 - 1, total - copies);
            // Five standard deviations of the draw at most.
            let share = percent / 100.0;
            let deviation = (share * (1.0 - share) * f64::from(total)).sqrt();
            let off = (f64::from(copies) - share * f64::from(total)).abs();
            assert!(off <= 5.0 * deviation + 0.5, "{copies} of {total}");
        }
    }

    #[test]
    fn blocks_that_are_all_alike_are_so_with_buffers_of_their_own_too() {
        for (compressible_to, distinct_bytes) in [(100.0, true), (50.0, true), (0.0, false)] {
            let data = data(compressible_to, 100.0);
            let copied = written(&data, 0, 2, 8192, 4);
            let mut filler = Filler::new(&data, 7, 0).with_buffers_of_its_own();
            let mut buffer = vec![0xaa; 8192];
            filler.prepare(&mut buffer);
            for write in &copied {
                filler.refresh(&mut buffer, 8192);
                assert_eq!(&buffer, write);
            }
            assert_eq!(buffer.iter().any(|byte| *byte != 0), distinct_bytes);
            assert_eq!(buffer[..BLOCK_BYTES], buffer[BLOCK_BYTES..]);
        }
    }

    #[test]
    fn a_block_with_a_duplicate_before_it_has_random_content_again() {
        for write in written(&data(100.0, 50.0), 0, 1, 4096, 100) {
            assert!(deflated_bytes(&write) >= BLOCK_BYTES);
        }
    }

    #[test]
    fn told_bytes_begin_anew_with_each_buffer() {
        let mut buffer = vec![0xaa; 600];
        given(Fill::Counting, &mut buffer, 9);
        assert_eq!(
            (buffer[0], buffer[255], buffer[256], buffer[599]),
            (0, 255, 0, 87)
        );
        let pattern = "c0de%o".parse().expect("a pattern");
        given(Fill::Pattern(pattern), &mut buffer[..25], 0x0102);
        let once = [0xc0, 0xde, 2, 1, 0, 0, 0, 0, 0, 0];
        assert_eq!(buffer[..25], [&once[..], &once[..], &once[..5]].concat());
        let data = Data {
            fill: Fill::Pattern("aabbcc".parse().expect("a pattern")),
            ..data(100.0, 0.0)
        };
        let write = [0xaa, 0xbb, 0xcc, 0xaa, 0xbb];
        assert_eq!(written(&data, 0, 1, 5, 2), vec![write.to_vec(); 2]);
    }

    /// What two threads, or some of them, write of copies of so many blocks.
    fn of_set(blocks: u64, apart: bool, share: f64, worker: u32, writes: usize) -> Vec<Vec<u8>> {
        let data = Data {
            duplicate_blocks: Some(blocks),
            duplicate_apart: apart,
            ..data(50.0, share)
        };
        let filler = Filler::new(&data, 7, worker).sharing(&[1, 2]);
        written_by(filler, 1, 4096, writes)
    }

    fn counted<'a>(blocks: impl IntoIterator<Item = &'a Vec<u8>>) -> HashMap<&'a Vec<u8>, usize> {
        let mut counts = HashMap::new();
        for block in blocks {
            *counts.entry(block).or_default() += 1;
        }
        counts
    }

    /// A block that others are copies of is one of those that are new: copies of many blocks are
    /// as many as copies of few, as long as there are so many new ones.
    #[test]
    fn the_share_of_copies_does_not_depend_on_how_many_they_are_of() {
        for (share, set) in [
            (80.0, 409),
            (50.0, 1024),
            (50.0, 102),
            (30.0, 204),
            (90.0, 204),
            (10.0, 20),
            (99.0, 20),
        ] {
            for together in [false, true] {
                // As fio's size=8m of 4 KiB, by one thread or by each of two.
                let mut all = of_set(set, !together, share, 1, 2048);
                if together {
                    all.extend(of_set(set, false, share, 2, 2048));
                }
                let total = all.len() as f64;
                let copies = total - counted(&all).len() as f64;
                let asked = share / 100.0 * total;
                // Five deviations of the draw, and as much again where all that is new is in the
                // set: of what is left over of it, one block in e was never copied.
                let deviation = (asked * (1.0 - share / 100.0)).sqrt();
                let off = (copies - asked).abs();
                assert!(off <= 5.0 * deviation, "{share} {set}: {copies} of {total}");
            }
        }
    }

    #[test]
    fn copies_are_of_as_many_blocks_as_asked() {
        let several = |writes: &[Vec<u8>]| -> HashMap<Vec<u8>, usize> {
            let counts = counted(writes);
            let several = counts.into_iter().filter(|(_, count)| *count > 1);
            several
                .map(|(block, count)| (block.clone(), count))
                .collect()
        };
        let first = of_set(8, true, 60.0, 1, 2000);
        let copies = several(&first);
        assert_eq!(copies.len(), 8);
        // 1200 copies of 2000 within six deviations, 150 of each beside itself.
        let count: usize = copies.values().sum();
        assert!(count.abs_diff(1208) < 132, "{count}");
        assert!(
            copies.values().all(|count| count.abs_diff(151) < 74),
            "{:?}",
            copies.values()
        );
        // They are the first that are new.
        let alone: HashSet<_> = of_set(8, true, 1e-7, 1, 8).into_iter().collect();
        assert_eq!(copies.keys().cloned().collect::<HashSet<_>>(), alone);
        // Half of each shrinks to nothing.
        assert!(
            first
                .iter()
                .all(|block| block[2048..].iter().all(|byte| *byte == 0))
        );
        let other = several(&of_set(8, true, 60.0, 2, 2000));
        assert_eq!(
            other.keys().filter(|key| copies.contains_key(*key)).count(),
            0
        );
        // Together the set is of both, half of each.
        let both: Vec<_> = (1..3)
            .flat_map(|worker| of_set(8, false, 60.0, worker, 2000))
            .collect();
        assert_eq!(several(&both).len(), 8);
    }

    #[test]
    fn a_pattern_stands_behind_random_bytes() {
        let pattern = "deadbeef".parse().expect("a pattern");
        let mixed = Data {
            fill: Fill::Pattern(pattern),
            ..data(25.0, 0.0)
        };
        let writes = written(&mixed, 0, 1, 8192, 2);
        let blocks: Vec<&[u8]> = writes.iter().flat_map(|write| write.chunks(4096)).collect();
        let heads: HashSet<&[u8]> = blocks.iter().map(|block| &block[..1024]).collect();
        assert_eq!((blocks.len(), heads.len()), (4, 4));
        for block in blocks {
            assert_eq!(block[1024..], [0xde, 0xad, 0xbe, 0xef].repeat(768));
        }
    }

    #[test]
    fn zeros_stay_zeros() {
        let zero = Data {
            fill: Fill::Zero,
            ..data(100.0, 0.0)
        };
        assert_eq!(written(&zero, 0, 2, 8192, 5), vec![vec![0; 8192]; 5]);
    }

    #[test]
    fn only_the_seed_and_the_worker_decide() {
        let plain = data(60.0, 20.0);
        let first = written(&plain, 3, 2, 8192, 20);
        assert_eq!(first, written(&plain, 3, 2, 8192, 20));
        assert_ne!(first, written(&plain, 4, 2, 8192, 20));
    }

    proptest! {
        #[test]
        fn any_length_is_refreshed_and_nothing_beyond_it(
            (buffer_bytes, len) in (1_usize..20_000).prop_flat_map(|n| (Just(n), 0..=n)),
            compressible_to in 0.0..=100.0_f64,
            duplicate in prop_oneof![Just(0.0), 0.0..=100.0_f64],
        ) {
            let mut filler = Filler::new(&data(compressible_to, duplicate), 1, 0);
            let mut buffer = vec![0; buffer_bytes];
            filler.prepare(&mut buffer);
            let before = buffer.clone();
            filler.refresh(&mut buffer, len);
            prop_assert_eq!(&buffer[len..], &before[len..]);
            let blocks = buffer[..len].chunks(BLOCK_BYTES).zip(before.chunks(BLOCK_BYTES));
            for (block, before) in blocks {
                if block.len() >= STAMP_BYTES {
                    prop_assert_ne!(&block[..STAMP_BYTES], &before[..STAMP_BYTES]);
                }
            }
        }
    }
}

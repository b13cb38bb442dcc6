//! What writes carry: bytes that storage can neither compress nor find twice, or exactly as far
//! as the specification says.
//!
//! Random data are new in every block: a generator that counts blocks makes 4 KiB from the number
//! of the block, in eight parallel lanes. The widest vector instructions of the CPU are chosen at
//! run time; the bytes are the same. The generator is
//! xorshift128+ (Vigna, "Further scramblings of Marsaglia's xorshift generators", 2017), good
//! enough for any compressor, and nothing that has to be kept secret. The first eight bytes are
//! the number itself, so that no two blocks of a run are equal.
//!
//! Scrambled data are the cheaper form: each buffer gets its random bytes once, and every write
//! only puts a fresh number at the head of each 512-byte sector. No two 4 KiB blocks of a run are
//! equal then, and none can be compressed by itself; but a compressor that looks at several writes
//! together, or an array that looks for repeats in pieces of less than 512 bytes, finds what is
//! left of an earlier use of the same buffer. Where buffers are read into as well, or hold writes
//! of several sizes of which a part is to be zero, each write is made whole, as random ones are.

mod held;

pub use held::Writes;

use crate::ior_fill;
use fathom_core::Percent;
use fathom_core::content::{GOLDEN, STAMP_BYTES, generate_by, mix};
use fathom_core::spec::{Data, Fill, Pattern};
use fathom_engine::Vectors;
use rand_core::{Rng as _, SeedableRng as _};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Unit of compression and deduplication.
pub const BLOCK_BYTES: usize = 4096;
const SECTOR_BYTES: usize = 512;
/// Room for the blocks of one worker in the stamp's counter; the worker's number is above.
const WORKER_SHIFT: u32 = 40;
/// Blocks of own content that are kept where duplicates displace it.
const POOL_BLOCKS: usize = 64;

/// Makes the content of the writes of one worker. Same salt and worker, same bytes.
#[derive(Clone, Debug)]
pub struct Filler {
    fill: Fill,
    /// Of each 4 KiB, the bytes at its head that are random; the others are zero. A multiple of
    /// the size of a stamp, so that a stamp never reaches into the zeros, and at least one.
    random_bytes: usize,
    /// Added to the counter, so that two salts give different stamps.
    key: u64,
    /// Worker and number of the next block.
    counter: u64,
    random: Xoshiro256PlusPlus,
    duplicates: Option<Duplicates>,
    /// What is behind the random bytes of each block instead of zeros.
    behind: Option<Pattern>,
    /// Whether all bytes of a write are made for it: its buffer may hold what was read into it, or
    /// what a shorter write has left there.
    anew: bool,
    vectors: Vectors,
}

/// What is needed to make some blocks equal.
#[derive(Clone, Debug)]
struct Duplicates {
    /// A block is a duplicate when 32 random bits are below this.
    threshold: u64,
    /// What they are copies of, the same for all workers. Zeros where nothing of it is to be
    /// random and there are no others.
    canonical: Box<[u8; BLOCK_BYTES]>,
    /// Whether all blocks are duplicates and nothing else comes into their buffers: they need no
    /// copy then, and only get their stamps again, which costs what other content costs.
    kept: bool,
    /// Content for blocks which are none, but in whose place one was.
    pool: Box<[u8]>,
}

impl Filler {
    /// A source of content for the worker with this number, below 2^24, among all of the run.
    pub fn new(data: &Data, salt: u64, worker: u32) -> Self {
        let random_bytes = whole_stamps(part(BLOCK_BYTES as u64, data.compressible_to) as usize);
        let mut filler = Self {
            fill: data.fill,
            random_bytes,
            key: key_of(salt),
            counter: first_number(worker),
            random: Xoshiro256PlusPlus::seed_from_u64(mix(salt).wrapping_add(u64::from(worker))),
            duplicates: None,
            behind: data.mixed_pattern(),
            anew: true,
            vectors: Vectors::widest(),
        };
        let threshold = part(1 << 32, data.duplicate);
        if threshold > 0 && matches!(data.fill, Fill::Random | Fill::Scrambled) {
            let all = threshold == 1 << 32;
            let mut canonical = Box::new([0; BLOCK_BYTES]);
            if !(all && data.compressible_to == Percent::ZERO) {
                let head = &mut canonical[..random_bytes];
                Xoshiro256PlusPlus::seed_from_u64(!salt).fill_bytes(head);
            }
            let mut pool = vec![0; POOL_BLOCKS * BLOCK_BYTES].into_boxed_slice();
            filler.prepare(&mut pool);
            filler.duplicates = Some(Duplicates {
                threshold,
                canonical,
                kept: false,
                pool,
            });
        }
        filler
    }

    /// The same as one of several with its salt and worker, the first of which is 0: its new blocks
    /// are none of the others'.
    #[must_use]
    pub fn numbered(mut self, number: u32) -> Self {
        if number > 0 {
            let key = mix(number.into());
            self.key = self.key.wrapping_add(key);
            self.random = Xoshiro256PlusPlus::seed_from_u64(self.random.next_u64() ^ key);
        }
        self
    }

    /// The same for buffers into which nothing is read, and which are written whole.
    #[must_use]
    pub fn with_buffers_of_its_own(mut self) -> Self {
        self.anew = false;
        if let Some(duplicates) = &mut self.duplicates {
            duplicates.kept = duplicates.threshold == 1 << 32;
        }
        self
    }

    /// The same bytes, made with these instructions.
    #[must_use]
    pub const fn with_vectors(mut self, vectors: Vectors) -> Self {
        self.vectors = vectors;
        self
    }

    /// Fills a block with the bytes of its number.
    #[inline(never)]
    fn generate(&self, block: &mut [u8], number: u64) {
        generate_by(block, number, |block, older, newer| {
            self.vectors.rows(block, older, newer);
        });
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
        if self.anew {
            return self.make_anew(&mut buffer[..len]);
        }
        let random_bytes = self.random_bytes_of(buffer.len());
        let stamped = random_bytes.div_ceil(SECTOR_BYTES);
        for block in buffer[..len].chunks_mut(BLOCK_BYTES) {
            let number = mix(self.key.wrapping_add(self.counter));
            self.counter += 1;
            if let Some(duplicates) = &self.duplicates
                && duplicates.place(block, random_bytes, number)
            {
                continue;
            }
            if self.fill == Fill::Random {
                let end = random_bytes.min(block.len());
                self.generate(&mut block[..end], number);
            } else {
                stamp(block, stamped, number);
            }
        }
    }

    /// Makes all bytes of a write.
    #[inline]
    fn make_anew(&mut self, write: &mut [u8]) {
        for block in write.chunks_mut(BLOCK_BYTES) {
            let number = mix(self.key.wrapping_add(self.counter));
            self.counter += 1;
            let random_bytes = self.random_bytes_of(block.len());
            let (head, rest) = block.split_at_mut(random_bytes.min(block.len()));
            rest.fill(0);
            let duplicates = self.duplicates.as_ref();
            if !duplicates.is_some_and(|of| of.place(head, random_bytes, number)) {
                self.generate(head, number);
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
            self.generate(head, number);
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

/// What is added to the numbers of the blocks of all fillers with a salt.
const fn key_of(salt: u64) -> u64 {
    mix(salt ^ GOLDEN)
}

/// Worker and number of its first block.
fn first_number(worker: u32) -> u64 {
    u64::from(worker) << WORKER_SHIFT
}

/// Fills a buffer with the bytes of a request at `offset`, for fills that can be derived
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

/// The same of a part of such a request that begins `skip` bytes after its start.
pub fn given_behind(fill: Fill, buffer: &mut [u8], offset: u64, skip: usize) {
    // From where on its bytes are those of a request that begins there.
    let (begin, offset) = match fill {
        Fill::Pattern(pattern) => (skip - skip % pattern.bytes().len(), offset),
        Fill::Counting => (skip & !0xff, offset),
        _ => (0, offset),
    };
    let lead = skip - begin;
    if lead == 0 || matches!(fill, Fill::Zero) {
        return given(fill, buffer, offset);
    }
    let mut whole = vec![0; lead + buffer.len()];
    given(fill, &mut whole, offset);
    buffer.copy_from_slice(&whole[lead..]);
}

impl Duplicates {
    /// Makes `block` the canonical one if its number says so. If not, but it is from an earlier
    /// write, gives it content of its own again.
    fn place(&self, block: &mut [u8], random_bytes: usize, number: u64) -> bool {
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

#[cfg(test)]
mod tests;

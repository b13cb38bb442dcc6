//! Blocks as fio leaves them for a later check: a header, a checksum, and the data it is of.
//!
//! The layout is that of fio 3.33, derived from files that it wrote; all numbers are little-endian:
//!
//! | bytes | content |
//! | --- | --- |
//! | 0–1 | `0xacca` |
//! | 2–3 | number of the checksum |
//! | 4–7 | length of the block with its header, bytes |
//! | 8–15 | seed of its data; when Fathom writes, the number of the write, see [`super::Written`],
//! combined by exclusive or with the identity of the run; 0 from a layout |
//! | 16–23 | offset in the target, bytes |
//! | 24–31 | time of the write, seconds and nanoseconds |
//! | 32–35 | number of the thread, and of its request; `0xffff` and 0 in what Fathom lays out |
//! | 36–39 | CRC-32C of the 36 bytes before, not inverted at the end |
//! | 40– | the checksum, of all that follows it |
//!
//! Two checksums are not what they are called: `sha256` is one byte of each word of a SHA-256
//! whose length is padded in the order of the machine, and the end of the data; `sha512` is
//! 128 bytes of the data themselves: what is left at the end after pieces of 128, and then what the
//! first piece has there. It checks no other byte of a block.

use super::written::MOST_SEQUENCE;
use super::{CheckedBlocks, Stamp, UNIT, WrongKind};
use crate::fill::given_behind;
use crc::{Algorithm, Crc, Table};
use fathom_core::spec::{BlockForm, FIO_HEADER_BYTES, Fill};
use sha1::{Digest as _, Sha1};
use sha2::digest::generic_array::GenericArray;
use xxhash_rust::xxh32::xxh32;

const MAGIC: u16 = 0xacca;
/// Bytes of a header before its checksum of the data.
const HEADER: usize = FIO_HEADER_BYTES as usize;
const HEADER_SUM_AT: usize = 36;
/// Where the number of the write stands.
const SEQUENCE_AT: usize = 8;
/// Where the number of the thread stands.
const THREAD_AT: usize = 32;
/// The thread number in a block that a layout wrote: fio does not reach it with threads.
const LAYOUT: u16 = u16::MAX;
/// The state that SHA-256 begins with (FIPS 180-4, 5.3.3).
const SHA_256: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];
/// The seed of fio's xxhash.
const XXH_SEED: u32 = 1;

/// CRC-32C as fio has it: not inverted at the end.
fn crc32c(data: &[u8]) -> u32 {
    !crc32c::crc32c(data)
}

static CRC_32: Crc<u32, Table<16>> = Crc::<u32, Table<16>>::new(&Algorithm {
    width: 32,
    poly: 0x04c1_1db7,
    init: 0,
    refin: false,
    refout: false,
    xorout: 0,
    check: 0,
    residue: 0,
});
static CRC_64: Crc<u64, Table<16>> = Crc::<u64, Table<16>>::new(&Algorithm {
    width: 64,
    poly: 0xad93_d235_94c9_35a9,
    init: 0,
    refin: true,
    refout: true,
    xorout: 0,
    check: 0,
    residue: 0,
});

/// Blocks in fio's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FioBlocks {
    /// How their data are summed up.
    pub(super) sum: Sum,
    /// Bytes of a block, with its header.
    pub block_bytes: u64,
    /// Where one of the blocks begins.
    pub base: u64,
    /// Bytes of the checksum in a header.
    sum_bytes: usize,
    /// What the data are, if they can be derived beforehand.
    pub(super) under: Option<Fill>,
    /// Bytes after which they begin anew: those of a request, where all are alike, or of a block.
    request_bytes: u64,
    /// Identity of the run.
    run: u64,
}

/// A checksum: its number in fio's headers, and what of its bytes is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sum {
    Meta,
    Md5,
    Crc64,
    Crc32,
    Crc32c,
    Sha256,
    Sha512,
    Xxhash,
    Sha1,
    Pattern,
}

impl Sum {
    const fn of(form: BlockForm) -> Option<Self> {
        Some(match form {
            BlockForm::Fathom | BlockForm::FioBare => return None,
            BlockForm::FioMeta => Self::Meta,
            BlockForm::FioMd5 => Self::Md5,
            BlockForm::FioCrc64 => Self::Crc64,
            BlockForm::FioCrc32 => Self::Crc32,
            BlockForm::FioCrc32c => Self::Crc32c,
            BlockForm::FioSha256 => Self::Sha256,
            BlockForm::FioSha512 => Self::Sha512,
            BlockForm::FioXxhash => Self::Xxhash,
            BlockForm::FioSha1 => Self::Sha1,
            BlockForm::FioPattern => Self::Pattern,
        })
    }

    /// Its number in a header.
    const fn number(self) -> u16 {
        match self {
            Self::Meta => 1,
            Self::Md5 => 2,
            Self::Crc64 => 3,
            Self::Crc32 => 4,
            Self::Crc32c => 5,
            Self::Sha256 => 9,
            Self::Sha512 => 10,
            Self::Xxhash => 15,
            Self::Sha1 => 16,
            Self::Pattern => 17,
        }
    }

    /// Puts the checksum of `data` into `sum`, which is as long as it; gives how many of its bytes
    /// mean anything.
    fn put(self, data: &[u8], sum: &mut [u8]) -> usize {
        match self {
            Self::Meta | Self::Pattern => {}
            Self::Md5 => sum.copy_from_slice(&md5::Md5::digest(data)),
            Self::Crc64 => sum.copy_from_slice(&CRC_64.checksum(data).to_le_bytes()),
            Self::Crc32 => sum.copy_from_slice(&CRC_32.checksum(data).to_le_bytes()),
            Self::Crc32c => sum.copy_from_slice(&crc32c(data).to_le_bytes()),
            Self::Xxhash => sum.copy_from_slice(&xxh32(data, XXH_SEED).to_le_bytes()),
            Self::Sha1 => {
                // In words of the machine.
                for (to, from) in sum.chunks_mut(4).zip(Sha1::digest(data).chunks(4)) {
                    to.copy_from_slice(from);
                    to.reverse();
                }
            }
            Self::Sha256 => put_sha256(data, sum),
            Self::Sha512 => {
                // The buffer of the algorithm: its first piece of the data, over whose head is
                // put what was left of them at the end.
                let first = data.len().min(sum.len());
                sum[..first].copy_from_slice(&data[..first]);
                let rest = data.len() % sum.len();
                sum[..rest].copy_from_slice(&data[data.len() - rest..]);
                return first;
            }
        }
        sum.len()
    }
}

/// What fio keeps of a SHA-256 of `data`: the last 64 bytes that go into it (the bytes that are
/// left, one bit, zeros, and the length in bits, its low byte first), over whose head is
/// put the low byte of each word that comes out.
fn put_sha256(data: &[u8], piece: &mut [u8]) {
    let length_at = piece.len() - size_of::<u64>();
    let (whole, rest) = data.split_at(data.len() - data.len() % piece.len());
    let mut state = SHA_256;
    let mut take = |block: &[u8]| {
        sha2::compress256(&mut state, &[*GenericArray::from_slice(block)]);
    };
    for block in whole.chunks(piece.len()) {
        take(block);
    }
    piece.fill(0);
    piece[..rest.len()].copy_from_slice(rest);
    piece[rest.len()] = 0x80;
    if rest.len() >= length_at {
        take(piece);
        piece.fill(0);
    }
    piece[length_at..].copy_from_slice(&(data.len() as u64 * 8).to_le_bytes());
    take(piece);
    for (to, word) in piece.iter_mut().zip(state) {
        *to = word as u8;
    }
}

impl FioBlocks {
    /// Blocks of this form and size, one of which begins at `base`; none of Fathom's own form.
    pub const fn new(form: BlockForm, block_bytes: u64, base: u64) -> Option<Self> {
        match Sum::of(form) {
            Some(sum) => Some(Self {
                sum,
                block_bytes,
                base,
                sum_bytes: form.sum_bytes() as usize,
                under: None,
                request_bytes: block_bytes,
                run: 0,
            }),
            None => None,
        }
    }

    /// The same blocks of the run with this identity.
    #[must_use]
    pub const fn of_run(mut self, run: u64) -> Self {
        self.run = run;
        self
    }

    /// The same blocks, one of which begins at `base`.
    #[must_use]
    pub const fn from(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The same over derivable data, which are checked where nothing is summed up.
    #[must_use]
    pub fn over(mut self, fill: Fill) -> Self {
        self.under = fill.is_given().then_some(fill);
        self
    }

    /// The same blocks with data that run on through each request of a given size, one of which
    /// begins where one of the blocks does.
    #[must_use]
    pub const fn in_requests_of(mut self, bytes: u64) -> Self {
        self.request_bytes = bytes;
        self
    }

    /// Puts the derivable data into a buffer that goes to `offset`; whether there are any.
    pub fn put_under(&self, buffer: &mut [u8], offset: u64) -> bool {
        let Some(fill) = self.under else {
            return false;
        };
        let (mut rest, mut offset) = (buffer, offset);
        while !rest.is_empty() {
            let skip = self.behind_begin(offset);
            let length = (self.request_bytes - skip).min(rest.len() as u64);
            let (part, more) = std::mem::take(&mut rest).split_at_mut(length as usize);
            given_behind(fill, part, offset.wrapping_sub(skip), skip as usize);
            offset += length;
            rest = more;
        }
        true
    }

    /// Distance of a byte from the start of its request.
    const fn behind_begin(&self, offset: u64) -> u64 {
        let length = self.request_bytes;
        (offset % length + length - self.base % length) % length
    }

    /// Whether the data behind a header that sums nothing up are what they have to be.
    fn is_under(&self, block: &[u8], offset: u64) -> bool {
        let (Some(fill), Sum::Meta | Sum::Pattern) = (self.under, self.sum) else {
            return true;
        };
        let skip = self.behind_begin(offset);
        let mut expected = vec![0; block.len()];
        given_behind(
            fill,
            &mut expected,
            offset.wrapping_sub(skip),
            skip as usize,
        );
        expected[HEADER..] == block[HEADER..]
    }

    /// Makes each whole block of a buffer that goes to `offset` describe itself. `number` is that
    /// of the write.
    pub fn head(&self, buffer: &mut [u8], offset: u64, number: u64) {
        self.head_by(0, buffer, offset, number ^ self.run);
    }

    fn head_by(&self, thread: u16, buffer: &mut [u8], offset: u64, number: u64) {
        let length = self.block_bytes as usize;
        let offsets = (offset..).step_by(length);
        for (block, offset) in buffer.chunks_exact_mut(length).zip(offsets) {
            block[..2].copy_from_slice(&MAGIC.to_le_bytes());
            block[2..4].copy_from_slice(&self.sum.number().to_le_bytes());
            block[4..8].copy_from_slice(&(length as u32).to_le_bytes());
            block[SEQUENCE_AT..16].copy_from_slice(&number.to_le_bytes());
            block[16..24].copy_from_slice(&offset.to_le_bytes());
            block[24..HEADER_SUM_AT].fill(0);
            block[THREAD_AT..THREAD_AT + 2].copy_from_slice(&thread.to_le_bytes());
            let sum = crc32c(&block[..HEADER_SUM_AT]);
            block[HEADER_SUM_AT..HEADER].copy_from_slice(&sum.to_le_bytes());
            let (head, data) = block.split_at_mut(HEADER + self.sum_bytes);
            self.sum.put(data, &mut head[HEADER..]);
        }
    }

    /// What a layout leaves in the block that begins at `offset`.
    pub fn lay(&self, offset: u64, salt: u64) -> Vec<u8> {
        let mut block = vec![0; self.block_bytes as usize];
        let mut state = salt ^ offset.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let is_told = self.put_under(&mut block, offset);
        for word in block.chunks_mut(8).filter(|_| !is_told) {
            state = fathom_core::content::mix(state.wrapping_add(1));
            word.copy_from_slice(&state.to_le_bytes()[..word.len()]);
        }
        self.head_by(LAYOUT, &mut block, offset, 0);
        block
    }

    /// Checks one block that was read from `offset`.
    pub fn examine(&self, block: &[u8], offset: u64) -> Result<Stamp, WrongKind> {
        let half = |at: usize| u16::from_le_bytes([block[at], block[at + 1]]);
        if half(0) != MAGIC || half(2) != self.sum.number() {
            return Err(WrongKind::NotStamped);
        }
        let word = |at: usize| super::word(block, at);
        let header_sum = (word(32) >> 32) as u32;
        if crc32c(&block[..HEADER_SUM_AT]) != header_sum {
            return Err(WrongKind::Corrupt);
        }
        if word(16) != offset {
            return Err(WrongKind::Misplaced {
                found_offset: word(16),
            });
        }
        let mut sum = [0; 128];
        let sum = &mut sum[..self.sum_bytes];
        let (head, data) = block.split_at(HEADER + self.sum_bytes);
        let compared = self.sum.put(data, sum);
        let is_whole = (word(0) >> 32) as usize == block.len();
        let is_summed = head[HEADER..][..compared] == sum[..compared];
        if !is_whole || !is_summed || !self.is_under(block, offset) {
            return Err(WrongKind::Corrupt);
        }
        let is_laid = half(THREAD_AT) == LAYOUT;
        Ok(self.stamp(word(SEQUENCE_AT), is_laid))
    }

    /// What the number in a header says. Of who wrote it a header says no more than whether a job
    /// did, and whether that was one of this run: only then does the number fit.
    const fn stamp(&self, number: u64, is_laid: bool) -> Stamp {
        let sequence = number ^ self.run;
        let is_own = !is_laid && sequence <= MOST_SEQUENCE;
        Stamp {
            generation: !is_laid as u64,
            sequence: if is_own { sequence } else { number },
            seed: 0,
            run: if is_own { self.run } else { 0 },
        }
    }

    /// What a block says of itself, be it good or not.
    pub fn told(&self, block: &[u8]) -> Stamp {
        let is_laid = block[THREAD_AT..][..2] == LAYOUT.to_le_bytes();
        self.stamp(super::word(block, SEQUENCE_AT), is_laid)
    }

    /// Checks the whole blocks of a buffer that was read from `offset`, where one begins; of what
    /// is left of another nobody can say anything.
    pub fn check(&self, buffer: &[u8], offset: u64) -> CheckedBlocks {
        let mut outcome = CheckedBlocks::default();
        let length = self.block_bytes as usize;
        let units = super::units(length);
        let offsets = (offset..).step_by(length);
        let blocks = buffer.chunks_exact(length);
        outcome.unwritten = (blocks.remainder().len() / UNIT) as u64;
        for (block, offset) in blocks.zip(offsets) {
            outcome.blocks += units;
            if let Err(kind) = self.examine(block, offset) {
                outcome.note_many(kind, offset, units);
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::spec::Pattern;

    const FORMS: [BlockForm; 9] = [
        BlockForm::FioMeta,
        BlockForm::FioMd5,
        BlockForm::FioCrc64,
        BlockForm::FioCrc32,
        BlockForm::FioCrc32c,
        BlockForm::FioSha256,
        BlockForm::FioSha512,
        BlockForm::FioXxhash,
        BlockForm::FioSha1,
    ];

    #[test]
    fn data_that_can_be_told_are_checked_where_nothing_is_summed_up() {
        let fill = Fill::Pattern("0aaa".parse().expect("a pattern"));
        for form in [BlockForm::FioMeta, BlockForm::FioPattern, BlockForm::FioMd5] {
            let blocks = blocks(form).over(fill);
            let mut content = vec![0; 1024];
            assert!(blocks.put_under(&mut content, 4096));
            blocks.head(&mut content, 4096, 1);
            assert_eq!(content[1020..], [0x0a, 0xaa, 0x0a, 0xaa], "{form:?}");
            assert_eq!(blocks.check(&content, 4096).wrong, 0, "{form:?}");
            assert_eq!(blocks.lay(4096, 7)[508..], content[508..512], "{form:?}");
            content[1000] ^= 4;
            let found = blocks.check(&content, 4096);
            assert_eq!((found.wrong, found.kinds.damaged), (1, 1), "{form:?}");
        }
    }

    /// As fio 3.33 writes three requests of 1536 bytes with a header in each 512.
    #[test]
    fn data_that_can_be_told_run_on_through_a_request() {
        for pattern in ["010203%o", "0102030405"] {
            let pattern: Pattern = pattern.parse().expect("a pattern");
            let blocks = blocks(BlockForm::FioPattern).over(Fill::Pattern(pattern));
            let blocks = blocks.in_requests_of(1536).from(512);
            let mut content = vec![0; 3 * 1536];
            assert!(blocks.put_under(&mut content, 512));
            for (request, part) in (0..).zip(content.chunks(1536)) {
                let mut expected = vec![0; 1536];
                pattern.fill(&mut expected, 512 + request * 1536);
                assert_eq!(part, expected, "{pattern}");
            }
            blocks.head(&mut content, 512, 1);
            assert_eq!(blocks.check(&content, 512).wrong, 0, "{pattern}");
            for (place, offset) in (0..content.len()).step_by(512).zip((512..).step_by(512)) {
                let block = &content[place..place + 512];
                assert_eq!(
                    blocks.examine(block, offset).map(|_| ()),
                    Ok(()),
                    "{pattern}"
                );
                let laid = blocks.lay(offset, 7);
                assert_eq!(laid[HEADER..], block[HEADER..], "{pattern} {offset}");
            }
            content[1536 + 512 + 100] ^= 1;
            assert_eq!(blocks.check(&content, 512).wrong, 1, "{pattern}");
        }
    }

    fn blocks(form: BlockForm) -> FioBlocks {
        FioBlocks::new(form, 512, 0).expect("a form of fio's")
    }

    #[test]
    fn what_was_headed_is_right_and_any_damage_is_found() {
        for form in FORMS {
            let blocks = blocks(form);
            let mut content: Vec<u8> = (0..2048_u32).map(|n| (n * 7) as u8).collect();
            blocks.head(&mut content, 8192, 3);
            let found = blocks.check(&content, 8192);
            assert_eq!((found.blocks, found.wrong), (4, 0), "{form:?}");
            // The last byte goes into every checksum but that of the header alone.
            content[1023] ^= 1;
            let wrong = u64::from(form != BlockForm::FioMeta);
            let found = blocks.check(&content, 8192);
            assert_eq!(found.wrong, wrong, "{form:?}");
            content[1023] ^= 1;
            content[512 + 9] ^= 1;
            let found = blocks.check(&content, 8192);
            assert_eq!((found.wrong, found.kinds.damaged), (1, 1), "{form:?}");
            let elsewhere = blocks.check(&content[..512], 4096);
            assert_eq!(elsewhere.kinds.misplaced, 1, "{form:?}");
        }
    }

    #[test]
    fn zeros_and_other_forms_are_no_blocks() {
        let mut content = vec![0; 512];
        let found = blocks(BlockForm::FioMd5).check(&content, 0);
        assert_eq!((found.wrong, found.kinds.unstamped), (1, 1));
        blocks(BlockForm::FioSha1).head(&mut content, 0, 0);
        let found = blocks(BlockForm::FioMd5).check(&content, 0);
        assert_eq!(found.kinds.unstamped, 1);
    }

    /// Blocks of 512 bytes that fio 3.33 wrote, one of each form, in the order of `FORMS`.
    const OF_FIO: &[u8] = include_bytes!("fio_blocks.bin");

    #[test]
    fn blocks_that_fio_wrote_are_right() {
        for (form, block) in FORMS.into_iter().zip(OF_FIO.chunks(512)) {
            let found = blocks(form).examine(block, 0).map(|_| ());
            assert_eq!(found, Ok(()), "{form:?}");
            let mut damaged = block.to_vec();
            damaged[511] ^= 0x10;
            let found = blocks(form).examine(&damaged, 0).is_ok();
            assert_eq!(found, form == BlockForm::FioMeta, "{form:?}");
        }
    }

    /// The number of a write is read by its own run alone.
    #[test]
    fn a_number_is_of_one_run() {
        let of = |run| blocks(BlockForm::FioCrc32c).of_run(run);
        let (own, other) = (of(0x8123_4567_89ab_cdef), of(0x7fed_cba9_8765_4321));
        let mut block = vec![7; 512];
        own.head(&mut block, 4096, 1234);
        let stamp = own.examine(&block, 4096).expect("it is good");
        assert_eq!((stamp.run, stamp.sequence), (own.run, 1234));
        let stamp = other.examine(&block, 4096).expect("it is good");
        assert_eq!((stamp.run, stamp.generation), (0, 1));
        let laid = own.told(&own.lay(4096, 5));
        assert_eq!((laid.run, laid.is_laid()), (0, true));
    }
}

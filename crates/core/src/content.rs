//! The random content of writes, and how it is recognised on storage.
//!
//! A block begins with a number from which the rest of it is made. Whoever reads it can make it
//! again, so nothing else has to be remembered to know what a run has written.

/// Bytes of the number that a block begins with.
pub const STAMP_BYTES: usize = 8;
/// 2^64 divided by the golden ratio, odd: multiples of it are far apart.
pub const GOLDEN: u64 = 0x9e37_79b9_7f4a_7c15;
/// What stamped sectors begin with: a digit and a zero byte follow.
const STAMPED: &[u8] = b"FATHOM";
const SECTOR_BYTES: usize = 512;
/// A block is not made of more.
const MOST_BYTES: usize = 4096;
/// Fewer bytes than this decide nothing: behind the number they are 24 that only chance could give.
const LEAST_BYTES: usize = 32;

/// Numbers that are made side by side.
pub const LANES: usize = 8;

/// Fills a block with the bytes that belong to its number.
pub fn generate(block: &mut [u8], number: u64) {
    generate_by(block, number, rows);
}

/// The same, with the rows made by another function that does what [`rows`] does.
#[inline]
pub fn generate_by(
    block: &mut [u8],
    number: u64,
    rows: impl FnOnce(&mut [u8], &mut [u64; LANES], &mut [u64; LANES]),
) {
    let seed = |lane: usize| mix(number.wrapping_add(GOLDEN.wrapping_mul(lane as u64 + 1)));
    let mut older: [u64; LANES] = std::array::from_fn(seed);
    // Odd, so that no lane is all zeros.
    let mut newer: [u64; LANES] = std::array::from_fn(|lane| seed(lane + LANES) | 1);
    rows(block, &mut older, &mut newer);
    let (_, rest) = block.as_chunks_mut::<ROW_BYTES>();
    let numbers = next(&mut older, &mut newer).map(u64::to_le_bytes);
    for (to, from) in rest.iter_mut().zip(numbers.as_flattened()) {
        *to = *from;
    }
    let head = STAMP_BYTES.min(block.len());
    block[..head].copy_from_slice(&number.to_le_bytes()[..head]);
}

const ROW_BYTES: usize = LANES * size_of::<u64>();

/// Fills all whole rows of a block; the generator is behind the last one then.
pub fn rows(block: &mut [u8], older: &mut [u64; LANES], newer: &mut [u64; LANES]) {
    for row in block.chunks_exact_mut(ROW_BYTES) {
        let numbers = next(older, newer);
        for (to, from) in row.chunks_exact_mut(size_of::<u64>()).zip(numbers) {
            to.copy_from_slice(&from.to_le_bytes());
        }
    }
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

/// The output function of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators", OOPSLA 2014): one to one, so different counters stay different.
#[inline]
pub const fn mix(number: u64) -> u64 {
    let mut z = number;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Bytes at the head of these that a write of Fathom's left, in whole sectors; 0 if the bytes do
/// not show it.
pub fn own_bytes(bytes: &[u8]) -> usize {
    let bytes = &bytes[..bytes.len().min(MOST_BYTES)];
    let Some(number) = bytes.first_chunk::<STAMP_BYTES>() else {
        return 0;
    };
    if bytes.starts_with(STAMPED) && bytes[STAMPED.len()].is_ascii_digit() && number[7] == 0 {
        return SECTOR_BYTES.min(bytes.len());
    }
    let number = u64::from_le_bytes(*number);
    let mut made = [0; MOST_BYTES];
    let made = &mut made[..bytes.len()];
    generate(made, number);
    let same = bytes
        .iter()
        .zip(made.iter())
        .take_while(|(a, b)| a == b)
        .count();
    if same < LEAST_BYTES {
        return scrambled_bytes(bytes, number);
    }
    // What is to be compressed ends in zeros.
    let zeros = bytes[same..].iter().take_while(|byte| **byte == 0).count();
    let end = same + zeros;
    if end == bytes.len() {
        end
    } else {
        end / SECTOR_BYTES * SECTOR_BYTES
    }
}

/// Bytes of scrambled data: each sector begins with the number of the one before and a constant.
fn scrambled_bytes(bytes: &[u8], first: u64) -> usize {
    const LEAST_SECTORS: usize = 3;
    let mut expected = first;
    let follows = |sector: &&[u8]| {
        let is_next = sector.starts_with(&expected.to_le_bytes());
        expected = expected.wrapping_add(GOLDEN);
        is_next
    };
    let sectors = bytes.chunks_exact(SECTOR_BYTES).take_while(follows).count();
    if sectors < LEAST_SECTORS || first == 0 {
        0
    } else {
        sectors * SECTOR_BYTES
    }
}

/// Whether a write of Fathom's left any sector of these.
pub fn has_own_sector(bytes: &[u8]) -> bool {
    let mut heads = (0..bytes.len()).step_by(SECTOR_BYTES);
    heads.any(|head| own_bytes(&bytes[head..]) > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn made(number: u64, len: usize) -> Vec<u8> {
        let mut block = vec![0; len];
        generate(&mut block, number);
        block
    }

    #[test]
    fn what_is_made_from_a_number_is_recognised() {
        for len in [512, 1024, 2048, 4096] {
            assert_eq!(own_bytes(&made(77, len)), len);
        }
        let mut compressible = made(77, 1000);
        compressible.resize(4096, 0);
        assert_eq!(own_bytes(&compressible), 4096);
        let mut torn = made(77, 4096);
        torn[2000] ^= 1;
        assert_eq!(own_bytes(&torn), 1536);
        let mut behind = vec![9; 1024];
        behind.extend(made(78, 512));
        behind.resize(4096, 9);
        assert_eq!((own_bytes(&behind), has_own_sector(&behind)), (0, true));
    }

    #[test]
    fn stamped_and_scrambled_sectors_are_recognised() {
        let mut stamped = vec![5; 1024];
        stamped[..8].copy_from_slice(b"FATHOM2\0");
        assert_eq!(own_bytes(&stamped), 512);
        let mut scrambled = vec![5; 4096];
        for (sector, number) in scrambled.chunks_mut(512).zip(0_u64..) {
            let number = 99_u64.wrapping_add(GOLDEN.wrapping_mul(number));
            sector[..8].copy_from_slice(&number.to_le_bytes());
        }
        assert_eq!(own_bytes(&scrambled), 4096);
    }

    #[test]
    fn nothing_else_is() {
        let mut foreign = made(77, 4096);
        foreign.rotate_left(8);
        let text = b"All work and no play makes Jack a dull boy. ".repeat(94);
        for bytes in [
            &foreign[..],
            &text,
            &[0; 4096],
            &[0xff; 4096],
            b"FATHOM",
            b"",
        ] {
            assert!(!has_own_sector(bytes), "{:?}", &bytes[..bytes.len().min(8)]);
        }
    }
}

//! Content that nothing is known of: no signature, no zeros, and nothing that a run left.

use std::fmt::Write as _;
use std::fs::File;
use std::io;

use fathom_core::content;

use crate::signature::probe::{Extent, Probe, Signature, detect};

/// How content is named that nothing is known of.
pub const DATA: &str = "data";

const BLOCK: u64 = 4096;
/// What is read whole at either end: headers lie there.
const END_BYTES: u64 = 1 << 20;
/// Blocks that are read in between, as far from each other. On a disk that seeks, or on a volume
/// with a limit of requests, more of them would delay each run.
const SAMPLES: u64 = 64;

/// All that the extent carries, and where no signature says what that is, whether it is data: the
/// first block of those that are looked at which is neither zero nor written by a run.
///
/// # Errors
///
/// If any of the places cannot be read: then nothing is known.
pub fn examine(file: &File, extent: Extent) -> io::Result<Vec<Signature>> {
    let mut found = detect(file, extent)?;
    if found.is_empty()
        && let Some(offset_bytes) = first_unknown(&Probe::of(file, extent))?
    {
        found.push(Signature {
            name: DATA,
            offset_bytes,
        });
    }
    Ok(found)
}

fn first_unknown(probe: &Probe<'_>) -> io::Result<Option<u64>> {
    let size = probe.size_bytes();
    let mut buffer = [0; BLOCK as usize];
    for offset in offsets(size) {
        let length = BLOCK.min(size - offset) as usize;
        let block = &mut buffer[..length];
        probe.fill(offset, block)?;
        let is_blank = block.iter().all(|byte| *byte == 0);
        if !is_blank && !content::has_own_sector(block) {
            return Ok(Some(offset));
        }
    }
    Ok(None)
}

/// Where blocks are looked at, in this order.
fn offsets(size_bytes: u64) -> impl Iterator<Item = u64> {
    let blocks = size_bytes.div_ceil(BLOCK);
    let at_ends = END_BYTES / BLOCK;
    let head = 0..blocks.min(at_ends);
    let between = (0..SAMPLES)
        .map(move |n| (u128::from(blocks) * u128::from(n) / u128::from(SAMPLES)) as u64);
    let tail = blocks.saturating_sub(at_ends).max(at_ends.min(blocks))..blocks;
    let between =
        between.filter(move |block| *block >= at_ends && *block < blocks.saturating_sub(at_ends));
    head.chain(between).chain(tail).map(|block| block * BLOCK)
}

/// What the first bytes of unknown content look like, for a message.
pub fn look(bytes: &[u8]) -> String {
    let first = &bytes[..bytes.len().min(16)];
    let mut text = String::new();
    for byte in first {
        let _ = write!(text, "{byte:02x} ");
    }
    let shown = |byte: &u8| match byte {
        b' '..=b'~' => char::from(*byte),
        _ => '.',
    };
    text.push('|');
    text.extend(first.iter().map(shown));
    text.push_str("| ");
    text.push_str(kind(bytes));
    text
}

fn kind(bytes: &[u8]) -> &'static str {
    let mut counts = [0_usize; 256];
    for byte in bytes {
        counts[usize::from(*byte)] += 1;
    }
    let printable: usize = counts[0x20..0x7f].iter().chain(&counts[9..14]).sum();
    let distinct = counts.iter().filter(|count| **count > 0).count();
    let most = counts.iter().max().copied().unwrap_or(0);
    if distinct == 1 {
        "one byte, repeated"
    } else if printable * 20 >= bytes.len() * 19 {
        "text"
    } else if distinct >= 240 && most * 256 <= bytes.len() * 4 {
        "random bytes, as encrypted or compressed data have"
    } else {
        "binary data"
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::FileExt as _;

    const SIZE: u64 = 64 << 20;

    fn device(writes: &[(u64, &[u8])]) -> Vec<(&'static str, u64)> {
        let file = tempfile::tempfile().unwrap();
        file.set_len(SIZE).unwrap();
        for (offset, bytes) in writes {
            file.write_all_at(bytes, *offset).unwrap();
        }
        let found = examine(&file, Extent::whole(SIZE)).unwrap();
        found
            .iter()
            .map(|one| (one.name, one.offset_bytes))
            .collect()
    }

    fn own(number: u64) -> Vec<u8> {
        let mut block = vec![0; 4096];
        content::generate(&mut block, number);
        block
    }

    #[test]
    fn what_is_neither_zero_nor_ours_is_data() {
        assert_eq!(device(&[]), []);
        assert_eq!(device(&[(0, &own(5)), (SIZE - 4096, &own(6))]), []);
        assert_eq!(device(&[(8192, b"x")]), [("data", 8192)]);
        assert_eq!(device(&[(0, &own(5)), (4096, b"x")]), [("data", 4096)]);
        assert_eq!(device(&[(SIZE - 1, b"x")]), [("data", SIZE - 4096)]);
        // In the middle one block of each MiB is looked at.
        assert_eq!(device(&[(SIZE / 2, b"x")]), [("data", SIZE / 2)]);
        assert_eq!(
            device(&[(4086, b"SWAPSPACE2"), (8192, b"x")]),
            [("swap", 4086)]
        );
    }

    #[test]
    fn random_bytes_of_others_are_never_ours() {
        let mut foreign = own(5);
        foreign[100] ^= 1;
        foreign[..512].rotate_left(1);
        let foreign = foreign.repeat(256);
        let mut turned = foreign.clone();
        turned.rotate_left(13);
        assert_eq!(device(&[(0, &turned)]), [("data", 0)]);
    }

    #[test]
    fn a_signature_in_what_a_run_wrote_is_chance() {
        // Any number is a head of a block, so one may look like a file system.
        let number = u64::from_le_bytes(*b"XFSB\0\0\x10\0");
        assert_eq!(device(&[(0, &own(number))]), []);
        assert_eq!(device(&[(0, b"XFSB\0\0\x10\0")]), [("xfs", 0)]);
    }

    #[test]
    fn blocks_are_looked_at_once_and_in_bounds() {
        for size in [
            0,
            1,
            512,
            4096,
            4097,
            1 << 20,
            (1 << 20) + 1,
            3 << 20,
            1 << 44,
        ] {
            let all: Vec<u64> = offsets(size).collect();
            assert!(all.is_sorted_by(|a, b| a < b), "{size}");
            assert!(all.last().is_none_or(|last| *last < size), "{size}");
            assert_eq!(all.is_empty(), size == 0);
        }
    }

    #[test]
    fn the_first_bytes_are_shown() {
        let random: Vec<u8> = own(3);
        assert_eq!(
            look(b"PGDMP\0\x01custom header of a dump"),
            "50 47 44 4d 50 00 01 63 75 73 74 6f 6d 20 68 65 |PGDMP..custom he| binary data"
        );
        assert_eq!(
            kind(&random),
            "random bytes, as encrypted or compressed data have"
        );
        assert_eq!(kind(&[0xff; 4096]), "one byte, repeated");
        assert_eq!(kind(&b"key = value\n".repeat(300)), "text");
    }
}

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
    let filler = Filler::new(data, 7, worker);
    let filler = match data.fill {
        Fill::Scrambled => filler.with_buffers_of_its_own(),
        _ => filler,
    };
    written_by(filler, slots, len, writes)
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

/// Two phases, two repeats of one, or two files that are laid out.
#[test]
fn what_is_numbered_apart_has_no_block_in_common() {
    let writes = |fill: Fill, number: u32| {
        let data = Data {
            fill,
            ..data(100.0, 0.0)
        };
        let filler = Filler::new(&data, 7, 1).numbered(number);
        written_by(filler, 1, BLOCK_BYTES, 16)
    };
    for fill in [Fill::Random, Fill::Scrambled] {
        let all: HashSet<Vec<u8>> = (0..4).flat_map(|number| writes(fill, number)).collect();
        assert_eq!(all.len(), 4 * 16);
        assert_eq!(writes(fill, 3), writes(fill, 3));
    }
}

/// Of a mix: what was read into a buffer is nothing of the next write.
#[test]
fn nothing_of_what_a_buffer_held_is_written() {
    for fill in [Fill::Random, Fill::Scrambled] {
        for read in [0x00, 0xff] {
            let data = Data {
                fill,
                ..data(50.0, 0.0)
            };
            let mut filler = Filler::new(&data, 7, 1);
            let mut buffer = vec![0; 2 * BLOCK_BYTES];
            filler.prepare(&mut buffer);
            buffer.fill(read);
            filler.refresh(&mut buffer, 2 * BLOCK_BYTES);
            for block in buffer.chunks(BLOCK_BYTES) {
                let (head, rest) = block.split_at(BLOCK_BYTES / 2);
                assert!(deflated_bytes(head) >= head.len());
                assert!(rest.iter().all(|byte| *byte == 0));
            }
        }
    }
}

/// Of several sizes each is as compressible as was asked, also what is left of one after 4 KiB.
#[test]
fn a_short_write_is_as_compressible_as_a_long_one() {
    let mut filler = Filler::new(&data(25.0, 0.0), 7, 1);
    let mut buffer = vec![0; 2 * BLOCK_BYTES];
    filler.prepare(&mut buffer);
    for (len, random) in [(8192, 2048), (512, 128), (6144, 1536), (1024, 256)] {
        filler.refresh(&mut buffer, len);
        for (block, share) in buffer[..len]
            .chunks(BLOCK_BYTES)
            .zip([random.min(1024), random - 1024.min(random)])
        {
            let (head, rest) = block.split_at(share);
            assert!(deflated_bytes(head) >= head.len(), "{len}");
            assert!(rest.iter().all(|byte| *byte == 0), "{len}");
        }
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

/// A device that was written needs no permission of its own for the next run: every 4 KiB of it are
/// known by what is in them.
#[test]
fn what_is_written_is_recognised_on_storage() {
    let scrambled = Data {
        fill: Fill::Scrambled,
        ..data(100.0, 0.0)
    };
    let pattern = Data {
        fill: Fill::Pattern("deadbeef".parse().expect("a pattern")),
        ..data(25.0, 0.0)
    };
    for (kind, block_bytes) in [
        (data(100.0, 0.0), 512),
        (data(100.0, 0.0), 4096),
        (data(100.0, 0.0), 6144),
        (data(50.0, 0.0), 65536),
        (data(3.0, 0.0), 4096),
        (scrambled, 8192),
        (pattern, 4096),
    ] {
        let mut storage = written(&kind, 7, 3, block_bytes, 12).concat();
        storage.truncate(storage.len() / 4096 * 4096);
        let is_own = |block: &[u8]| fathom_core::content::has_own_sector(block);
        assert!(storage.chunks(4096).all(is_own), "{kind:?} {block_bytes}");
    }
    let mut stamped = written(&data(100.0, 0.0), 7, 3, 4096, 1).concat();
    let stamp = crate::verify::Stamp::laid(crate::verify::Mark {
        seed: 1,
        ..crate::verify::Mark::default()
    });
    crate::verify::stamp(&mut stamped, 0, stamp);
    assert_eq!(fathom_core::content::own_bytes(&stamped), 512);
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

proptest! {
    #[test]
    fn all_vector_instructions_make_the_same_bytes(
        len in 0_usize..9000,
        compressible_to in prop_oneof![Just(100.0), 0.0..=100.0_f64],
        salt: u64,
    ) {
        let made = |vectors| {
            let filler = Filler::new(&data(compressible_to, 0.0), salt, 3);
            let mut filler = filler.with_vectors(vectors);
            let mut buffer = vec![0; len];
            filler.prepare(&mut buffer);
            filler.refresh(&mut buffer, len);
            buffer
        };
        let sets: Vec<_> = Vectors::here().collect();
        for pair in sets.windows(2) {
            prop_assert_eq!(made(pair[0]), made(pair[1]), "{:?}", pair);
        }
    }
}

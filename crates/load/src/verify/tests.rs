//! Every kind of damage is told from every other.

use super::*;
use proptest::prelude::*;

const SEED: u64 = 77;
const RUN: u64 = 0x1234_5678_9abc_def0;
const AT: u64 = 1 << 20;

fn by(worker: u32, write: u64) -> Stamp {
    Stamp {
        generation: generation(worker, write),
        sequence: 1000 + write,
        seed: SEED,
        run: RUN,
    }
}

const fn mark(seed: u64) -> Mark {
    Mark {
        run: RUN,
        seed,
        salt: 0,
    }
}

fn stamped() -> Vec<u8> {
    let mut buffer: Vec<u8> = (0..2048_u32).map(|n| ((n * 31) >> 3) as u8).collect();
    stamp(&mut buffer, AT, by(2, 5));
    buffer
}

fn wrong(offset: u64, kind: WrongKind) -> CheckedBlocks {
    let mut outcome = CheckedBlocks {
        blocks: 4,
        ..CheckedBlocks::default()
    };
    outcome.note(kind, offset);
    outcome
}

#[test]
fn what_was_stamped_is_good() {
    let good = CheckedBlocks {
        blocks: 4,
        ..CheckedBlocks::default()
    };
    let buffer = stamped();
    assert_eq!(check(&buffer, AT, Some(SEED)), good);
    assert_eq!(check(&buffer, AT, None), good);
    // A last part that is no whole block is not looked at.
    assert_eq!(
        check(&buffer[..2047], AT, Some(SEED)),
        CheckedBlocks { blocks: 3, ..good }
    );
}

#[test]
fn the_layout_of_a_block_is_as_documented() {
    let buffer = stamped();
    let block = &buffer[512..1024];
    assert_eq!(&block[..8], b"FATHOM3\0");
    assert_eq!(block[8..16], (AT + 512).to_le_bytes());
    assert_eq!(block[16..24], ((2_u64 << 40) | 5).to_le_bytes());
    assert_eq!(block[24..32], SEED.to_le_bytes());
    assert_eq!(block[32..40], 1005_u64.to_le_bytes());
    assert_eq!(block[40..48], RUN.to_le_bytes());
    assert_eq!(block[504..], xxh3_64(&block[..504]).to_le_bytes());
    assert_eq!(worker_and_write(generation(2, 5)), (2, 5));
}

#[test]
fn each_kind_of_damage_has_its_name() {
    let mut torn = stamped();
    let mut newer = stamped();
    stamp(&mut newer, AT, by(2, 6));
    torn[1024 + 256..1536].copy_from_slice(&newer[1024 + 256..1536]);
    assert_eq!(
        check(&torn, AT, Some(SEED)),
        wrong(AT + 1024, WrongKind::Corrupt)
    );

    let mut misplaced = stamped();
    misplaced.copy_within(0..512, 1536);
    assert_eq!(
        check(&misplaced, AT, Some(SEED)),
        wrong(AT + 1536, WrongKind::Misplaced { found_offset: AT })
    );

    let mut empty = stamped();
    empty[512..1024].fill(0);
    assert_eq!(check(&empty, AT, None), wrong(AT + 512, WrongKind::Zeros));

    let mut somebodys = stamped();
    somebodys[512..1024].fill(7);
    assert_eq!(
        check(&somebodys, AT, None),
        wrong(AT + 512, WrongKind::NotStamped)
    );

    let mut foreign = stamped();
    stamp(&mut foreign[..512], AT, Stamp::laid(mark(SEED + 1)));
    assert_eq!(
        check(&foreign, AT, Some(SEED)),
        wrong(AT, WrongKind::ForeignSeed)
    );
    assert_eq!(check(&foreign, AT, None).wrong, 0);
}

#[test]
fn zeros_at_offset_zero_are_zeros() {
    let outcome = check(&[0; 512], 0, Some(0));
    assert_eq!(
        outcome.first_wrong.map(|wrong| wrong.kind),
        Some(WrongKind::Zeros)
    );
}

/// What version 2 wrote: payload where the identity stands now.
#[test]
fn blocks_of_earlier_versions_are_read() {
    let mut buffer = stamped();
    for block in buffer.chunks_exact_mut(512) {
        block[..8].copy_from_slice(b"FATHOM2\0");
        let sum = xxh3_64(&block[..504]);
        block[504..].copy_from_slice(&sum.to_le_bytes());
    }
    let old = Stamp { run: 0, ..by(2, 5) };
    assert_eq!(examine(&buffer[..512], AT, Some(SEED)), Ok(old));
    assert_eq!(check(&buffer, AT, None).wrong, 0);
}

proptest! {
    #[test]
    fn any_one_flipped_bit_is_found(bit in 0_usize..2048 * 8) {
        let mut buffer = stamped();
        buffer[bit / 8] ^= 1 << (bit % 8);
        let offset = AT + (bit / 8 / 512 * 512) as u64;
        prop_assert_eq!(check(&buffer, AT, Some(SEED)), wrong(offset, WrongKind::Corrupt));
    }
}

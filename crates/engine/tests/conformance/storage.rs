//! What an engine promises that keeps what is written.

use crate::bench::{BLOCK_BYTES, BLOCKS, Bench, REST_BYTES};
use fathom_core::{Nanos, Op};
use fathom_engine::{Completion, Engine as _, Submission};

/// Contents of a block that differ from those of every other block.
pub(crate) fn pattern(block: u64) -> Vec<u8> {
    (0..u64::from(BLOCK_BYTES) / 8)
        .flat_map(|word| (block << 32 | word).to_le_bytes())
        .collect()
}

/// Writes the pattern to all blocks, as many at once as the engine takes.
pub(crate) fn write_all<B: Bench>(bench: &mut B) {
    let slots = u64::from(bench.engine().max_in_flight());
    let blocks: Vec<u64> = (0..BLOCKS).collect();
    for batch in blocks.chunks(slots as usize) {
        for (slot, block) in (0_u32..).zip(batch) {
            bench
                .engine()
                .buffer(slot)
                .copy_from_slice(&pattern(*block));
            bench.push(Op::Write, slot, block * u64::from(BLOCK_BYTES));
        }
        // One turn brings them all, unless the engine was told to be content with fewer.
        let mut done = Vec::new();
        while done.len() < batch.len() {
            done.extend(bench.turn((batch.len() - done.len()) as u32, Nanos::MAX));
        }
        assert_eq!(done.len(), batch.len());
        assert!(done.iter().all(|c| c.result == BLOCK_BYTES as i32));
    }
}

fn read(bench: &mut impl Bench, block: u64) -> Vec<u8> {
    bench.engine().buffer(0).fill(0xee);
    let result = bench.perform(Op::Read, block * u64::from(BLOCK_BYTES));
    assert_eq!(result, BLOCK_BYTES as i32);
    bench.engine().buffer(0).to_vec()
}

pub(crate) fn what_is_written_is_read<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    write_all(&mut bench);
    for block in (0..BLOCKS).rev() {
        assert!(read(&mut bench, block) == pattern(block), "block {block}");
    }
}

pub(crate) fn the_end_of_the_target_makes_reads_short<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    let end = BLOCKS * u64::from(BLOCK_BYTES);
    let cases = [
        (end, REST_BYTES as i32),
        (end + 999, 1),
        (end + REST_BYTES, 0),
        (end + REST_BYTES + 12_345, 0),
        (end - 96, 96 + REST_BYTES as i32),
    ];
    for (offset, moved) in cases {
        assert_eq!(bench.perform(Op::Read, offset), moved, "at {offset}");
    }
}

pub(crate) fn trimmed_bytes_read_as_zero<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    write_all(&mut bench);
    assert_eq!(bench.perform(Op::Trim, 5 * u64::from(BLOCK_BYTES)), 0);
    assert!(read(&mut bench, 4) == pattern(4));
    assert!(read(&mut bench, 5) == vec![0; BLOCK_BYTES as usize]);
    assert!(read(&mut bench, 6) == pattern(6));
}

pub(crate) fn flushes_complete_with_zero<B: Bench>(make: &impl Fn() -> Option<B>) {
    let Some(mut bench) = make() else { return };
    for data_only in [false, true] {
        assert_eq!(bench.perform(Op::Write, 0), BLOCK_BYTES as i32);
        bench.engine().push(Submission {
            offset: 0,
            slot: 0,
            len: 0,
            target: 0,
            op: Op::Flush,
            data_only,
        });
        let done = bench.turn(1, Nanos::MAX);
        assert_eq!(done, [Completion { slot: 0, result: 0 }]);
    }
}

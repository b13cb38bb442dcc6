//! Where requests go: seen from what a volume with contents has kept.

use crate::scenario::{Scenario, job, kind};
use fathom_core::spec::{Access, Cursor, Walk};
use fathom_core::{Bytes, Nanos, Op, Percent};

/// Writes so many requests of 4 KiB to a volume of 1 MiB; gives the pages that were written.
fn pages(access: impl Fn(&mut Access), random: f64, threads: u32, ios: u64) -> Vec<u64> {
    let mut writes = job("writes");
    writes.threads = threads;
    writes.stop.ios = Some(ios);
    let mut write = kind(Op::Write, 4096);
    write.random = Percent(random);
    writes.kinds = vec![write];
    access(&mut writes.access);
    let mut scenario = Scenario::new(writes, Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario.volume.size_bytes = 1 << 20;
    scenario.contents = true;
    scenario.written_pages()
}

#[test]
fn a_pass_without_repetition_covers_every_block() {
    let whole: Vec<u64> = (0..256).collect();
    assert_eq!(
        pages(|access| access.without_repetition = true, 100.0, 1, 256),
        whole
    );
    assert_eq!(
        pages(|access| access.without_repetition = true, 100.0, 4, 256),
        whole
    );
    // Independent places repeat themselves: 1 - 1/e of the blocks are hit.
    let hit = pages(|_| {}, 100.0, 1, 256).len();
    assert!((140..185).contains(&hit), "{hit}");
}

#[test]
fn sequential_streams_start_where_they_are_told() {
    let run = |from: u64, count: u64| (from..from + count).collect::<Vec<u64>>();
    assert_eq!(pages(|_| {}, 0.0, 1, 10), run(0, 10));
    // Four threads share the window out: 64 pages each.
    let spread = [run(0, 3), run(64, 3), run(128, 3), run(192, 3)].concat();
    assert_eq!(pages(|_| {}, 0.0, 4, 12), spread);
    let apart = |access: &mut Access| {
        access.cursor = Cursor::Own {
            stride: Some(Bytes(8192)),
        }
    };
    assert_eq!(pages(apart, 0.0, 4, 4), [0, 2, 4, 6]);
    // Interlocked threads advance one position.
    assert_eq!(
        pages(|access| access.cursor = Cursor::Shared, 0.0, 4, 12),
        run(0, 12)
    );
    let strided = |access: &mut Access| access.stride = Some(Bytes(16384));
    assert_eq!(pages(strided, 0.0, 1, 4), [0, 4, 8, 12]);
}

#[test]
fn kinds_of_requests_share_a_pass() {
    let mut writes = job("writes");
    writes.stop.ios = Some(256);
    let mut often = kind(Op::Write, 4096);
    often.random = Percent(100.0);
    often.weight = 3.0;
    let mut seldom = often.clone();
    seldom.weight = 1.0;
    writes.kinds = vec![often, seldom];
    writes.access.without_repetition = true;
    let mut scenario = Scenario::new(writes, Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario.volume.size_bytes = 1 << 20;
    scenario.contents = true;
    // A pass of each for itself would go over the same blocks again.
    assert_eq!(scenario.written_pages(), (0..256).collect::<Vec<u64>>());
}

#[test]
fn zones_have_their_turn() {
    let zones = |done: u64, length: u64, skip: u64| {
        move |access: &mut Access| {
            access.walk = Walk::Zones {
                done: Bytes(done << 12),
                length: Bytes(length << 12),
                skip: Bytes(skip << 12),
            };
        }
    };
    let runs = |starts: &[u64], count: u64| -> Vec<u64> {
        starts.iter().flat_map(|at| *at..at + count).collect()
    };
    assert_eq!(pages(zones(4, 4, 12), 0.0, 1, 12), runs(&[0, 16, 32], 4));
    // Half of each zone, then the next.
    assert_eq!(pages(zones(4, 8, 0), 0.0, 1, 12), runs(&[0, 8, 16], 4));
    // Each zone twice.
    assert_eq!(pages(zones(8, 4, 4), 0.0, 1, 16), runs(&[0, 8], 4));
    // Round again after the last: 256 pages, a zone each 100.
    assert_eq!(pages(zones(4, 4, 96), 0.0, 1, 16), runs(&[0, 100, 200], 4));
    // What is left at the end is no zone.
    assert_eq!(pages(zones(8, 8, 117), 0.0, 1, 24), runs(&[0, 125], 8));
    let random = pages(zones(8, 8, 24), 100.0, 1, 64);
    assert!(random.iter().all(|page| page % 32 < 8), "{random:?}");
}

#[test]
fn a_thread_keeps_to_its_lattice_past_the_end() {
    let apart = |access: &mut Access| {
        access.stride = Some(Bytes(16_384));
        access.cursor = Cursor::Own {
            stride: Some(Bytes(4096)),
        };
    };
    // Pages 0, 4, 8 … of the first thread and 1, 5, 9 … of the second, twice round 256 pages.
    let two_of_four: Vec<u64> = (0..256).filter(|page| page % 4 < 2).collect();
    assert_eq!(pages(apart, 0.0, 2, 256), two_of_four);
}

//! Writes to the zones of a zoned device.

use crate::scenario::{Scenario, job, kind};
use fathom_core::result::JobResult;
use fathom_core::spec::{JobStop, Walk};
use fathom_core::{Bytes, Nanos, Op, Percent};
use fathom_device::zone_report::{Condition, Zone};

/// Zones of 16 KiB and writes of 4 KiB; each request takes 100 µs. One of each four begins full.
fn run(random: f64, depth: u32, threads: u32, stop: JobStop) -> JobResult {
    let mut writes = job("writes");
    writes.threads = threads;
    writes.queue_depth = depth;
    writes.stop = stop;
    let mut write = kind(Op::Write, 4096);
    write.random = Percent(random);
    writes.kinds = vec![write];
    writes.durability.direct = true;
    writes.access.walk = Walk::WritePointers {
        open: None,
        of_thread: None,
        zone: None,
        append: false,
    };
    let mut scenario = Scenario::new(writes, Nanos::from_micros(100));
    scenario.phase().duration = None;
    scenario.volume.size_bytes = 16 << 14;
    let zone = |number: u64| Zone {
        start: number << 14,
        len: 1 << 14,
        capacity: 1 << 14,
        written: if number % 4 == 3 { 1 << 14 } else { 0 },
        condition: if number % 4 == 3 {
            Condition::Full
        } else {
            Condition::Empty
        },
    };
    scenario.zones = (0..16).map(zone).collect();
    scenario.run().jobs.remove(0)
}

/// Writes, bytes of them, resets, bytes of those.
fn counts(result: &JobResult) -> [u64; 4] {
    let of = |op| {
        let found = result.ops.get(op);
        found.map_or((0, 0), |of| (of.ios, of.bytes))
    };
    let (write, trim) = (of(Op::Write), of(Op::Trim));
    [write.0, write.1, trim.0, trim.1]
}

#[test]
fn resets_are_counted_and_move_nothing() {
    let ios = |ios| JobStop {
        ios: Some(ios),
        ..JobStop::default()
    };
    // Three zones, the reset of the fourth, its four writes; four times that are all sixteen.
    let pass = run(0.0, 1, 1, ios(4 * 17));
    assert_eq!(counts(&pass), [64, 64 << 12, 4, 0]);
    // In the second pass each zone is reset: five requests for four writes.
    let second = run(0.0, 1, 1, ios(4 * 17 + 50));
    assert_eq!(counts(&second), [64 + 40, 104 << 12, 4 + 10, 0]);
    // An amount of bytes is one of what is written.
    let bytes = JobStop {
        bytes: Some(Bytes(128 << 12)),
        ..JobStop::default()
    };
    let written = run(0.0, 1, 1, bytes);
    assert_eq!(counts(&written), [128, 128 << 12, 20, 0]);
}

#[test]
fn several_at_once_and_several_threads_go_to_zones_of_their_own() {
    let bytes = || JobStop {
        bytes: Some(Bytes(512 << 12)),
        ..JobStop::default()
    };
    let counted = |random, depth, threads| {
        let [writes, _, resets, _] = counts(&run(random, depth, threads, bytes()));
        assert!(resets >= (writes - 48) / 4, "{resets} resets of {writes}");
        writes
    };
    assert_eq!(counted(0.0, 4, 2), 512);
    assert_eq!(counted(100.0, 4, 1), 512);
    assert_eq!(counted(100.0, 2, 4), 512);
}

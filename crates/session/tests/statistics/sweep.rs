//! What the thresholds of the attribution rest on: how far limits, doublings and queues lie from
//! each other on random devices of other seeds than those of the tables, and how many errors each
//! value of a threshold would make of them.

use crate::bench::number;
use crate::limits::{Truth, doubled, sample};
use fathom_core::result::BoundKind;

/// Devices for the sweep begin here.
const SEEDS: u64 = 10_000;

/// What a device showed.
#[derive(Clone, Copy, Debug)]
struct Point {
    is_at_limit: bool,
    /// What twice the outstanding requests changed, as a share.
    doubled: f64,
    /// How far the plateau lies from its limit, as a share.
    off: f64,
}

fn points(devices: u64) -> Vec<Point> {
    let point = |seed: u64| {
        let sample = sample(seed);
        let result = sample.run(seed);
        let bound = result.phases[0].bound.as_deref().expect("a bound");
        assert_ne!(bound.kind, BoundKind::Schedule);
        Point {
            is_at_limit: sample.truth != Truth::QueueDepth,
            doubled: doubled(&result).expect("all three probes"),
            off: sample.off(&result),
        }
    };
    (SEEDS..SEEDS + devices).map(point).collect()
}

fn count(points: &[Point], is: impl Fn(&Point) -> bool) -> usize {
    points.iter().filter(|point| is(point)).count()
}

#[test]
fn the_sweep_of_the_thresholds() {
    let points = points(number(6, 600));
    let (limited, free): (Vec<Point>, Vec<Point>) =
        points.iter().partition(|point| point.is_at_limit);
    println!(
        "{} devices at a limit, {} below all",
        limited.len(),
        free.len()
    );
    println!("FLAT: at a limit and not flat; below all and flat");
    for flat in [0.01, 0.02, 0.03, 0.04, 0.05, 0.08] {
        let missed = count(&limited, |one| one.doubled.abs() >= flat);
        let taken = count(&free, |one| one.doubled.abs() < flat);
        println!("  {flat:.2} {missed:>5} {taken:>5}");
    }
    println!("GROWS: at a limit and growing; below all and not growing");
    for grows in [0.03, 0.05, 0.08, 0.10, 0.15, 0.20, 0.30] {
        let taken = count(&limited, |one| one.doubled > grows);
        let missed = count(&free, |one| one.doubled <= grows);
        println!("  {grows:.2} {taken:>5} {missed:>5}");
    }
    println!("DROPS: without contention and dropping");
    for drops in [0.01, 0.02, 0.03, 0.05, 0.08] {
        println!(
            "  {drops:.2} {:>5}",
            count(&points, |one| one.doubled < -drops)
        );
    }
    println!("NEAR: at a limit and not near it; a wrong limit at 1.15 times or more is near");
    for near in [0.005, 0.01, 0.02, 0.03, 0.05, 0.08, 0.10] {
        let missed = count(&limited, |one| one.off > near);
        let taken = count(&limited, |one| one.off + near >= 0.15);
        println!("  {near:.3} {missed:>5} {taken:>5}");
    }
    let grown = free
        .iter()
        .map(|one| one.doubled)
        .fold(f64::INFINITY, f64::min);
    assert!(grown > 0.1, "the least growth below all limits is {grown}");
}

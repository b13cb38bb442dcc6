//! Disks that are unequally fast under the same load.

use super::{Said, slow_disk};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::utilisation::FULL;
use fathom_core::figure::{iops, outstanding, size, time};

/// How far the sizes of requests of one load may be apart, and the factor between the rates of
/// disks that are not alike.
const SAME: f64 = 1.1;
const UNLIKE: f64 = 1.3;
const MOST: f64 = 4.0;

/// Requests in flight of a disk that is kept busy, and their factor to those of one that is not.
const DEEP: f64 = 8.0;
const FED: f64 = 1.6;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    starved(all, index).or_else(|| unlike(all, index))
}

/// A disk that has fewer requests in flight than others, and does not take longer for them.
fn starved(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    let (rate, each) = full(one)?;
    let (held, mean) = (one.in_flight()?, one.mean_latency()?);
    let others = slow_disk::near(all, index).filter(|other| family(one) == family(other));
    let (fed, most) = others
        .filter(|other| full(other).is_some_and(|(own, of)| own >= rate * UNLIKE && like(of, each)))
        .filter(|other| other.mean_latency().is_some_and(|own| own >= mean))
        .filter_map(|other| Some((other, other.in_flight()?)))
        .filter(|(_, own)| *own >= held * FED && *own >= DEEP)
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    let headline = format!(
        "{} has {} requests in flight and {} has {}: the host does not keep {0} busy.",
        one.title,
        outstanding(held),
        fed.title,
        outstanding(most)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "It answers in {}, no slower than the other, and serves less because less is \
                 asked of it.",
                time(mean)
            ))
            .remedy("Look at the processor of the job that feeds it, its NUMA node and its load.")
            .by(&["rate"]),
    )
}

fn unlike(all: &[Evidence], index: usize) -> Option<Said> {
    let slow = &all[index];
    let (rate, each) = full(slow)?;
    let others = slow_disk::near(all, index).filter(|other| family(slow) == family(other));
    let held = slow.in_flight()?;
    // A disk with fewer requests in flight has less to do.
    let others = others.filter(|other| other.in_flight().is_some_and(|own| like(own, held)));
    let others = others.filter_map(|other| Some((other, full(other)?)));
    let (fast, (most, _)) = others
        .filter(|(_, (own, size))| like(*size, each) && (rate * UNLIKE..=rate * MOST).contains(own))
        .max_by(|a, b| a.1.0.total_cmp(&b.1.0))?;
    let headline = format!(
        "{} serves {} requests a second and {} serves {}, of the same size, and both are full.",
        slow.title,
        iops(rate),
        fast.title,
        iops(most)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "The requests are of {}. If both are in one array, it is as fast as its slowest \
                 member.",
                size(each as u64)
            ))
            .remedy(
                "Swap the two: what moves with the disk is the disk, what stays is its slot, \
                 cable or controller. Compare model and firmware.",
            )
            .by(&["rate"]),
    )
}

/// Whether two sizes or numbers are about the same.
fn like(a: f64, b: f64) -> bool {
    a.max(b) <= a.min(b) * SAME
}

/// The letters with which the name begins: devices of one kind share them.
fn family(one: &Evidence) -> &str {
    let end = one.title.find(|sign: char| !sign.is_ascii_alphabetic());
    match &one.title[..end.unwrap_or(one.title.len())] {
        // The letter after it counts the disks.
        name if name.starts_with("sd") => "sd",
        name => name,
    }
}

/// Requests a second of a full disk, and the size of each.
fn full(one: &Evidence) -> Option<(f64, f64)> {
    one.busiest().filter(|(_, util)| *util >= FULL)?;
    let is_disk = slow_disk::is_physical(one) && slow_disk::lone(one).is_none();
    let rate = one.iops().filter(|_| is_disk && one.sides.len() == 1)?;
    let rate = Some(rate).filter(|rate| *rate > 0.0)?;
    Some((rate, one.rate()? / rate))
}

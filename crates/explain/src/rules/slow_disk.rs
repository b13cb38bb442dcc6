//! A disk that needs long for a lone request, where others do not.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, time};

/// Time that a healthy disk never needs for a lone request, the most requests a second and in
/// flight that are lone ones, and the largest of them.
const SLOW_NS: f64 = 100e6;
const FEW: f64 = 50.0;
const LONE: f64 = 4.0;
const LARGEST: f64 = 1_048_576.0;

/// Requests in flight while the disk is busy.
const MOST_AT_ONCE: f64 = 3.0;

/// Devices of one table.
const MOST: usize = 64;

/// A neighbour is this many times faster.
const FASTER: f64 = 10.0;

/// Starts of the names of devices that are no disk of this machine.
const ELSEWHERE: [&str; 12] = [
    "dm-", "drbd", "loop", "md", "mmcblk", "nbd", "ram", "rbd", "vd", "xvd", "zd", "zram",
];

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    let mean = lone(one)?;
    let watched = near(all, index);
    let is_said = |other: &Evidence| is_physical(other) && lone(other).is_some();
    if !is_physical(one) && watched.clone().any(is_said) {
        return None;
    }
    let name = one.title.as_str();
    let near = watched.filter(|other| is_physical(other));
    let near = near.filter_map(|other| Some((&other.title, longest(other)?)));
    let fast = near.filter(|(_, own)| own * FASTER < mean);
    let rate = iops(one.iops()?);
    let headline = match fast.min_by(|a, b| a.1.total_cmp(&b.1)) {
        Some((other, own)) => format!(
            "{name} stalls: each of its {rate} requests a second takes {}, and {other} needs {}.",
            time(mean),
            time(own)
        ),
        None => format!(
            "{name} stalls: each of its {rate} requests a second takes {}.",
            time(mean)
        ),
    };
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "A healthy disk answers a lone request within 20 ms. Failing sectors, a shingled \
                 disk that tidies up, a bad cable, or a path that retries look like this. What \
                 lies above the disk waits for it.",
            )
            .remedy("Read smartctl -x and the kernel log for this disk, and measure it alone.")
            .by(&["rate"]),
    )
}

/// Devices of the same table, whose results follow each other.
pub(super) fn near(all: &[Evidence], index: usize) -> impl Iterator<Item = &Evidence> + Clone {
    let one = &all[index];
    let from = index.saturating_sub(MOST);
    let until = all.len().min(index + MOST);
    all[from..until]
        .iter()
        .filter(move |other| one.is_beside(other))
}

/// The mean latency of a device with a few requests that hardly wait for each other.
pub(super) fn lone(one: &Evidence) -> Option<f64> {
    let mean = one.mean_latency().filter(|mean| *mean >= SLOW_NS)?;
    let rate = one.iops().filter(|rate| *rate <= FEW)?;
    let is_small = one.rate().is_none_or(|bytes| bytes / rate <= LARGEST);
    // A lone request keeps the disk busy for as long as it takes; a burst does not.
    let (_, util) = one.busiest()?;
    let held = one.in_flight()?;
    let is_lone = held < LONE && held <= util / 100.0 * MOST_AT_ONCE;
    (one.is_watched() && is_small && is_lone).then_some(mean)
}

/// The longer mean of reads and writes.
fn longest(one: &Evidence) -> Option<f64> {
    let means = one.sides.iter();
    let means = means.filter_map(|side| side.latency.as_ref()?.mean);
    means.reduce(f64::max)
}

pub(super) fn is_physical(one: &Evidence) -> bool {
    !ELSEWHERE.iter().any(|start| one.title.starts_with(start))
}

//! A rate that the disks of a load do not give.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::stated::device;
use fathom_core::figure::megabytes;

/// A stream of a hard disk at most: hdparm measures what it gives. A faster drive gives more than
/// hdparm asks for.
const DISK: f64 = 300e6;

/// Factor to the sum of all disks from which something else gave the rate.
const ABOVE: f64 = 1.25;

/// Results of a paste that are looked at.
const MOST: usize = 64;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = all
        .get(index)
        .filter(|one| one.tool != "hdparm" && !one.is_watched())?;
    let own = disks(one);
    let near = all.iter().take(MOST).filter(|other| is_of_disk(other));
    let near = near.filter(|other| {
        let name = device(&other.load.target);
        name.is_some_and(|name| own.contains(&name))
    });
    let best = near.filter_map(Evidence::rate).reduce(f64::max)?;
    let drives = own.len() as f64;
    let side = one.sides.iter().find(|side| {
        let rate = one.rate_of(side);
        rate.is_some_and(|rate| best <= DISK && rate > drives * best * ABOVE)
    })?;
    let disks = match own.len() {
        1 => "the disk of this load gives".to_owned(),
        many => format!("the {many} disks of this load give"),
    };
    let headline = format!(
        "A cache, or data that is not on the disk, gave {} MB/s: {disks} {} MB/s at most.",
        megabytes(one.rate_of(side)?),
        megabytes(drives * best)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Elsewhere, headline)
            .because(format!(
                "hdparm reads {} MB/s from {}.",
                megabytes(best),
                own.join(" or ")
            ))
            .remedy(
                "Write random data of more than the memory, and read it after the file system was \
                 unmounted.",
            )
            .by(&["command", "rate"]),
    )
}

/// The disks that a load certainly has: its device, or those whose counters stand below it.
fn disks(one: &Evidence) -> Vec<String> {
    let below = one.disks.iter().filter(|disk| !disk.is_stacked);
    let below: Vec<String> = below.filter_map(|disk| device(&disk.name)).collect();
    if below.is_empty() {
        device(&one.load.target).into_iter().collect()
    } else {
        below
    }
}

/// Whether it is a stream of one disk.
fn is_of_disk(one: &Evidence) -> bool {
    one.tool == "hdparm" && one.title == "disk reads" && one.load.target.starts_with("/dev/sd")
}

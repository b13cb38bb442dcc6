//! A rate that all disks of the paste together do not give.

use super::Said;
use crate::evidence::{Data, Direction, Evidence};
use crate::finding::{Certainty, Effect};
use crate::mentions::Mention;
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
    let near = all.iter().take(MOST);
    let disks = near.clone().filter(|other| is_of_disk(other));
    let best = disks.filter_map(Evidence::rate).reduce(f64::max)?;
    let drives = one.load.drives.max(1.0);
    let side = one.sides.iter().find(|side| {
        let rate = one.rate_of(side);
        rate.is_some_and(|rate| best <= DISK && rate > drives * best * ABOVE)
    })?;
    let rate = one.rate_of(side)?;
    // What is read was written before, by the same tool.
    let wrote = near
        .take(index)
        .rev()
        .find(|other| other.load.is_on(&one.load) && other.side(Direction::Write).is_some());
    let data = one.load.data.or_else(|| wrote?.load.data);
    let is_compressed = one.load.is_on_zfs && !one.load.mentions.contains(&Mention::Uncompressed);
    let who = match data {
        Some(Data::Zeros | Data::Compressible) if is_compressed => {
            "zeros that ZFS compresses, or a cache,"
        }
        _ => "a cache, or data that is not on the disks,",
    };
    let disks = match drives as u64 {
        1 => "the disk".to_owned(),
        many => format!("the {many} disks"),
    };
    let headline = format!(
        "{who} gave {} MB/s: {disks} of the paste give {} MB/s at most.",
        megabytes(rate),
        megabytes(drives * best)
    );
    let mut letters = headline.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    let headline: String = first.into_iter().chain(letters).collect();
    Some(
        Said::new(Certainty::Suspected, Effect::Elsewhere, headline)
            .because(format!(
                "hdparm reads {} MB/s from a disk of the paste, and the text names {drives} of \
                 them at most.",
                megabytes(best)
            ))
            .remedy(
                "Write random data of more than the memory, and read it after the file system was \
                 unmounted.",
            )
            .by(&["command", "rate"]),
    )
}

/// Whether it is a stream of one disk.
fn is_of_disk(one: &Evidence) -> bool {
    one.tool == "hdparm" && one.title == "disk reads" && one.load.target.starts_with("/dev/sd")
}

//! Requests of one device that are merged in one table of a paste, and no longer in another.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, megabytes, percent, size};

/// Share of requests that are merged, and that are not.
const MERGED: f64 = 0.5;
const SINGLE: f64 = 0.05;

/// Factor between the sizes of requests.
const SMALLER: f64 = 4.0;

/// Results of a paste that are compared.
const MOST: usize = 256;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    let before = all.iter().take(index.min(MOST)).rev();
    let mut before = before.filter(|other| other.table != one.table && other.title == one.title);
    let other = before.next()?;
    [Direction::Read, Direction::Write]
        .into_iter()
        .find_map(|direction| {
            let (large, merged) = of(other, direction)?;
            let (small, single) = of(one, direction)?;
            let rates = [other, one].map(|one| one.side(direction).and_then(|side| side.rate));
            let [Some(before), Some(now)] = rates else {
                return None;
            };
            let is_split = merged >= MERGED && single <= SINGLE && large >= small * SMALLER;
            (is_split && now < before).then(|| {
            let noun = direction.noun();
            let headline = format!(
                "The {noun} of {} are no longer merged: their size falls from {} to {}, and the \
                 rate from {} to {} MB/s.",
                one.title,
                size(large as u64),
                size(small as u64),
                megabytes(before),
                megabytes(now)
            );
            Said::new(Certainty::Suspected, Effect::Limit, headline)
                .because(format!(
                    "Before, {} of the {noun} were merged into others, and now {} are: {} a second \
                     reach the device one by one. Merging happens above the device, so the device \
                     is not the cause.",
                    percent(merged * 100.0),
                    percent(single * 100.0),
                    iops(now / small)
                ))
                .remedy(
                    "Look for what changed above the device: the number of members, plugging, the \
                     scheduler, read-ahead, or the size that the application requests.",
                )
                .by(&["rate"])
        })
        })
}

/// The mean size of a request that reaches the device, and the share that was merged into others.
fn of(one: &Evidence, direction: Direction) -> Option<(f64, f64)> {
    let side = one.side(direction).filter(|_| one.is_watched())?;
    let rate = side.iops.filter(|rate| *rate >= 1.0)?;
    let disk = one.disks.first()?;
    let merged = match direction {
        Direction::Read => disk.merged.0,
        _ => disk.merged.1,
    };
    Some((side.rate? / rate, merged / (merged + rate)))
}

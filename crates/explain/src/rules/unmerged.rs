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

/// Factors between two tables of one load: the sizes of requests before they are merged, and their
/// numbers a second; and how far the share of reads may be apart.
const SIZES: f64 = 1.5;
const NUMBERS: f64 = 4.0;
const SHARE: f64 = 0.1;

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
            (is_split && now < before && is_alike(other, one, direction)).then(|| {
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

/// Whether two tables may be of one load, by the requests before they are merged.
fn is_alike(before: &Evidence, now: &Evidence, direction: Direction) -> bool {
    let within = |a: f64, b: f64, factor: f64| a.max(b) <= a.min(b) * factor;
    let asked = |one: &Evidence, direction| {
        let merged = one.disks.first().map_or(0.0, |disk| match direction {
            Direction::Read => disk.merged.0,
            _ => disk.merged.1,
        });
        let side = one.side(direction)?;
        Some((merged + side.iops?, side.rate?))
    };
    let pair = asked(before, direction).zip(asked(now, direction));
    let is_one = pair.is_some_and(|((many, bytes), (few, rest))| {
        within(many, few, NUMBERS) && within(bytes / many, rest / few, SIZES)
    });
    let reads = |one: &Evidence| {
        let [reads, writes] = [Direction::Read, Direction::Write]
            .map(|direction| asked(one, direction).map_or(0.0, |(number, _)| number));
        reads / (reads + writes)
    };
    is_one && (reads(before) - reads(now)).abs() <= SHARE
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

//! Writes that become several requests on the members of a RAID.

use super::{Said, slow_disk};
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};
use fathom_core::figure::{count, outstanding};

/// Writes from which a share means something, and the largest that is not split.
const LEAST: f64 = 1000.0;
const LARGEST: f64 = 65_536.0;

/// Reads of members for each write, where hardly anything was read of the array.
const READS: f64 = 0.5;
const HARDLY: f64 = 0.05;

/// Members from which they are those of one array, how far the reads of each may be from the mean,
/// and the share of bytes that is read with the writes. More is read by somebody.
const MEMBERS: usize = 3;
const ALIKE: f64 = 1.3;
const SHARE: std::ops::RangeInclusive<f64> = 0.01..=0.1;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    counted(one).or_else(|| watched(all, index))
}

/// Members that were watched, which all read a little of what they write.
fn watched(all: &[Evidence], index: usize) -> Option<Said> {
    let one = &all[index];
    let layers = one.load.layers.iter().filter_map(|index| layer(*index));
    let is_parity = layers.into_iter().any(|(_, kind)| kind == Kind::Parity);
    let (read, written) = bytes(one).filter(|_| is_parity && slow_disk::is_physical(one))?;
    let mut members = 1;
    for (own, of) in slow_disk::near(all, index).filter_map(bytes) {
        // Another load has its reads on other members.
        let is_alike =
            own.max(read) <= own.min(read) * ALIKE && of.max(written) <= of.min(written) * ALIKE;
        is_alike.then_some(())?;
        members += 1;
    }
    let share = read / written;
    (members >= MEMBERS && SHARE.contains(&share)).then(|| {
        let headline = format!(
            "If these are the members of the RAID with parity that the text names, they read back \
             what is missing of a stripe: {:.0} % of the bytes written.",
            share * 100.0
        );
        Said::new(Certainty::Suspected, Effect::Reading, headline)
            .because(
                "All members read and write alike, and the text names a RAID with parity. Writes \
                 that fill no whole stripe need data or parity of it. Some percent are normal for \
                 a stream. Reads of the application look the same.",
            )
            .remedy(
                "Align the writes and make them as large as a stripe (chunk size x data disks) to \
                 have fewer of them.",
            )
            .by(&["rate"])
    })
}

/// Bytes read and written, where there are both.
fn bytes(one: &Evidence) -> Option<(f64, f64)> {
    let of = |direction| one.side(direction)?.rate;
    of(Direction::Read)
        .zip(of(Direction::Write))
        .filter(|_| one.is_watched())
}

/// Counters of an array and its members.
fn counted(evidence: &Evidence) -> Option<Said> {
    let array = evidence.disks.iter().find(|disk| disk.is_stacked)?;
    let writes = array.requests.1;
    let is_raid = array.name.starts_with("md") && array.requests.0 < writes * HARDLY;
    let is_small = evidence.load.block.is_some_and(|block| block <= LARGEST);
    if !is_raid || !is_small || writes < LEAST {
        return None;
    }
    let members = evidence.disks.iter().filter(|disk| !disk.is_stacked);
    let (reads, written) = members.fold((0.0, 0.0), |sum, disk| {
        (sum.0 + disk.requests.0, sum.1 + disk.requests.1)
    });
    (reads >= writes * READS).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!(
                "Each write became {} requests on the disks of the array: it reads data or parity \
                first.",
                outstanding((reads + written) / writes)
            ),
        )
        .because(format!(
            "{} received {} writes and hardly any reads; its members served {} reads and {} \
                writes. RAID 5 and 6 read before each write that fills no stripe. \
                A resync, or other load on the same disks, looks the same.",
            array.name,
            count(writes as u64),
            count(reads as u64),
            count(written as u64)
        ))
        .remedy(
            "Write whole stripes (block size = chunk size x data disks), or use RAID 10 for small \
            writes.",
        )
        .by(&["disks"])
    })
}

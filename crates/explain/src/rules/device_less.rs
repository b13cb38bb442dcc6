//! The device served far fewer requests than were issued.

use super::Said;
use crate::decide::Change;
use crate::evidence::{Direction, Evidence, Side};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{count, percent};

/// Share of the requests below which somebody else answered. fio reads the counters a little before
/// and after the run, and small files are flushed later.
const SHARE: f64 = 0.5;

/// Requests from which a share means something.
const LEAST: f64 = 1000.0;

/// Reads and writes that the devices served, with their names; none without counters.
pub(super) fn served(evidence: &Evidence) -> Option<(f64, f64, Vec<&str>)> {
    let disks = evidence
        .disks
        .iter()
        .filter(|disk| !disk.is_stacked || evidence.disks.len() == 1);
    let (mut reads, mut writes, mut named) = (0.0, 0.0, Vec::new());
    for disk in disks {
        reads += disk.requests.0 + disk.merged.0;
        writes += disk.requests.1 + disk.merged.1;
        named.push(disk.name.as_str());
    }
    (!named.is_empty()).then_some((reads, writes, named))
}

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (reads, writes, named) = served(evidence)?;
    let is_split = evidence.load.block.is_some_and(|block| block > 131_072.0);
    for side in &evidence.sides {
        let issued = side.requests.filter(|requests| *requests >= LEAST)?;
        let served = if side.direction == Direction::Write {
            writes
        } else {
            reads
        };
        // Large sequential requests of the page cache become fewer and larger ones.
        let is_merged = evidence.load.direct != Some(true)
            && evidence.load.random != Some(true)
            && evidence.load.block.is_none_or(|block| block < 131_072.0);
        if is_split && served > 0.0
            || is_merged && served > issued * share_of_merged(evidence)
            || served >= issued * SHARE
        {
            continue;
        }
        return Some(said(evidence, side, served, &named));
    }
    None
}

/// The least share of requests that reaches the device where all are merged into the largest ones
/// that it takes, and half of that.
fn share_of_merged(evidence: &Evidence) -> f64 {
    const LARGEST: f64 = 1_310_720.0;
    let block = evidence.load.block;
    block.map_or(0.01, |block| (block / LARGEST / 2.0).min(0.01))
}

fn said(evidence: &Evidence, side: &Side, served: f64, named: &[&str]) -> Said {
    let issued = side.requests.unwrap_or(0.0);
    let noun = side.direction.noun();
    let direct = evidence.load.direct == Some(true);
    let missing = percent(100.0 * (1.0 - served / issued));
    let (headline, remedy) = match (side.direction, direct) {
        (Direction::Write, true) => (
            format!("The device did not receive {missing} of the writes."),
            "Look between the file and the device: a stacked device whose counters are not \
                listed, or a file system that caches despite direct I/O (ZFS, overlay).",
        ),
        (Direction::Write, false) => (
            format!("Memory took {missing} of the writes, the disk only the rest."),
            "Use direct I/O, or flush the data before the time ends (end_fsync).",
        ),
        (_, true) => (
            format!(
                "The device did not serve {missing} of the reads: they read blocks that were \
                    never written, or a cache below the file."
            ),
            "Write the whole file before reading it (sparse and preallocated blocks are answered \
                with zeros).",
        ),
        (_, false) if evidence.load.direct.is_none() => (
            format!(
                "The device did not serve {missing} of the reads: a cache, or blocks that were \
                    never written, answered them."
            ),
            "Write the whole file before reading it, and use direct I/O.",
        ),
        (_, false) => (
            format!(
                "This measured memory, not the disk: the page cache answered {missing} of the \
                    reads."
            ),
            "Use direct I/O, or a file larger than memory.",
        ),
    };
    let change = if direct {
        Change::Written
    } else {
        Change::Direct
    };
    Said::new(Certainty::Shown, Effect::Elsewhere, headline)
        .because(format!(
            "{} {noun} were issued, and {} served {}.",
            count(issued as u64),
            named.join(" and "),
            count(served as u64)
        ))
        .remedy(remedy)
        .by(&["disks", "rate"])
        .decide(evidence, &[change])
}

//! Reads that the cache of ZFS may answer.

use super::{Said, memory};
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

/// Bytes that the cache of a usual machine holds.
const FITS: f64 = 32e9;

/// A read of a hard disk or a busy pool takes longer than this; the cache does not.
const SLOW_NS: f64 = 300e3;

/// Tools that measure files.
const TOOLS: [&str; 6] = [
    "crystaldiskmark",
    "dd",
    "diskspd",
    "fio",
    "kdiskmark",
    "sysbench",
];

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let side = evidence
        .sides
        .iter()
        .find(|side| side.direction == Direction::Read)?;
    let is_disk = load.target.starts_with("/dev/") && !load.target.starts_with("/dev/z");
    let is_asked = load.is_on_zfs && TOOLS.contains(&evidence.tool) && !is_disk;
    if !is_asked || load.direct == Some(false) || memory::look(evidence).is_some() {
        return None;
    }
    let area = load.size.or(side.bytes).filter(|area| *area > 0.0);
    let each = evidence.total_depth().zip(evidence.iops_of(side));
    let is_slow = each.is_some_and(|(depth, rate)| depth / rate * 1e9 > SLOW_NS);
    if area.is_some_and(|area| area > FITS) || is_slow {
        return None;
    }
    let words = area.map_or_else(String::new, |area| format!(" of {}", size(area as u64)));
    Some(
        Said::new(
            Certainty::Suspected,
            Effect::Elsewhere,
            "The cache of ZFS in memory may have answered the reads, direct I/O or not.",
        )
        .because(format!(
            "The paste names ZFS. Its cache (ARC) takes up to half of the memory or more, and \
             OpenZFS before 2.3 accepts O_DIRECT without obeying it. A file{words} that was just \
             written is in it."
        ))
        .remedy("Use a file of twice the memory, or a dataset with primarycache=metadata.")
        .by(&["rate", "command"]),
    )
}

//! Random reads at the pace of a hard disk.

use super::{Said, memory};
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, size};

/// The largest request whose time is no transfer.
const LARGEST: f64 = 65_536.0;

/// Requests a second of one hard disk: the least, the most one at a time, and with a queue.
const SEEKS: (f64, f64, f64) = (40.0, 260.0, 450.0);

/// Rate and depth, where each request is a random read.
pub(super) fn reads(evidence: &Evidence, largest: f64) -> Option<(f64, f64)> {
    let load = &evidence.load;
    let [side] = evidence.sides.as_slice() else {
        return None;
    };
    let is_small = load.block.is_some_and(|block| block <= largest);
    let is_random = load.random == Some(true) || evidence.tool == "ioping";
    let is_read = side.direction == Direction::Read && is_random && !load.is_limited;
    (is_read && is_small && memory::look(evidence).is_none()).then_some(())?;
    Some((evidence.iops_of(side)?, evidence.total_depth()?))
}

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (rate, depth) = reads(evidence, LARGEST)?;
    let most = if depth > 1.0 { SEEKS.2 } else { SEEKS.1 };
    // The rate of ioping includes its pauses.
    let is_pace = evidence.tool != "ioping" && (SEEKS.0..=most).contains(&rate);
    is_pace.then(|| {
        let block = size(evidence.load.block.unwrap_or(0.0) as u64);
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            format!(
                "{} random reads of {block} a second are what the seeks of one hard disk allow.",
                iops(rate)
            ),
        )
        .because(
            "A hard disk moves its head and waits for the platter: 75 to 250 requests a second \
             one at a time, up to twice that with a queue. The MB/s follow from the block size.",
        )
        .remedy("Add disks or use flash for random requests; a disk is for streams.")
        .by(&["rate"])
    })
}

//! More outstanding reads that gave no more of them.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::{Direction, Evidence};
use crate::finding::whole;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::iops;

/// Factor between two depths, and between the rates at them that is nothing.
const DEEPER: f64 = 8.0;
const NO_MORE: f64 = 1.3;

/// Results of a paste that are compared.
const MOST: usize = 32;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let deep = all.get(index).filter(|_| index < MOST)?;
    let (depth, rate) = random_reads(deep)?;
    let found = all.iter().take(MOST).find_map(|other| {
        let (least, one) = random_reads(other)?;
        let is_like = other.tool == deep.tool
            && other.load.block == deep.load.block
            && other.load.is_on(&deep.load);
        (is_like && depth >= least * DEEPER && rate < one * NO_MORE).then_some((least, one))
    });
    let (least, one) = found?;
    Some(
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!(
                "More depth gave no more: {} random reads a second at depth {}, {} at depth {}.",
                iops(rate),
                whole(depth),
                iops(one),
                whole(least)
            ),
        )
        .because(
            "A drive serves several reads at once. Either the depth does not reach it (IDE mode, \
             USB without UASP, a layer that passes one request at a time), or a limit of rate \
             holds both.",
        )
        .remedy("Check AHCI or NVMe mode, NCQ (queue_depth in /sys), UASP, and the path between.")
        .by(&["rate"])
        .decide(deep, &[Change::Direct]),
    )
}

/// Depth and rate of reads alone, at random and past the page cache.
fn random_reads(one: &Evidence) -> Option<(f64, f64)> {
    let [side] = one.sides.as_slice() else {
        return None;
    };
    let load = &one.load;
    let is_read = side.direction == Direction::Read && load.random == Some(true);
    let is_sound = load.direct != Some(false) && !load.is_limited;
    if !is_read || !is_sound || memory::look(one).is_some() {
        return None;
    }
    Some((one.total_depth()?, one.iops_of(side)?))
}

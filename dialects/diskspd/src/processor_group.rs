//! Groups of processors, as Windows has them: here they are cut by number, 64 each.

use fathom_core::result::ProcessorUse;
use std::collections::BTreeSet;

/// Processors in a group.
pub(super) const GROUP: u32 = 64;

/// The number of the core of each processor within its group, without gaps.
pub(super) fn cores(all: &[ProcessorUse]) -> Vec<u32> {
    let group = |one: &ProcessorUse| one.number / GROUP;
    let cores: BTreeSet<(u32, u32)> = all.iter().map(|one| (group(one), one.core)).collect();
    let number = |one: &ProcessorUse| cores.range((group(one), 0)..(group(one), one.core)).count();
    all.iter().map(|one| number(one) as u32).collect()
}

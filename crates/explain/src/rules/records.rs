//! Requests that are smaller than the records of their file system.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

/// ZFS's default, and the largest request that costs much more than itself.
const RECORD: f64 = 131_072.0;
const LARGEST: f64 = 32_768.0;

/// Tools that measure files; others count what a pool does.
const TOOLS: [&str; 5] = ["crystaldiskmark", "diskspd", "fio", "kdiskmark", "sysbench"];

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let block = load.block.filter(|block| *block <= LARGEST)?;
    let is_volume = load.target.starts_with("/dev/");
    if !load.is_on_zfs || is_volume || load.random != Some(true) || !TOOLS.contains(&evidence.tool)
    {
        return None;
    }
    let headline = format!(
        "ZFS moves whole records: a random request of {} may cost one of {}.",
        size(block as u64),
        size(RECORD as u64)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "A small write reads its record, changes it and writes it anew, and a small read \
                 outside the cache reads all of it. The paste names ZFS, but not the recordsize \
                 (128 KiB by default).",
            )
            .remedy(
                "Compare `zfs get recordsize` with the request, and measure on a dataset whose \
                 records have its size.",
            )
            .by(&["command"])
            .decide(evidence, &[Change::Block(RECORD)]),
    )
}

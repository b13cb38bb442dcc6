//! A pool or volume that is nearly full.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{percent, size};

/// Percentage in use from which writes become slow, the same where hardly anything is left, and
/// what that is.
const FULL: f64 = 95.0;
const NEARLY: f64 = 90.0;
const LITTLE: f64 = 5e9;

/// Bytes written for each that is read, from which a load writes.
const WRITES: f64 = 0.1;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (used, free) = evidence.space?;
    let share = used / (used + free) * 100.0;
    let is_full = share >= FULL || share >= NEARLY && free <= LITTLE;
    let writes = evidence.side(Direction::Write).filter(|_| is_full)?;
    // A pool has both columns always, and hardly any writes at times.
    let reads = evidence.side(Direction::Read).and_then(|side| side.rate);
    let least = reads.unwrap_or(0.0) * WRITES;
    writes.rate.filter(|rate| *rate > 0.0 && *rate >= least)?;
    let name = match evidence.tool {
        "zpool" => evidence.title.as_str(),
        _ => "The volume",
    };
    let headline = format!(
        "{name} is {} full ({} free), which probably slows its writes.",
        percent(share),
        size(free as u64)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "A file system that copies on write looks long for free space, writes in small \
                 pieces and writes more than was asked. Flash without free blocks moves data.",
            )
            .remedy("Free a tenth of it or more, and measure again with a smaller file.")
            .by(&["rate"]),
    )
}

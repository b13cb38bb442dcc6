//! Buffered writes that wait, as if there were no page cache.

use super::Said;
use crate::decide::Change;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{size, time};

/// The largest write that a page cache takes in a few microseconds.
const LARGEST: f64 = 65_536.0;

/// From here a write went farther than into memory.
const FAR_NS: f64 = 50_000.0;

/// The kernel may delay more than this until the disk has some of it.
const MOST_BYTES: f64 = (1u64 << 30) as f64;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let write = evidence.side(Direction::Write)?;
    let block = load.block.filter(|block| *block <= LARGEST)?;
    let is_flushed = load.flush_every.is_some() || evidence.flush.is_some();
    let is_alone = evidence.total_depth() == Some(1.0) && !load.is_limited;
    let is_little = write.bytes.is_some_and(|bytes| bytes <= MOST_BYTES);
    if load.direct != Some(false) || is_flushed || !is_alone || !is_little {
        return None;
    }
    // A flush at the end belongs to the time as well.
    let each = 1e9 / evidence.iops_of(write)?;
    (each >= FAR_NS && load.flush_at_end != Some(true)).then(|| {
        let headline = format!(
            "Each write of {} took {}: it went farther than into the page cache.",
            size(block as u64),
            time(each)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "A page cache takes such a write in a few microseconds. This path hands each one \
                 on. It may be a folder that a guest or container shares with its host, a network \
                 or FUSE file system, or a mount with `sync`.",
            )
            .remedy(
                "Use larger blocks, which need fewer round trips, and run the same on a local \
                 file system.",
            )
            .by(&["command", "rate"])
            .decide(evidence, &[Change::Block(1_048_576.0)])
    })
}

//! Single writes that take far longer than single reads.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::time;

/// The largest request whose time is latency and not transfer.
const LARGEST: f64 = 16_384.0;

/// A write found no cache from this time on, and from this multiple of a read.
const SLOW_NS: f64 = 2e6;
const FACTOR: f64 = 8.0;

/// Results of a paste that are compared.
const MOST: usize = 64;

pub(super) fn look(all: &[Evidence], index: usize) -> Option<Said> {
    let one = all.get(index).filter(|_| index < MOST)?;
    let write = single(one, Direction::Write)?;
    let is_flushed = one.load.flush_every.is_some() || one.flush.is_some();
    let others = all.iter().take(MOST);
    let like = |other: &&Evidence| other.tool == one.tool && other.load.block == one.load.block;
    let mut reads = others
        .filter(like)
        .filter_map(|other| single(other, Direction::Read));
    let read = reads.next_back().filter(|read| write >= read * FACTOR)?;
    (!is_flushed && write >= SLOW_NS).then(|| {
        let headline = format!(
            "A single write takes {}, and a single read {}: no cache takes the writes.",
            time(write),
            time(read)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Each write waits until the storage has it. It may be flushed (write-through, or a \
                 write cache that is off), or go to other hosts first. An SSD may still be busy \
                 with earlier writes.",
            )
            .remedy(
                "Look at the write cache (hdparm -W, smartctl, the cache mode of the virtual \
                 disk), and repeat it after an idle hour.",
            )
            .by(&["latency", "rate"])
    })
}

/// Time of a request where one is outstanding and all go in this direction.
fn single(one: &Evidence, direction: Direction) -> Option<f64> {
    let [side] = one.sides.as_slice() else {
        return None;
    };
    let is_single = one.total_depth() == Some(1.0) && side.direction == direction;
    let is_small = one.load.block.is_some_and(|block| block <= LARGEST);
    if !is_single || !is_small || one.load.is_limited {
        return None;
    }
    let mean = side.latency.as_ref().and_then(|latency| latency.mean);
    mean.or_else(|| Some(1e9 / one.iops_of(side)?))
}

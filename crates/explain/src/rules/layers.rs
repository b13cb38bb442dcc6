//! What the paste names between the load and the disk.

use super::Said;
use crate::evidence::{Direction, Evidence, Side};
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};

/// A request or a stream that is slow for any drive of today: nanoseconds, and bytes per second.
const SLOW_NS: f64 = 500e3;
const SLOW_RATE: f64 = 200e6;

/// Requests in flight whose wait is hardly the queue's, and a rate that is slow with more.
const FEW: f64 = 4.0;
const SLOW_IOPS: f64 = 20e3;

/// The smallest request of a stream.
const STREAM: f64 = 65_536.0;

/// Layers that are named.
const NAMED: usize = 3;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let found: Vec<_> = load
        .layers
        .iter()
        .filter_map(|index| layer(*index))
        // The card itself is below everything.
        .filter(|(_, kind)| *kind != Kind::Bridge || !load.target.contains("/dev/mmcblk"))
        .collect();
    let (first, kind) = *found.first()?;
    if evidence.is_watched() || evidence.title == "cached reads" {
        return None;
    }
    let mut names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    names.dedup();
    names.truncate(NAMED);
    let effect = if is_slow(evidence) && !load.is_limited {
        Effect::Limit
    } else {
        Effect::Reading
    };
    let names = names.join(", ");
    let writes = |side: &Side| side.direction != Direction::Read;
    let headline = if kind == Kind::Parity && evidence.sides.iter().any(writes) {
        format!(
            "The paste names {names}: if this load lies on it, a write that fills no whole stripe \
             reads data and parity first."
        )
    } else {
        format!(
            "The paste names {names}: if it lies between this load and the disk, the number is of \
             all of it."
        )
    };
    Some(
        Said::new(Certainty::Suspected, effect, headline)
            .because(format!("With {first}: {}", kind.effect()))
            .remedy("Run the same load on the storage below, and add one layer after the other.")
            .by(&["command", "rate"]),
    )
}

/// Whether a request at a time, or a stream, is slower than a local drive of today.
fn is_slow(evidence: &Evidence) -> bool {
    let load = &evidence.load;
    let each = evidence.total_depth().zip(evidence.iops());
    let is_late = each.is_some_and(|(depth, rate)| {
        depth / rate * 1e9 >= SLOW_NS && (depth <= FEW || rate < SLOW_IOPS)
    });
    let is_stream = load.block.is_some_and(|block| block >= STREAM);
    let rate = evidence.rate().filter(|_| is_stream);
    is_late && !is_stream || rate.is_some_and(|rate| rate < SLOW_RATE)
}

//! What a result is of, in words.

use crate::evidence::{Direction, Evidence};
use crate::finding::whole;
use fathom_core::figure;

/// What a result is of, in one sentence without its full stop.
pub(crate) fn measured(evidence: &Evidence) -> String {
    let load = &evidence.load;
    let mut parts = Vec::new();
    for side in &evidence.sides {
        let mut text = String::new();
        let rate = evidence
            .rate_of(side)
            .map(|rate| format!("{} MB/s", figure::megabytes(rate)));
        match (evidence.iops_of(side), rate) {
            (Some(iops), Some(rate)) => {
                text += &format!(
                    "{} {} a second ({rate})",
                    figure::iops(iops),
                    side.direction.noun()
                );
            }
            (Some(iops), None) => {
                text += &format!("{} {} a second", figure::iops(iops), side.direction.noun());
            }
            (None, Some(rate)) => text += &format!("{} of {rate}", side.direction.noun()),
            (None, None) => text += side.direction.noun(),
        }
        if let Some(mean) = side.latency.as_ref().and_then(|latency| latency.mean) {
            text += &format!(", mean latency {}", figure::time(mean));
        }
        if !text.is_empty() {
            parts.push(text);
        }
    }
    if let Some(mean) = evidence.flush.as_ref().and_then(|flush| flush.mean) {
        parts.push(format!("flushes of {}", figure::time(mean)));
    } else if let Some(count) = evidence.flush.as_ref().and_then(|flush| flush.samples) {
        parts.push(format!("flushes: {}", figure::count(count as u64)));
    }
    let mut text = parts.join("; ");
    let mut with = Vec::new();
    if let Some(block) = load.block {
        let order = match load.random {
            Some(true) => "random ",
            Some(false) => "sequential ",
            None => "",
        };
        with.push(format!("{order}{}", figure::size(block as u64)));
    }
    if let Some(depth) = evidence.total_depth() {
        with.push(format!("depth {}", whole(depth)));
    }
    match load.direct {
        Some(true) => with.push("direct I/O".to_owned()),
        Some(false) => with.push("through the page cache".to_owned()),
        None => {}
    }
    if !with.is_empty() {
        if !text.is_empty() {
            text += ": ";
        }
        text += &with.join(", ");
    }
    if evidence
        .sides
        .iter()
        .all(|side| side.direction == Direction::Both)
        && !evidence.sides.is_empty()
    {
        text += ", reads and writes not separated";
    }
    if evidence.others.count > 0 {
        text += &format!(", the busiest of {} reports", evidence.others.count + 1);
    }
    text
}

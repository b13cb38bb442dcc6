//! Writes that end before the data is on the device.

use super::{Said, device_less, far_writes, memory, source};
use crate::decide::Change;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{megabytes, size};

/// The kernel starts to hold writers back at a fifth of the memory; this much fits in that of most
/// servers.
const SMALL: f64 = 8e9;

/// A rate that no drive of a usual machine writes.
const FAST: f64 = 7.5e9;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let side = evidence.side(Direction::Write);
    let will_write =
        !evidence.is_measured() && load.read_percent.is_some_and(|share| share < 100.0);
    if side.is_none() && !will_write {
        return None;
    }
    let is_flushed =
        load.flush_every.is_some() || load.flush_at_end == Some(true) || evidence.flush.is_some();
    // Half of the requests reached the device, or another rule says that they did not.
    let reached = device_less::served(evidence).zip(side.and_then(|side| side.requests));
    let is_seen = reached.is_some_and(|((_, writes, _), issued)| writes >= issued * 0.5);
    let rules = [
        device_less::look,
        memory::look,
        far_writes::look,
        source::look,
    ];
    let is_said = rules.iter().any(|look| look(evidence).is_some());
    if load.direct != Some(false) || is_flushed || is_seen || is_said {
        return None;
    }
    let rate = side.and_then(|side| evidence.rate_of(side));
    let bytes = side.and_then(|side| side.bytes).or(load.size);
    let words = bytes.map_or_else(String::new, |bytes| format!("{} ", size(bytes as u64)));
    let (certainty, headline) = match (rate, bytes) {
        (Some(rate), _) if rate > FAST => (
            Certainty::Shown,
            format!(
                "This measured memory, not the disk: {} MB/s went into the page \
                cache.",
                megabytes(rate)
            ),
        ),
        _ if side.is_none() => (
            Certainty::Suspected,
            "This would measure memory, at least in part: nothing flushes the writes before the \
             clock stops."
                .to_owned(),
        ),
        (_, Some(bytes)) if bytes <= SMALL => (
            Certainty::Suspected,
            "This is the speed of memory, at least in part: the clock stopped before the data \
                was on the disk."
                .to_owned(),
        ),
        _ => (
            Certainty::CannotTell,
            "The output cannot tell how much of the data was on the disk when the clock \
                stopped."
                .to_owned(),
        ),
    };
    Some(
        Said::new(certainty, Effect::Elsewhere, headline)
            .because(format!(
                "The writes {}go to the page cache: no direct I/O and no flush. The kernel writes \
                    them to the device later.",
                if words.is_empty() {
                    String::new()
                } else {
                    format!("({}) ", words.trim_end())
                }
            ))
            .remedy("Flush before the time ends, or use direct I/O.")
            .by(&["command", "rate"])
            .decide(evidence, &[Change::FlushAtEnd]),
    )
}

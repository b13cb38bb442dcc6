//! The device served more than was issued.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::count;

/// Requests of the device for each that was issued, from which others use it.
const TIMES: f64 = 1.5;

/// Larger requests are split by the kernel.
const LARGEST: f64 = 65_536.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.load.block.is_none_or(|block| block > LARGEST) {
        return None;
    }
    let issued: f64 = evidence.sides.iter().filter_map(|side| side.requests).sum();
    let flushes = evidence
        .flush
        .as_ref()
        .and_then(|flush| flush.samples)
        .unwrap_or(0.0);
    let is_flushed =
        flushes > 0.0 || evidence.flush.is_some() || evidence.load.flush_every.is_some();
    let disk = match evidence.disks.as_slice() {
        [one] => one,
        [stacked, ..] if stacked.is_stacked => stacked,
        _ => return None,
    };
    let served = disk.requests.0 + disk.requests.1;
    // The journal of the file system adds requests to flushed writes.
    if issued < 1000.0 || is_flushed || served < issued * TIMES {
        return None;
    }
    Some(
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            "Others used the device, or the file system added requests.",
        )
        .because(format!(
            "{} served {} requests, and {} were issued. Other programs, read-ahead, \
                copy-on-write or metadata caused the rest.",
            disk.name,
            count(served as u64),
            count(issued as u64)
        ))
        .remedy("Measure on an idle device, and watch it meanwhile: `fathom watch`.")
        .by(&["disks"]),
    )
}

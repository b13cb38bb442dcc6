//! Reads through the page cache of a file that may be in memory.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{size, time};

/// A share of requests at the speed of memory that is no accident.
const SHARE: f64 = 1.0;

/// Seconds for each request in which memory answers many.
const SLOW_S: f64 = 1e-3;

/// Bytes that the memory of a usual machine holds.
const SMALL: f64 = 16e9;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let side = evidence
        .sides
        .iter()
        .find(|side| side.direction != Direction::Write)?;
    let has_counters = side.requests.is_some() && !evidence.disks.is_empty();
    // A copy whose writes are durable one by one waits for those.
    let is_durable = side.direction == Direction::Both && load.flush_every == Some(1.0);
    if has_counters || is_durable || memory::look(evidence).is_some() {
        return None;
    }
    let remedy = "Use direct I/O, or a file of twice the memory.";
    if let Some(share) = memory::fast_share(side).filter(|share| *share >= SHARE)
        && load.direct != Some(true)
    {
        let words = memory::share_words(share, load.block);
        let said = Said::new(
            Certainty::Shown,
            Effect::Elsewhere,
            format!("A cache in memory answered at least {words}, not the disk."),
        );
        let limit = side
            .latency
            .as_ref()
            .and_then(|latency| latency.at(share))
            .unwrap_or(0.0);
        return Some(
            said.because(format!(
                "The p{share} latency is {}, which no device reaches. The mean mixes memory and \
                    disk.",
                time(limit)
            ))
            .remedy(remedy)
            .by(&["latency"])
            .decide(evidence, &[Change::Direct]),
        );
    }
    if load.direct != Some(false) || matches!(evidence.tool, "ioping" | "hdparm") {
        return None;
    }
    let area = load.size.or(side.bytes).filter(|size| *size > 0.0);
    let area_words = area.map_or_else(String::new, |area| format!(" of {}", size(area as u64)));
    // Memory answers within microseconds.
    let depth = evidence.total_depth().zip(evidence.iops());
    let is_slow = depth.is_some_and(|(depth, rate)| depth / rate > SLOW_S);
    let certainty = match area {
        Some(area) if area <= SMALL && !is_slow => Certainty::Suspected,
        _ => Certainty::CannotTell,
    };
    let headline = if certainty == Certainty::Suspected {
        "The page cache may have answered part of the reads: the file fits in the memory of most \
            machines."
    } else {
        "The output cannot tell how many reads the page cache answered."
    };
    Some(
        Said::new(certainty, Effect::Elsewhere, headline)
            .because(format!(
                "Reads of a file{area_words} went through the page cache (no direct I/O). The \
                    output does not show the size of memory or what it held."
            ))
            .remedy(remedy)
            .by(&["command"])
            .decide(evidence, &[Change::Direct]),
    )
}

//! Reads through the page cache of a file that may be in memory.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::{Direction, Evidence, Side};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{percent, size, time};

/// A share of requests at the speed of memory that is no accident.
const SHARE: f64 = 1.0;

/// Seconds for each request in which memory answers many.
const SLOW_S: f64 = 1e-3;

/// Bytes that the memory of a usual machine holds.
const SMALL: f64 = 16e9;

/// The share of requests, the most time of each, and the factor to the next percentile, by which
/// memory answered them.
const HALF: f64 = 50.0;
const QUICK_NS: f64 = 15e3;
const FAR: f64 = 100.0;

const REMEDY: &str = "Use direct I/O, or a file of twice the memory.";

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    if let Some(said) = kept(evidence) {
        return Some(said);
    }
    let side = evidence
        .sides
        .iter()
        .find(|side| side.direction != Direction::Write);
    let will_read = !evidence.is_measured() && load.read_percent.is_some_and(|share| share > 0.0);
    if side.is_none() && !will_read {
        return None;
    }
    let has_counters =
        side.is_some_and(|side| side.requests.is_some()) && !evidence.disks.is_empty();
    // A copy whose writes are durable one by one waits for those.
    let is_both = side.is_some_and(|side| side.direction == Direction::Both);
    let is_durable = is_both && load.flush_every == Some(1.0);
    if has_counters || is_durable || memory::look(evidence).is_some() {
        return None;
    }
    let by_latency = side.and_then(|side| fast(evidence, side).or_else(|| mixed(evidence, side)));
    if by_latency.is_some() {
        return by_latency;
    }
    let again = side.is_some_and(|side| reads_again(evidence, side));
    let is_empty = load.is_cache_dropped && !again;
    let is_cached = load.direct == Some(false) || again;
    if !is_cached || is_empty || matches!(evidence.tool, "ioping" | "hdparm") {
        return None;
    }
    let area = load
        .size
        .or(side.and_then(|side| side.bytes))
        .filter(|size| *size > 0.0);
    let area_words = area.map_or_else(String::new, |area| format!(" of {}", size(area as u64)));
    // Memory answers within microseconds.
    let depth = evidence.total_depth().zip(evidence.iops());
    let is_slow = depth.is_some_and(|(depth, rate)| depth / rate > SLOW_S);
    let certainty = match area {
        Some(area) if area <= SMALL && !is_slow && !again => Certainty::Suspected,
        _ => Certainty::CannotTell,
    };
    let headline = if certainty == Certainty::Suspected {
        "The page cache may answer part of the reads: the file fits in the memory of most machines."
    } else {
        "The output cannot tell how many reads the page cache answered."
    };
    Some(
        Said::new(certainty, Effect::Elsewhere, headline)
            .because(format!(
                "Reads of a file{area_words} {}. The output does not show the size of memory or \
                    what it held.",
                if again {
                    "were repeated, and direct I/O is not shown"
                } else {
                    "go through the page cache (no direct I/O)"
                }
            ))
            .remedy(REMEDY)
            .by(&["command"])
            .decide(evidence, &[Change::Direct]),
    )
}

/// Requests through the page cache, a share of which is as fast as memory.
fn fast(evidence: &Evidence, side: &Side) -> Option<Said> {
    let load = &evidence.load;
    let share = memory::fast_share(side).filter(|share| *share >= SHARE)?;
    if load.direct == Some(true) {
        return None;
    }
    let words = memory::share_words(share, load.block);
    let said = Said::new(
        Certainty::Shown,
        Effect::Elsewhere,
        format!("A cache in memory answered at least {words}, not the disk."),
    );
    let latency = side.latency.as_ref();
    let limit = latency.and_then(|latency| latency.at(share)).unwrap_or(0.0);
    Some(
        said.because(format!(
            "The p{share} latency is {}, which no device reaches. The mean mixes memory and disk.",
            time(limit)
        ))
        .remedy(REMEDY)
        .by(&["latency"])
        .decide(evidence, &[Change::Direct]),
    )
}

/// Requests through the page cache of which most are quick, and the others far slower.
fn mixed(evidence: &Evidence, side: &Side) -> Option<Said> {
    let load = &evidence.load;
    let percentiles = &side.latency.as_ref()?.percentiles;
    let mut pairs = percentiles.windows(2).map(|pair| (pair[0], pair[1]));
    let (quick, slow) = pairs.find(|(quick, slow)| {
        let is_memory = quick.0 >= HALF && quick.1 > 0.0 && quick.1 <= QUICK_NS;
        is_memory && slow.0 < 100.0 && slow.1 >= quick.1 * FAR
    })?;
    if load.direct == Some(true) {
        return None;
    }
    let headline = format!(
        "Memory answered about {} of the {} within {}, and each of the others took {} or more.",
        percent(quick.0),
        side.direction.noun(),
        time(quick.1),
        time(slow.1)
    );
    let because = if load.random == Some(false) {
        "Reads in order come from memory until a record of the file system or a piece of \
         read-ahead ends. The next read waits for a whole one to be fetched, decrypted or \
         decompressed, and the rate is that of these pieces."
    } else {
        "The mean mixes memory and disk, and is the latency of almost no request."
    };
    Some(
        Said::new(Certainty::Shown, Effect::Elsewhere, headline)
            .because(because)
            .remedy(REMEDY)
            .by(&["latency"])
            .decide(evidence, &[Change::Direct]),
    )
}

/// A tool that says that it could not empty the cache before.
fn kept(evidence: &Evidence) -> Option<Said> {
    let is_kept = evidence.seen.contains_key("cache_kept") && evidence.load.direct != Some(true);
    is_kept.then(|| {
        let headline = "The page cache may have answered: the tool could not empty it before.";
        Said::new(Certainty::Suspected, Effect::Elsewhere, headline)
            .because(
                "What was in memory before the run is read from there. The tool says that the \
                 kernel refused to drop it.",
            )
            .remedy("Use direct I/O, or the rights of the owner of the device.")
            .by(&["cache_kept"])
            .decide(evidence, &[Change::Direct])
    })
}

/// Whether a small file was read several times, and nothing shows that it was by direct I/O.
fn reads_again(evidence: &Evidence, side: &Side) -> bool {
    let load = &evidence.load;
    let area = load.size.filter(|area| *area > 0.0 && *area <= SMALL);
    let times = side.bytes.zip(area).map(|(bytes, area)| bytes / area);
    load.direct.is_none() && times.is_some_and(|times| times >= 2.0)
}

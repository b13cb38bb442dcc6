//! The requested queue depth was not reached.

use super::{Said, link, submission};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{count, iops, outstanding, percent, time};

/// Engines of fio that make one request at a time, whatever the depth.
const SYNCHRONOUS: [&str; 7] = [
    "sync", "psync", "vsync", "pvsync", "pvsync2", "mmap", "splice",
];

/// Percentage of requests at the requested level or above that is enough.
const REACHED: f64 = 20.0;

/// Share of the requested depth below which it was not reached.
const SHARE: f64 = 0.5;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let depth = load.depth.filter(|depth| *depth > 1.0)?;
    let asked = count(depth as u64);
    if evidence.tool == "fio" && SYNCHRONOUS.contains(&load.engine.as_str()) {
        // A full link has no more for more depth.
        let effect = if link::is_full(evidence) {
            Effect::Reading
        } else {
            Effect::OtherLoad
        };
        return Some(
            Said::new(
                Certainty::Shown,
                effect,
                format!(
                    "The queue depth was 1, not {asked}: the engine {} makes one request at \
                    a time.",
                    load.engine
                ),
            )
            .because(format!(
                "The engine {} is synchronous, and iodepth={asked} has no effect on \
                it.",
                load.engine
            ))
            .remedy("Use ioengine=libaio or io_uring with direct=1, or more jobs.")
            .by(&["depths", "command"])
            .decide(evidence, &[Change::Asynchronous]),
        );
    }
    if load.is_limited || submission::look(evidence).is_some() {
        return None;
    }
    let is_libaio =
        evidence.tool == "fio" && load.engine == "libaio" || evidence.tool == "elbencho";
    if is_libaio && load.direct == Some(false) {
        return Some(
            Said::new(
                Certainty::Shown,
                Effect::OtherLoad,
                format!(
                    "The queue depth was about 1, not {asked}: without direct I/O, libaio waits \
                    within each submission."
                ),
            )
            .because(format!(
                "The engine is libaio without direct I/O: iodepth={asked} has hardly any effect."
            ))
            .remedy("Use direct I/O, or io_uring for asynchronous buffered I/O.")
            .by(&["command", "depths"])
            .decide(evidence, &[Change::Direct]),
        );
    }
    by_levels(evidence, depth, &asked).or_else(|| by_littles_law(evidence, &asked))
}

fn by_levels(evidence: &Evidence, depth: f64, asked: &str) -> Option<Said> {
    // Levels are powers of two: requests at or above the one that the depth lies in.
    let level = evidence
        .depths
        .iter()
        .map(|(level, _)| *level)
        .filter(|level| *level <= depth)
        .reduce(f64::max)?;
    let reached: f64 = evidence
        .depths
        .iter()
        .filter(|(at, _)| *at >= level / 2.0)
        .map(|(_, share)| share)
        .sum();
    if reached >= REACHED {
        return None;
    }
    let (most, share) = evidence
        .depths
        .iter()
        .copied()
        .max_by(|a, b| a.1.total_cmp(&b.1))?;
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            format!(
                "The queue depth was about {}, not {asked}.",
                outstanding(most)
            ),
        )
        .because(format!(
            "{} of the requests were submitted at a depth of {most}, and {} at {} or more.",
            percent(share),
            percent(reached),
            level / 2.0
        ))
        .remedy("Use an asynchronous engine with direct I/O on a file that is written already.")
        .by(&["depths"])
        .decide(evidence, &[Change::Asynchronous]),
    )
}

/// Requests in flight are rate times latency.
fn by_littles_law(evidence: &Evidence, asked: &str) -> Option<Said> {
    let total = evidence.total_depth()?;
    // Where the number of jobs is not known, the depth may be that of one of several.
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    let held = rate * mean / 1e9;
    let is_flushed = evidence.flush.is_some() || evidence.load.flush_every.is_some();
    let is_busy = evidence
        .cpu
        .is_some_and(|(user, system)| user + system > 60.0);
    // With less than one in flight the time went elsewhere than into requests.
    if held < 0.5
        || held >= total * SHARE
        || is_flushed
        || is_busy
        || evidence.seconds().is_some_and(|seconds| seconds < 1.0)
    {
        return None;
    }
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            format!(
                "Only {} requests were in flight on average, not {asked} per \
                job.",
                outstanding(held)
            ),
        )
        .because(format!(
            "{} requests a second at {} are {} in flight (Little's law); {} were requested.",
            iops(rate),
            time(mean),
            outstanding(held),
            outstanding(total)
        ))
        .remedy(
            "Check that the engine is asynchronous, that direct I/O is on, and that the file \
            is not extended by the writes.",
        )
        .by(&["latency", "rate"])
        .decide(evidence, &[Change::Asynchronous]),
    )
}

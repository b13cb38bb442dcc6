//! A rate that is one over the latency.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};
use crate::utilisation::FILLED;
use fathom_core::figure::{iops, outstanding, time};

/// Larger requests are limited by the throughput as well.
const LARGEST: f64 = 65_536.0;

/// Tools whose purpose it is.
const MEANT: [&str; 5] = [
    "crystaldiskmark",
    "ioping",
    "kdiskmark",
    "pg_test_fsync",
    "pveperf",
];

/// A device that was watched: share of reads or writes, those in flight and the time of each, for
/// which one at a time is the reason.
const MOST: f64 = 0.8;
const LONE: std::ops::Range<f64> = 0.5..2.0;
const QUICK_NS: f64 = 2e6;

/// The largest request whose time is latency and not transfer.
const SEEK: f64 = 32_768.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.is_watched() {
        return watched(evidence);
    }
    let load = &evidence.load;
    let is_one = evidence.total_depth() == Some(1.0) && load.jobs.is_some();
    let is_small = load.block.is_some_and(|block| block <= LARGEST);
    let is_flushed = load.flush_every.is_some() || evidence.flush.is_some();
    let is_meant = MEANT.contains(&evidence.tool) || load.is_limited;
    if !is_one || !is_small || is_flushed || is_meant || memory::look(evidence).is_some() {
        return None;
    }
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    (0.7..=1.3).contains(&(rate * mean / 1e9)).then(|| {
        let headline = format!(
            "One request at a time: {} requests a second are the latency of {}.",
            iops(rate),
            time(mean)
        );
        Said::new(Certainty::Shown, Effect::Reading, headline)
            .because(
                "The next request waits for the one before it. The rate is one over the latency, \
                 and the device may serve many more at once.",
            )
            .remedy("Measure with more outstanding requests for the rate that the device can give.")
            .by(&["latency", "rate"])
            .decide(evidence, &[Change::Depth(32.0)])
    })
}

/// Requests one at a time, which the device could serve many of.
fn watched(evidence: &Evidence) -> Option<Said> {
    let (name, _) = evidence.busiest().filter(|(_, util)| *util >= FILLED)?;
    let all = evidence.iops()?;
    let mut sides = evidence.sides.iter();
    let side = sides.find(|side| side.iops.is_some_and(|rate| rate >= all * MOST))?;
    let (rate, mean) = (evidence.iops_of(side)?, side.latency.as_ref()?.mean?);
    let held = rate * mean / 1e9;
    // A stream that fills a disk has one large request in flight, too.
    let is_small = evidence.rate_of(side)? / rate <= SEEK;
    let (one, noun, advice) = match side.direction {
        Direction::Write => ("write", "writes", "Write"),
        _ => ("read", "reads", "Read"),
    };
    // A flush between two writes is part of the pace, and not counted here.
    let is_flushed = side.direction == Direction::Write && evidence.flushes.is_some();
    (is_small && !is_flushed && LONE.contains(&held) && mean < QUICK_NS).then(|| {
        let headline = format!(
            "Hardly more than one {one} is in flight on {name}, so the latency of {} sets the \
             rate.",
            time(mean)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(format!(
                "{} {noun} a second at {} are {} in flight (Little's law). The busy time says only \
                 that there was one.",
                iops(rate),
                time(mean),
                outstanding(held)
            ))
            .remedy(format!(
                "A higher limit of IOPS changes nothing here. {advice} in parallel, or use a \
                 device with a shorter latency."
            ))
            .by(&["rate"])
    })
}

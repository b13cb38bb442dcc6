//! Flushes take most of the time.

use super::Said;
use crate::evidence::{Direction, Evidence, Latency};
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, percent, time};

/// Share of the time from which flushes decide the rate.
const SHARE: f64 = 0.5;

/// The p99 of flushes that etcd asks for at most, in buckets of powers of two.
const SLOW_NS: f64 = 16e6;

/// Flushes for each write from which they set the pace, and the share of the time that they fill.
const OFTEN: f64 = 0.3;
const FILLED: f64 = 0.3;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.sides.is_empty() {
        return alone(evidence);
    }
    if let Some(flushes) = evidence.flushes {
        return counted(evidence, flushes);
    }
    let every = evidence.load.flush_every;
    let write = evidence.side(Direction::Write);
    let write = write.or_else(|| evidence.side(Direction::Both))?;
    let rate = evidence.iops_of(write)?;
    if let Some(mean) = evidence.flush.as_ref().and_then(|flush| flush.mean) {
        let jobs = evidence.load.jobs.unwrap_or(1.0);
        let share = rate / every? * mean / 1e9 / jobs;
        if share < SHARE {
            return None;
        }
        let p99 = evidence.flush.as_ref().and_then(|flush| flush.at(99.0));
        let p99 = p99.map_or_else(String::new, |p99| format!(", p99 {}", time(p99)));
        let writes = write.latency.as_ref().and_then(|latency| latency.mean);
        let writes = writes.map_or_else(String::new, |mean| {
            format!(" A write itself takes {}.", time(mean))
        });
        return Some(
            Said::new(
                Certainty::Shown,
                Effect::Limit,
                format!(
                    "The flush is the limit: {} writes a second, each waiting {} to be \
                    durable.",
                    iops(rate),
                    time(mean)
                ),
            )
            .because(format!(
                "Flushes take {} on average{p99}, and {} of the time.{writes} The latency of a \
                    commit is that of write and flush together.",
                time(mean),
                percent((share * 100.0).min(100.0))
            ))
            .remedy(
                "Compare flushes with drives that have power-loss protection; more writes \
                per flush raise the rate.",
            )
            .by(&["flush", "rate"]),
        );
    }
    // Synchronous writes without a latency of their own: the rate is that of flushes.
    let jobs = evidence.load.jobs.unwrap_or(1.0);
    let alone = every == Some(1.0) && evidence.total_depth() == Some(jobs);
    (alone && ["dd", "fio"].contains(&evidence.tool)).then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Limit,
            format!(
                "This is the latency of a durable write: {} each.",
                time(1e9 * jobs / rate)
            ),
        )
        .because(format!(
            "Each of the writes waits until it is durable, and {} of them end a second.",
            iops(rate)
        ))
        .remedy("Read it as latency; the MB/s follow from the block size.")
        .by(&["command", "rate"])
    })
}

/// Flushes without writes.
fn alone(evidence: &Evidence) -> Option<Said> {
    let flush = evidence.flush.as_ref()?;
    let headline = match flush.max {
        Some(longest) => format!("A flush took {}.", time(longest)),
        None => slow_percentile(flush)?,
    };
    Some(
        Said::new(Certainty::Shown, Effect::Limit, headline)
            .because(
                "Whoever makes data durable waited that long. Either each flush of this storage \
                 is slow, or something else kept it busy then. etcd asks for a p99 of 10 ms.",
            )
            .remedy("Measure flushes while nothing else runs, then look for neighbours.")
            .by(&["flush"]),
    )
}

/// Flushes that are counted, and not only timed.
fn counted(evidence: &Evidence, flushes: f64) -> Option<Said> {
    let writes = evidence.side(Direction::Write);
    let writes = writes.and_then(|side| evidence.iops_of(side))?;
    let mean = evidence.flush.as_ref().and_then(|flush| flush.mean);
    // Where their time is known, it fills a good part of each second.
    let fills = mean.map_or(!evidence.is_watched(), |mean| {
        flushes * mean / 1e9 >= FILLED
    });
    if flushes < writes * OFTEN || !fills {
        return None;
    }
    let each = mean.map_or_else(String::new, |mean| {
        format!(", and each takes {}", time(mean))
    });
    let headline = format!(
        "Flushes set the pace, it seems: {} a second for {} writes{each}.",
        iops(flushes),
        iops(writes)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Each flush waits until the device has made its data durable, and a device counts \
                 it as a request of its own.",
            )
            .remedy(
                "Count the flushes that the application needs, and compare with drives that have \
                 power-loss protection.",
            )
            .by(&["flush", "rate"]),
    )
}

/// The p99 in words, where it is above what etcd asks for.
fn slow_percentile(flush: &Latency) -> Option<String> {
    let ranks = flush.percentiles.iter().copied();
    let (_, p99) = ranks.clone().find(|(rank, _)| *rank >= 99.0)?;
    let quick = ranks.filter(|(_, time)| *time <= SLOW_NS);
    let quick = quick.map(|(rank, _)| rank).fold(0.0, f64::max);
    (quick < 99.0).then(|| {
        format!(
            "Only {} of the flushes take {} or less: the p99 is up to {}.",
            percent(quick),
            time(SLOW_NS),
            time(p99)
        )
    })
}

//! A latency that is the queue's.

use super::{Said, busy};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::whole;
use crate::finding::{Certainty, Effect};
use crate::utilisation::BUSY;
use fathom_core::figure::{iops, outstanding, time};

/// Requests in flight from which the wait for others is most of a latency on common devices.
const DEEP: f64 = 8.0;

/// Requests in flight from which a latency is the queue's on nearly every device.
const VERY_DEEP: f64 = 64.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.is_watched() {
        return watched(evidence);
    }
    let depth = evidence.total_depth().filter(|depth| *depth >= DEEP)?;
    if !evidence.is_measured() {
        return planned(evidence, depth);
    }
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    let held = rate * mean / 1e9;
    let explained = (0.7..=1.3).contains(&(held / depth));
    (explained && !is_of_stalls(evidence)).then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            format!(
                "{} requests a second with {} outstanding: the latency of {} is mostly the wait \
                 in the queue.",
                iops(rate),
                whole(depth),
                time(mean)
            ),
        )
        .because(format!(
            "{} outstanding / {} requests a second = {} (Little's law). More depth at the same \
                rate gives more latency.",
            whole(depth),
            iops(rate),
            time(depth / rate * 1e9)
        ))
        .remedy(
            "Measure at depth 1 for the latency of the device, and at the depth of the \
            application for its latency.",
        )
        .by(&["latency", "rate"])
        .decide(evidence, &[Change::Depth(1.0), Change::OneJob])
    })
}

/// Whether a few requests make the mean: half of them wait far less than it.
fn is_of_stalls(evidence: &Evidence) -> bool {
    let mut all = evidence
        .sides
        .iter()
        .filter_map(|side| side.latency.as_ref());
    all.any(|latency| {
        let pair = latency.at(50.0).zip(latency.mean);
        pair.is_some_and(|(median, mean)| median * 2.0 < mean)
    })
}

/// What a load without a result will show.
fn planned(evidence: &Evidence, depth: f64) -> Option<Said> {
    (depth >= VERY_DEEP && !evidence.load.is_limited).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            "The latency of this load will be mostly the wait in the queue.",
        )
        .because(format!(
            "It keeps {} requests outstanding. At R requests a second, each takes {0} / R seconds \
                (Little's law).",
            whole(depth)
        ))
        .remedy("Use depth 1 and one job for the latency, and this load for the maximum rate.")
        .by(&["command"])
        .decide(evidence, &[Change::Depth(1.0), Change::OneJob])
    })
}

/// A device that was watched while others kept a queue before it.
fn watched(evidence: &Evidence) -> Option<Said> {
    evidence.busiest().filter(|(_, util)| *util >= BUSY)?;
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    let held = evidence.in_flight()?;
    (held >= DEEP && mean < busy::LONG_NS).then(|| {
        let headline = format!(
            "The wait of {} is mostly the queue: {} requests are outstanding.",
            time(mean),
            outstanding(held)
        );
        Said::new(Certainty::Shown, Effect::Reading, headline)
            .because(format!(
                "{} requests a second at {} are {} in flight (Little's law). A shorter queue at \
                 the same rate means a shorter wait.",
                iops(rate),
                time(mean),
                outstanding(held)
            ))
            .remedy("Lower the number of requests that are outstanding, or the load.")
            .by(&["rate"])
    })
}

//! A latency that is the queue's.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::whole;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, time};

/// Requests in flight from which the wait for others is most of a latency on common devices.
const DEEP: f64 = 8.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let depth = evidence.total_depth().filter(|depth| *depth >= DEEP)?;
    let (rate, mean) = (evidence.iops()?, evidence.mean_latency()?);
    let held = rate * mean / 1e9;
    let explained = (0.7..=1.3).contains(&(held / depth));
    explained.then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            format!(
                "The latency of {} follows from the depth: it is mostly the wait in the \
                queue.",
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

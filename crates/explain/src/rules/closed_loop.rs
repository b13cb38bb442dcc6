//! Stalls that a closed loop hides.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};
use fathom_core::figure::time;

/// Longest latency that is a stall, and how much longer than p99 it is.
const STALL_NS: f64 = 1e9;
const TIMES: f64 = 20.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    evidence.sides.iter().find_map(|side| {
        let latency = side.latency.as_ref()?;
        let (max, p99) = (latency.max?, latency.at(99.0)?);
        if max < STALL_NS || max < p99 * TIMES {
            return None;
        }
        let layers = evidence.load.layers.iter();
        let mut caches = layers.filter_map(|index| layer(*index));
        let cache = caches.find(|(_, kind)| *kind == Kind::Cache);
        let suspect = cache.map_or_else(String::new, |(name, _)| {
            format!(" The paste names {name}, whose writer in the background is the first suspect.")
        });
        Some(
            Said::new(
                Certainty::Shown,
                Effect::Limit,
                format!(
                    "At least one of the {} stalled for {}, and percentiles hide how many \
                    would have waited.{suspect}",
                    side.direction.noun(),
                    time(max)
                ),
            )
            .because(format!(
                "The maximum is {} and p99 is {}. While a request hangs, a closed loop sends no \
                    others, so each stall counts once.",
                time(max),
                time(p99)
            ))
            .remedy(
                "Measure with a fixed arrival rate (rate_iops with rate_process=poisson in \
                fio, --rate in fathom), and look at the device log at that time.",
            )
            .by(&["latency"]),
        )
    })
}

//! Percentiles that rest on few requests.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::count;

/// Requests beyond a percentile that it needs to mean something.
const BEYOND: f64 = 10.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    evidence.sides.iter().find_map(|side| {
        let latency = side.latency.as_ref()?;
        let samples = latency.samples.or(side.requests)?;
        let is_weak = |at: &f64| *at < 100.0 && samples * (1.0 - at / 100.0) < BEYOND;
        let weak = latency
            .percentiles
            .iter()
            .map(|(at, _)| *at)
            .find(is_weak)?;
        Some(
            Said::new(
                Certainty::Shown,
                Effect::Reading,
                format!("The percentiles from p{weak} on rest on fewer than {BEYOND} requests."),
            )
            .because(format!(
                "There were {} {}; fewer than {BEYOND} of them are beyond p{weak}.",
                count(samples as u64),
                side.direction.noun()
            ))
            .remedy("Do not compare those percentiles, or measure longer.")
            .by(&["latency"])
            .decide(evidence, &[Change::Longer]),
        )
    })
}

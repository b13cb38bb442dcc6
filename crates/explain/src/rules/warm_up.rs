//! A slow start that is part of the mean.

use super::{Said, burst};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{duration, significant};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (step, rates) = evidence.series.as_ref()?;
    let (at, before, after) = burst::levels(rates)?;
    if before > after * burst::FALL || at * 2 > rates.len() {
        return None;
    }
    let when = duration((at as f64 * step * 1e9) as u64);
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            format!("The mean includes a slow start of {when}."),
        )
        .because(format!(
            "The median is {} in the first {when}, and {} after it.",
            significant(before),
            significant(after)
        ))
        .remedy("Exclude the start: ramp_time in fio, -W in DISKSPD, --warm-up in fathom.")
        .by(&["series"])
        .decide(evidence, &[Change::Longer]),
    )
}

//! A rate that falls to a lower level, as when credit runs out.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{duration, significant};

/// Samples on each side of the fall.
const LEAST: usize = 5;

/// The lower level over the higher one.
pub(super) const FALL: f64 = 0.75;

/// Spread of a level around its median that is one level.
const LEVEL: f64 = 0.25;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (step, rates) = evidence.series.as_ref()?;
    let (at, before, after) = levels(rates)?;
    if after > before * FALL {
        return None;
    }
    let when = duration((at as f64 * step * 1e9) as u64);
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Limit,
            format!(
                "The rate fell to {} % after {when} and stayed there: the first part is a \
                burst or a cache, the second is what lasts.",
                significant(100.0 * after / before)
            ),
        )
        .because(format!(
            "The median is {} before {when}, and {} after \
            it.",
            significant(before),
            significant(after)
        ))
        .remedy(
            "Report the second level. Burst credit, an SLC cache or a write-back cache ran \
            out.",
        )
        .by(&["series"]),
    )
}

/// The index that parts two levels, and their medians.
pub(super) fn levels(rates: &[f64]) -> Option<(usize, f64, f64)> {
    if rates.len() < 2 * LEAST {
        return None;
    }
    let at = split(rates)?;
    let (before, after) = (median(&rates[..at]), median(&rates[at..]));
    let is_level = |part: &[f64], middle: f64| {
        let near = |rate: &&f64| (**rate / middle - 1.0).abs() <= LEVEL;
        middle > 0.0 && part.iter().filter(near).count() * 5 >= part.len() * 4
    };
    let are_levels = is_level(&rates[..at], before) && is_level(&rates[at..], after);
    are_levels.then_some((at, before, after))
}

/// Where two means explain the rates best, by the squares; linear in the number of rates.
fn split(rates: &[f64]) -> Option<usize> {
    let all: f64 = rates.iter().sum();
    let mut sum = 0.0;
    let mut best = (0.0, None);
    for (index, rate) in rates.iter().enumerate() {
        sum += rate;
        let (left, right) = (index + 1, rates.len() - index - 1);
        if left < LEAST || right < LEAST {
            continue;
        }
        let gain = sum * sum / left as f64 + (all - sum) * (all - sum) / right as f64;
        if gain > best.0 {
            best = (gain, Some(left));
        }
    }
    best.1
}

fn median(rates: &[f64]) -> f64 {
    let mut sorted = rates.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

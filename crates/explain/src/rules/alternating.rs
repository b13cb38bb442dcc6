//! A rate that changes strongly from interval to interval.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::percent;

/// Least over mean of interval rates from which it is uneven, and deviation over mean.
const LEAST: f64 = 0.2;
const DEVIATION: f64 = 0.4;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let found = evidence.sides.iter().find_map(|side| {
        let [min, max, mean, deviation] = side.samples?;
        let is_uneven = mean > 0.0 && min < mean * LEAST && deviation > mean * DEVIATION;
        is_uneven.then_some((min / mean, max / mean, deviation / mean))
    });
    let (min, max, deviation) =
        found.filter(|_| evidence.seconds().is_some_and(|seconds| seconds >= 5.0))?;
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Limit,
            "The rate was uneven: the mean mixes fast and slow phases, and is neither.",
        )
        .because(format!(
            "In intervals the rate lay between {} and {} of its mean, with a deviation of {}.",
            percent(min * 100.0),
            percent(max * 100.0),
            percent(deviation * 100.0)
        ))
        .remedy(
            "Record the rate over time and look for a cache that fills, credit that runs \
            out, or other users of the device.",
        )
        .by(&["rate"]),
    )
}

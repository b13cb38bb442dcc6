//! Two groups of latencies behind one mean.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{percent, time};

/// Ratio of neighbouring percentiles that is a gap between two groups.
const GAP: f64 = 8.0;

/// The same where the slow group is of a few percent.
const WIDE: f64 = 100.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    evidence.sides.iter().find_map(|side| {
        let latency = side.latency.as_ref()?;
        let inner = |at: f64| (5.0..=99.0).contains(&at);
        let pairs = latency.percentiles.windows(2);
        let gap = pairs
            .filter(|pair| inner(pair[0].0) && inner(pair[1].0) && pair[0].1 > 0.0)
            .map(|pair| (pair[0], pair[1], pair[1].1 / pair[0].1))
            .filter(|(_, above, ratio)| *ratio >= if above.0 > 95.0 { WIDE } else { GAP })
            .max_by(|a, b| a.2.total_cmp(&b.2))?;
        let (below, above, ratio) = gap;
        let mean = latency.mean.map_or_else(String::new, |mean| {
            format!(
                " The mean of {} is the latency of almost no request.",
                time(mean)
            )
        });
        Some(
            Said::new(
                Certainty::Shown,
                Effect::Limit,
                format!(
                    "Two kinds of answers are behind one mean: about {} of the {} took {} or \
                        less, the others {} or more.",
                    percent(below.0),
                    side.direction.noun(),
                    time(below.1),
                    time(above.1)
                ),
            )
            .because(format!(
                "The latency rises {ratio:.0}-fold between p{} and p{}.{mean} A cache in the \
                    path that answers part of the requests looks like this.",
                below.0, above.0
            ))
            .remedy(
                "Report percentiles instead of the mean, and find out what answers the fast \
                part: a cache, or an area that was never written.",
            )
            .by(&["latency"]),
        )
    })
}

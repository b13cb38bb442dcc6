//! A rate that the tool limits.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    evidence.load.is_limited.then(|| {
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            "The tool limited the rate: it is what was asked for, not what the storage can do.",
        )
        .because(
            "The load has a rate limit or a think time. The latency at this rate is the result.",
        )
        .remedy("Remove the limit to find the maximum.")
        .by(&["command"])
    })
}

//! Latencies that were not recorded.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let none = evidence.sides.iter().all(|side| side.latency.is_none());
    let is_expected = matches!(evidence.format, "fio-text" | "fio-json" | "diskspd-text");
    if !(none && is_expected) || evidence.is_cut || evidence.sides.is_empty() {
        return None;
    }
    let cause = if evidence.load.no_latency {
        "gtod_reduce or disable_lat switched the latencies off."
    } else if evidence.tool == "diskspd" {
        "DISKSPD measures latencies only with -L."
    } else if evidence.load.is_complete {
        "The lines with the latencies are not in the paste."
    } else {
        "The output has no latencies: they were left out, or gtod_reduce=1 switched them off."
    };
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            "The output has no latencies, so it cannot tell how long requests took.",
        )
        .because(cause)
        .remedy("Measure again with latencies: they show whether a cache answered.")
        .by(&["command"])
        .decide(evidence, &[Change::Latency]),
    )
}

//! Requests that failed.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    (evidence.errors > 0.0).then(|| {
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            "The run failed: its numbers are of the part before the error.",
        )
        .because(format!("The output reports error {:.0}.", evidence.errors))
        .remedy("Mend the cause of the error and measure again.")
        .by(&["errors"])
    })
}

//! Warnings that the tool itself gave.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let first = evidence.warnings.first()?;
    let headline = format!("The tool itself warns: {}.", first.trim_end_matches('.'));
    Some(
        Said::new(Certainty::Shown, Effect::OtherLoad, headline)
            .because(evidence.warnings.join("; "))
            .remedy("Remove the cause of the warning and measure again."),
    )
}

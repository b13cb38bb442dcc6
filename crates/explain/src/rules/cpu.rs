//! The processor was the limit.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::percent;

/// Percentage of a processor from which there is nothing left.
const FULL: f64 = 92.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (used, words) = match (evidence.cpu, evidence.cpu_all) {
        (Some((user, system)), _) => (
            user + system,
            format!(
                "Each job used {} of a processor ({} in user mode, {} in the kernel).",
                percent(user + system),
                percent(user),
                percent(system)
            ),
        ),
        (None, Some(all)) => (all, format!("The processors were {} busy.", percent(all))),
        _ => return None,
    };
    if used < FULL {
        return None;
    }
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Limit,
            "The processor was the limit, not the storage.",
        )
        .because(words)
        .remedy(
            "Use more jobs on more cores, larger batches, or larger requests. Memory and \
                page-cache copies cost processor time too.",
        )
        .by(&["cpu"])
        .decide(evidence, &[Change::Direct]),
    )
}

//! A disk that has requests and ends none.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::utilisation::ALWAYS;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (name, _) = evidence.busiest().filter(|(_, util)| *util >= ALWAYS)?;
    // Discards and flushes are requests too.
    let is_idle = evidence.sides.is_empty()
        && evidence.flushes.is_none()
        && evidence.all_iops.is_none_or(|rate| rate <= 0.0);
    let is_hung = evidence.is_watched() && is_idle;
    is_hung.then(|| {
        let headline = format!("{name} has a request all the time and ends none: requests hang.");
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "A busy disk ends requests. A device or path that does not answer, or a fault of \
                 the kernel that lost a request, looks like this.",
            )
            .remedy(
                "Look for processes in state D and their stacks (/proc/PID/stack), and for \
                 timeouts in the kernel log.",
            )
            .by(&["rate"])
    })
}

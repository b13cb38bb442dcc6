//! Requests that wait although the disk is idle most of the time.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{outstanding, time};

/// Percentage of time with a request of a disk with room, and requests and times that do not go
/// with it.
const ROOM: f64 = 60.0;
const MANY: f64 = 8.0;
const LONG_NS: f64 = 20e6;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (name, util) = evidence.busiest().filter(|(_, util)| *util < ROOM)?;
    let mean = evidence.mean_latency().filter(|mean| *mean >= LONG_NS)?;
    let held = evidence.in_flight().filter(|held| *held >= MANY)?;
    evidence.is_watched().then(|| {
        let headline = format!(
            "{name} had a request {util:.0} % of the time, and still {} of them waited {} each.",
            outstanding(held),
            time(mean)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because(
                "Either the load comes in bursts, which a mean over a long interval hides, or \
                 requests wait above the disk: in a scheduler, behind a limit, or in a hypervisor.",
            )
            .remedy(
                "Watch at 1 s (iostat -x 1) to see bursts, and compare with the scheduler (none) \
                 and without limits. The mean rate of the disk is not the bottleneck.",
            )
            .by(&["rate"])
    })
}

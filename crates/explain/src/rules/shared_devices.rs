//! Several jobs that use the same devices in turn.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect, whole};
use fathom_core::figure::count;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let names = evidence
        .option("filename")
        .filter(|_| evidence.tool == "fio")?;
    let devices = names.split(':').filter(|name| name.starts_with("/dev/"));
    let devices = devices.count();
    let jobs = evidence.load.jobs.filter(|jobs| *jobs > 1.0)?;
    (devices > 1).then(|| {
        let headline = format!(
            "All {} jobs use the same {} devices in turn, and each has one queue for all of them.",
            whole(jobs),
            count(devices as u64)
        );
        // With a result this is one usual way to load several devices.
        let effect = if evidence.is_measured() {
            Effect::Reading
        } else {
            Effect::Limit
        };
        Said::new(Certainty::Suspected, effect, headline)
            .because(
                "A list in filename gives each job all files. A slow one holds the queue up, and \
                 every processor handles every device.",
            )
            .remedy(
                "Give each device jobs of its own: a section for each with one filename, and \
                 cpus_allowed near the device.",
            )
            .by(&["command"])
    })
}

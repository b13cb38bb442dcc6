//! The processor was the limit.

use super::{Said, memory};
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{iops, percent};

/// Percentage of a processor from which there is nothing left.
const FULL: f64 = 92.0;

/// Percentage from which it takes most of the time of a request.
const MOSTLY: f64 = 75.0;

/// Requests a second that keep one core busy, by what io_uring and a fast drive reach.
const CORE: f64 = 450e3;

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
        _ => return one_core(evidence),
    };
    if used < MOSTLY || used < FULL && memory::look(evidence).is_some() {
        return None;
    }
    let (certainty, headline) = if used < FULL {
        (
            Certainty::Suspected,
            "The processor takes most of the time, not the storage.",
        )
    } else {
        (
            Certainty::Shown,
            "The processor was the limit, not the storage.",
        )
    };
    Some(
        Said::new(certainty, Effect::Limit, headline)
            .because(words)
            .remedy(
                "Use more jobs on more cores, larger batches, or larger requests. Memory and \
                page-cache copies cost processor time too.",
            )
            .by(&["cpu"])
            .decide(evidence, &[Change::Direct]),
    )
}

/// As many requests of one job as its core can make, where nothing says how busy it was.
fn one_core(evidence: &Evidence) -> Option<Said> {
    let jobs = evidence.load.jobs.filter(|jobs| *jobs > 0.0)?;
    let each = evidence.iops()? / jobs;
    let is_memory = memory::look(evidence).is_some();
    (each >= CORE && !is_memory).then(|| {
        let headline = format!(
            "{} requests a second of one job are about what its core can make.",
            iops(each)
        );
        Said::new(Certainty::Suspected, Effect::Limit, headline)
            .because("The kernel needs 1 to 2 µs of a core for each request, whatever the drive.")
            .remedy("Add jobs on other cores; polling and registered buffers make it cheaper.")
            .by(&["rate"])
    })
}

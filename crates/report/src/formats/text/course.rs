//! The course of a phase: whether it became steady, how long its bursts took.

use super::beside_bursts;
use crate::figure::{count, percent, plural, time};
use crate::page::Page;
use fathom_core::result::PhaseResult;

pub(super) fn write(page: &mut Page, phase: &PhaseResult) {
    if let Some(steady) = &phase.steady {
        let text = format!(
            "{} after {}: range {}, excursion of the best-fit line {} of the mean",
            if steady.reached {
                "reached"
            } else {
                "not reached"
            },
            plural(steady.rounds.len() as u64, "round"),
            percent(steady.range_percent),
            percent(steady.excursion_percent)
        );
        page.entry("steady", &text);
    }
    for job in &phase.jobs {
        let Some(bursts) = job.burst_ns.as_ref().filter(|bursts| bursts.count > 0) else {
            continue;
        };
        let text = format!(
            "{}{} bursts, mean {}, shortest {}, longest {}",
            super::job_prefix(phase, &job.name),
            count(bursts.count),
            time(bursts.mean),
            time(bursts.min as f64),
            time(bursts.max as f64)
        );
        page.entry("bursts", &text);
    }
    for sentence in beside_bursts::sentences(phase) {
        page.entry("bursts", &sentence);
    }
}

//! The course of a phase: whether it became steady, how long its bursts took.

use super::beside_bursts;
use crate::figure::{percent, plural, time};
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
        // Each thread has its part in each burst, with a length of its own.
        let threads = u64::from(job.threads).max(1);
        let within = match threads {
            1 => String::new(),
            threads => format!(" in {threads} threads each"),
        };
        let text = format!(
            "{}{}{within}, mean {}, shortest {}, longest {}",
            super::job_prefix(phase, &job.name),
            plural(bursts.count.div_ceil(threads), "burst"),
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

//! Submission that waits for the device.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{percent, time};

/// Share of the time of a job that submission takes, from which it waits.
const SHARE: f64 = 0.7;

/// Time of one submission that copying and queueing do not explain.
const WAIT_NS: f64 = 30_000.0;

/// Share of processor time that explains a submission by work.
const WORK: f64 = 70.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let depth = load.depth.filter(|depth| *depth > 1.0)?;
    let jobs = load.jobs?;
    let mut share = 0.0;
    let mut slowest: f64 = 0.0;
    for side in &evidence.sides {
        let mean = side.submission.as_ref()?.mean?;
        share += mean * evidence.iops_of(side)? / 1e9 / jobs;
        slowest = slowest.max(mean);
    }
    let works = evidence
        .cpu
        .is_some_and(|(user, system)| user + system > WORK);
    if share < SHARE || slowest < WAIT_NS || works {
        return None;
    }
    let direct = load.direct;
    let cause = if direct == Some(true) {
        "File systems wait in submission when a write extends the file or needs new blocks, and \
            every kernel does when the device queue is full."
    } else {
        "Without direct I/O, libaio and most others wait for the data within submission."
    };
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            format!(
                "The queue depth was about 1, not {depth:.0}: each submission waited for the \
                device."
            ),
        )
        .because(format!(
            "A submission took {} on average, which is {} of the time of a job. {cause}",
            time(slowest),
            percent((share * 100.0).min(100.0))
        ))
        .remedy(
            "Use direct=1 on a file that is written in full, and a depth below that of the \
            device queue.",
        )
        .by(&["latency", "depths"])
        .decide(evidence, &[Change::Direct, Change::Written]),
    )
}

//! Submission that waits for the device, so that the depth is one.

use crate::evidence::Evidence;

/// Share of the time of a job that submission takes, from which it waits.
const SHARE: f64 = 0.7;

/// Time of one submission that copying and queueing do not explain.
const WAIT_NS: f64 = 30_000.0;

/// Share of processor time that explains a submission by work.
const WORK: f64 = 70.0;

/// How submissions wait.
pub(crate) struct Waiting {
    /// Outstanding requests that each job should have.
    pub(crate) depth: f64,
    /// Share of the time of a job.
    pub(crate) share: f64,
    /// Mean of the slowest direction.
    pub(crate) slowest_ns: f64,
}

pub(crate) fn waiting(evidence: &Evidence) -> Option<Waiting> {
    let load = &evidence.load;
    let depth = load.depth.filter(|depth| *depth > 1.0)?;
    let jobs = load.jobs?;
    let mut share = 0.0;
    let mut slowest_ns: f64 = 0.0;
    for side in &evidence.sides {
        let mean = side.submission.as_ref()?.mean?;
        share += mean * evidence.iops_of(side)? / 1e9 / jobs;
        slowest_ns = slowest_ns.max(mean);
    }
    let works = evidence
        .cpu
        .is_some_and(|(user, system)| user + system > WORK);
    (share >= SHARE && slowest_ns >= WAIT_NS && !works).then_some(Waiting {
        depth,
        share,
        slowest_ns,
    })
}

//! Which jobs and operations have a line or a chart of their own.

use fathom_core::Op;
use fathom_core::result::{IntervalJob, IntervalOp, JobResult, LoadModel, PhaseResult};
use fathom_core::summary::LatencySummary;

/// One operation of one job, or of all jobs together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Stream {
    pub(crate) op: Op,
    /// Positions in the phase's `jobs`.
    pub(crate) jobs: Vec<u32>,
    /// In words; for one of many.
    pub(crate) label: String,
    /// Whether response times are shown: all its jobs are open loads.
    pub(crate) open: bool,
}

impl Stream {
    /// The entries of the stream in an interval.
    pub(crate) fn ops<'a>(
        &'a self,
        jobs: &'a [IntervalJob],
    ) -> impl Iterator<Item = &'a IntervalOp> {
        let own = jobs.iter().filter(|job| self.jobs.contains(&job.job));
        own.filter_map(|job| job.ops.get(self.op))
    }

    /// Which of the times the stream tells.
    pub(crate) fn summary<'a>(&self, op: &'a IntervalOp) -> &'a LatencySummary {
        match (&op.response_ns, self.open) {
            (Some(response), true) => response,
            _ => &op.service_ns,
        }
    }

    /// The word for the time that the stream tells.
    pub(crate) const fn time(&self) -> &'static str {
        if self.open { "response" } else { "service" }
    }
}

/// The streams of a phase: each job apart if that makes `most` streams or fewer, else each
/// operation over all jobs.
pub(crate) fn streams(phase: &PhaseResult, most: usize) -> Vec<Stream> {
    let apart = apart(phase);
    if apart.len() <= most {
        return apart;
    }
    together(phase)
}

/// Each operation over all jobs.
pub(crate) fn together(phase: &PhaseResult) -> Vec<Stream> {
    let stream = |op: Op| {
        let jobs = phase.jobs.iter().enumerate();
        let jobs: Vec<(usize, &JobResult)> =
            jobs.filter(|(_, job)| job.ops.get(op).is_some()).collect();
        let label = match jobs.as_slice() {
            [] => return None,
            [_] => op.name().to_owned(),
            jobs => format!("{} of {} jobs", op.name(), jobs.len()),
        };
        Some(Stream {
            op,
            label,
            open: jobs.iter().all(|(_, job)| is_open(job)),
            jobs: jobs.into_iter().map(|(index, _)| index as u32).collect(),
        })
    };
    Op::ALL.into_iter().filter_map(stream).collect()
}

fn apart(phase: &PhaseResult) -> Vec<Stream> {
    let several = phase.jobs.len() > 1;
    let mut streams = Vec::new();
    for (index, job) in phase.jobs.iter().enumerate() {
        for (op, _) in job.ops.present() {
            streams.push(Stream {
                op,
                jobs: vec![index as u32],
                label: if several {
                    format!("{}: {}", job.name, op.name())
                } else {
                    op.name().to_owned()
                },
                open: is_open(job),
            });
        }
    }
    streams
}

fn is_open(job: &JobResult) -> bool {
    job.load_model == LoadModel::Open
}

//! Where in a run a number stands: phase, job, operation.

use fathom_core::op::Op;
use fathom_core::result::{IntervalJob, JobResult, LoadModel, OpResult, PhaseResult, RunResult};
use serde::Serialize;

/// One operation of one job of one phase; runs are matched by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JobOp {
    /// Name of the phase.
    pub phase: String,
    /// Name of the job.
    pub job: String,
    /// Operation.
    pub op: Op,
}

impl std::fmt::Display for JobOp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{} {}", self.phase, self.job, self.op.name())
    }
}

/// All places of a run that have numbers, in its order.
pub(super) fn places(run: &RunResult) -> Vec<JobOp> {
    let mut places = Vec::new();
    for phase in &run.phases {
        for job in &phase.jobs {
            for (op, _) in job.ops.present() {
                let place = JobOp {
                    phase: phase.name.clone(),
                    job: job.name.clone(),
                    op,
                };
                if !places.contains(&place) {
                    places.push(place);
                }
            }
        }
    }
    places
}

impl JobOp {
    /// The phases and jobs here, one for each repeat.
    pub(super) fn jobs<'a>(
        &'a self,
        run: &'a RunResult,
    ) -> impl Iterator<Item = (&'a PhaseResult, usize, &'a JobResult)> {
        let phases = run.phases.iter().filter(|phase| phase.name == self.phase);
        phases.filter_map(|phase| {
            let index = phase.jobs.iter().position(|job| job.name == self.job)?;
            Some((phase, index, &phase.jobs[index]))
        })
    }

    /// What the operation did in each repeat, and the seconds that the job was at work.
    pub(super) fn ops<'a>(&'a self, run: &'a RunResult) -> (Vec<&'a OpResult>, f64) {
        let jobs = self
            .jobs(run)
            .filter(|(_, _, job)| job.ops.get(self.op).is_some());
        let (mut ops, mut active_ns) = (Vec::new(), 0);
        for (_, _, job) in jobs {
            ops.extend(job.ops.get(self.op));
            active_ns += job.active_ns;
        }
        (ops, active_ns as f64 / 1e9)
    }

    /// Whether requests arrive by the clock here, so that their rate is given.
    pub(super) fn is_open(&self, run: &RunResult) -> bool {
        self.jobs(run)
            .any(|(_, _, job)| job.load_model == LoadModel::Open)
    }

    /// The entry of the job at `index` in an interval.
    pub(super) fn entry(jobs: &[IntervalJob], index: usize) -> Option<&IntervalJob> {
        jobs.iter().find(|job| job.job as usize == index)
    }
}

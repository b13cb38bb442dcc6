//! Before a phase with jobs that check what another run has written: their requests are gone
//! through, to find out where it wrote, and none is made.

use crate::account;
use crate::error::RunError;
use crate::rereading::{reader, write_bytes};
use fathom_core::Nanos;
use fathom_core::PerOp;
use fathom_core::result::{PhaseResult, Unmade};
use fathom_core::spec::{Durability, Job, JobStop, Pacing, Phase, Verify};
use fathom_load::assembly::{JobTargets, PhasePlan};
use fathom_load::rereads::Rereads;
use fathom_load::verify::Written;
use std::sync::Arc;

/// The jobs of a phase that go through their requests, beside others that do nothing meanwhile.
pub(crate) struct Revisiting {
    phase: Phase,
    targets: Vec<JobTargets>,
}

/// What is read in the place of such jobs.
#[derive(Default)]
pub(crate) struct Revisited {
    /// The phase, in which jobs read what was written.
    pub(crate) phase: Option<Phase>,
    /// For each job what it reads, if it is one of them.
    pub(crate) rereads: Vec<Option<Arc<Rereads>>>,
    /// For each job the requests that it did not make.
    unmade: Vec<Option<Unmades>>,
}

type Unmades = PerOp<Option<Unmade>>;

impl Revisiting {
    /// The requests of a phase that are to be gone through; none if no job asks for it.
    pub(crate) fn of(plan: &PhasePlan<'_>) -> Option<Self> {
        let jobs = || plan.phase.jobs.iter().zip(plan.targets);
        if !plan.phase.jobs.iter().any(Job::revisits) {
            return None;
        }
        Some(Self {
            phase: Phase {
                name: plan.phase.name.clone(),
                // All of them keep their number, by which the places are drawn.
                jobs: jobs().map(|(job, _)| rehearsed(job)).collect(),
                ..Phase::plain()
            },
            targets: jobs().map(|(job, targets)| noted(job, targets)).collect(),
        })
    }

    /// The plan of the load that goes nowhere.
    pub(crate) fn plan<'a>(&'a self, of: &PhasePlan<'a>) -> PhasePlan<'a> {
        PhasePlan {
            phase: &self.phase,
            targets: &self.targets,
            journals: &[],
            splits: &[],
            apart: &[],
            dumps: &[],
            ..*of
        }
    }

    /// The phase that reads what its requests would have written.
    ///
    /// # Errors
    ///
    /// No account can be kept of a job.
    pub(crate) fn reading(self, of: &Phase, found: &PhaseResult) -> Result<Revisited, RunError> {
        let mut revisited = Revisited::default();
        let mut phase = of.clone();
        let results = self.targets.iter().zip(&found.jobs);
        for (job, (targets, result)) in phase.jobs.iter_mut().zip(results) {
            if !job.revisits() {
                revisited.rereads.push(None);
                revisited.unmade.push(None);
                continue;
            }
            let reads = job.verify == Verify::Revisit;
            let rereads = Rereads::of(targets, Nanos::ZERO, write_bytes(job));
            let rereads = rereads.ok_or_else(|| RunError::NoAccount {
                job: job.name.clone(),
            })?;
            *job = Job {
                after: job.after.clone(),
                delay: job.delay,
                cold: job.cold,
                ..reader(job, &rereads)
            };
            let unmade = |op| {
                let one = result.ops.get(op)?;
                let (ios, bytes) = (one.ios, one.bytes);
                (ios > 0).then_some(Unmade { ios, bytes })
            };
            if reads {
                revisited.rereads.push(Some(Arc::new(rereads)));
            } else {
                job.stop.ios = Some(0);
                revisited.rereads.push(None);
            }
            revisited.unmade.push(Some(PerOp::from_fn(unmade)));
        }
        // What is read before the measured time would be missed in it.
        if of.jobs.iter().all(Job::revisits) {
            phase.warm_up = Nanos::ZERO;
        }
        revisited.phase = Some(phase);
        Ok(revisited)
    }
}

impl Revisited {
    /// Notes in the results what was not made.
    pub(crate) fn note(&self, result: &mut PhaseResult) {
        for (job, unmade) in result.jobs.iter_mut().zip(&self.unmade) {
            job.unmade = unmade.map(Box::new);
        }
        for (job, rereads) in result.jobs.iter_mut().zip(&self.rereads) {
            let Some(rereads) = rereads else { continue };
            let read: u64 = job.workers.iter().map(|worker| worker.issued).sum();
            let verified = job.verified.get_or_insert_default();
            verified.unread = rereads.requests().saturating_sub(read);
        }
    }
}

/// A job as it goes through its requests: as fast as it can, and without flushes.
fn rehearsed(job: &Job) -> Job {
    if !job.revisits() {
        return Job {
            name: job.name.clone(),
            kinds: job.kinds.clone(),
            stop: JobStop {
                ios: Some(0),
                ..JobStop::default()
            },
            ..Job::plain()
        };
    }
    Job {
        pacing: Pacing::CLOSED,
        delay: Nanos::ZERO,
        after: None,
        stop: JobStop {
            time: None,
            slowest: None,
            floor: None,
            ..job.stop
        },
        durability: Durability {
            sync: None,
            ..job.durability
        },
        sync_between: false,
        sync_data: None,
        sync_at_end: false,
        // What goes nowhere drops no pages of what is there.
        cold_again: None,
        ..job.clone()
    }
}

/// The targets of a job with an account of its own, which nobody else looks at.
fn noted(job: &Job, targets: &JobTargets) -> JobTargets {
    if !job.revisits() {
        return JobTargets::default();
    }
    let accounts = targets.windows.iter().map(|window| {
        let range = (window.start, window.start.saturating_add(window.len));
        let written = Written::of_places(range, account::step_of(job, *window));
        Some(Arc::new(written))
    });
    JobTargets {
        written: accounts.collect(),
        ..targets.clone()
    }
}

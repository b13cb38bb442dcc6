//! What options are written from: a run, a job of it, and where its section stands.

use super::kinds::Mix;
use super::place::{Clones, Parts};
use super::{pacing, place};
use fathom_core::spec::{Job, Phase, Verify, Workload};
use fathom_core::{EngineKind, Rate};
use fathom_tools::losses::Losses;
use fathom_tools::translation::{Note, RunWishes};
use fathom_tools::writers::{Bursts, is_random, is_sequential};

/// What all jobs have in common.
pub(crate) struct OfRun<'a> {
    pub(crate) workload: &'a Workload,
    pub(crate) wishes: &'a RunWishes,
}

/// A job, and what of it fio says in several options.
pub(crate) struct OfJob<'a> {
    pub(crate) phase: &'a Phase,
    pub(crate) job: &'a Job,
    pub(crate) paths: Vec<String>,
    pub(crate) mix: Mix,
    pub(crate) parts: Parts,
    pub(crate) clones: Clones,
    /// At which all clones together make their requests, if they wait for a clock.
    pub(crate) rate: Option<Rate>,
}

/// Where a section stands among those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    First,
    /// At once with the one before.
    Beside,
    /// When all before are done.
    After,
}

impl OfRun<'_> {
    /// The engine that was wished for, or Fathom's own choice.
    pub(crate) fn engine(&self) -> EngineKind {
        let mut jobs = self.workload.phases.iter().flat_map(|phase| &phase.jobs);
        let deep = jobs.any(|job| job.queue_depth > 1 || job.targets.len() > 1);
        match self.wishes.engine {
            Some(kind) if kind.is_virtual() => EngineKind::IoUring,
            Some(kind) if deep && !kind.capabilities().batches => EngineKind::IoUring,
            wish => wish.unwrap_or(EngineKind::IoUring),
        }
    }
}

impl OfJob<'_> {
    /// The engine of its own, as far as fio's can do what it does.
    pub(crate) fn engine(&self) -> Option<EngineKind> {
        let deep = self.job.queue_depth > 1 || self.job.targets.len() > 1;
        match self.job.engine {
            Some(kind) if deep && !kind.capabilities().batches => Some(EngineKind::IoUring),
            own => own,
        }
    }
}

impl<'a> OfJob<'a> {
    /// The job with what is made out of it; what fio cannot express of that is reported.
    ///
    /// # Errors
    ///
    /// A target that fio cannot name.
    pub(crate) fn new(
        phase: &'a Phase,
        bursts: &Bursts<'_>,
        job: &'a Job,
        losses: &mut Losses,
        unsaid: &mut Losses,
    ) -> Result<Self, Note> {
        Ok(Self {
            phase,
            job,
            paths: place::names(job, losses)?,
            mix: Mix::of(job, unsaid),
            parts: Parts::of(job),
            clones: Clones::of(job, unsaid),
            rate: pacing::rate(bursts, job),
        })
    }

    pub(crate) fn files(&self) -> u64 {
        self.paths.len() as u64
    }

    pub(crate) fn is_random(&self) -> bool {
        is_random(self.job)
    }

    pub(crate) fn is_sequential(&self) -> bool {
        is_sequential(self.job)
    }

    /// Whether blocks are checked or made to be: how, and where fio only comes near.
    pub(crate) fn checks(&self) -> Option<(bool, Option<&'static str>)> {
        match (self.job.verify, self.mix.writes(), self.mix.reads()) {
            (Verify::Off, ..) | (Verify::Stamp, false, _) => None,
            (Verify::ReadBack, true, _) => Some((
                true,
                Some("fio reads back what was written, and not all else"),
            )),
            (Verify::Check, true, true) => Some((
                true,
                Some("fio also reads back at the end all that was written"),
            )),
            (Verify::ReadBack | Verify::ReadWritten, false, _) => Some((
                true,
                Some("fio checks what the job reads, and does not read all else at the end"),
            )),
            (Verify::Stamp | Verify::Check, true, _) => Some((false, None)),
            (Verify::Check, false, _) | (Verify::ReadWritten, true, _) => Some((true, None)),
        }
    }
}

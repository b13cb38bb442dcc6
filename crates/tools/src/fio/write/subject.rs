//! What options are written from: a run, a job of it, and where its section stands.

use super::kinds::Mix;
use super::place::{Clones, Parts};
use super::{pacing, place};
use crate::losses::Losses;
use crate::translation::{Note, RunWishes};
use crate::writers::{Bursts, is_random, is_sequential};
use fathom_core::spec::{Job, Phase, Verify, Workload};
use fathom_core::{EngineKind, Rate};

/// What all jobs have in common.
pub(in crate::fio) struct OfRun<'a> {
    pub(in crate::fio) workload: &'a Workload,
    pub(in crate::fio) wishes: &'a RunWishes,
}

/// A job, and what of it fio says in several options.
pub(in crate::fio) struct OfJob<'a> {
    pub(in crate::fio) phase: &'a Phase,
    pub(in crate::fio) job: &'a Job,
    pub(in crate::fio) paths: Vec<String>,
    pub(in crate::fio) mix: Mix,
    pub(in crate::fio) parts: Parts,
    pub(in crate::fio) clones: Clones,
    /// At which all clones together make their requests, if they wait for a clock.
    pub(in crate::fio) rate: Option<Rate>,
}

/// Where a section stands among those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::fio) enum Turn {
    First,
    /// At once with the one before.
    Beside,
    /// When all before are done.
    After,
}

impl OfRun<'_> {
    /// The engine that was wished for, or Fathom's own choice.
    pub(in crate::fio) fn engine(&self) -> EngineKind {
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
    pub(in crate::fio) fn engine(&self) -> Option<EngineKind> {
        let deep = self.job.queue_depth > 1 || self.job.targets.len() > 1;
        match self.job.engine {
            Some(kind) if deep && !kind.capabilities().batches => Some(EngineKind::IoUring),
            own => own,
        }
    }
}

impl<'a> OfJob<'a> {
    /// The job with what is made out of it; what fio cannot say of that is told.
    ///
    /// # Errors
    ///
    /// A target that fio cannot name.
    pub(in crate::fio) fn new(
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

    pub(in crate::fio) fn files(&self) -> u64 {
        self.paths.len() as u64
    }

    pub(in crate::fio) fn is_random(&self) -> bool {
        is_random(self.job)
    }

    pub(in crate::fio) fn is_sequential(&self) -> bool {
        is_sequential(self.job)
    }

    /// Whether blocks are checked or made to be: how, and where fio only comes near.
    pub(in crate::fio) fn checks(&self) -> Option<(bool, Option<&'static str>)> {
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

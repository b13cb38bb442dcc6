//! The order of phases: written down beforehand, or decided by what the phases before have shown.

use fathom_core::Nanos;
use fathom_core::result::PhaseResult;
use fathom_core::spec::{Phase, Workload};

/// A phase to run next.
#[derive(Clone, Debug, PartialEq)]
pub struct Leg {
    /// Position in the plan's workload of the phase whose targets this one uses.
    pub template: usize,
    /// Which repeat of the workload, from 1.
    pub repeat: u32,
    /// What to run: the template, perhaps with another queue depth, number of threads or rate.
    pub phase: Phase,
    /// Whether the generator runs alone: requests complete at once and go nowhere.
    pub alone: bool,
    /// Length of its intervals, where it is not that of the workload.
    pub interval: Option<Nanos>,
}

/// Decides what runs next.
pub trait Course {
    /// The next phase after those that are done, or none at the end.
    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg>;

    /// How many phases there will be in all, as far as is known.
    fn expected(&self) -> usize;

    /// Tells, before the first phase, to what direct requests must be aligned on all targets (0
    /// where nothing is known), and how many bytes the first job of each template can reach.
    fn prepared(&mut self, _align_bytes: u64, _room_bytes: &[u64]) {}
}

/// All phases of all repeats, in their order.
#[derive(Debug)]
pub(crate) struct Listed<'a> {
    workload: &'a Workload,
    next: usize,
}

impl<'a> Listed<'a> {
    pub(crate) const fn new(workload: &'a Workload) -> Self {
        Self { workload, next: 0 }
    }
}

impl Course for Listed<'_> {
    fn next_leg(&mut self, _done: &[PhaseResult]) -> Option<Leg> {
        let phases = &self.workload.phases;
        if self.next == self.expected() {
            return None;
        }
        let template = self.next % phases.len();
        let repeat = (self.next / phases.len()) as u32 + 1;
        self.next += 1;
        Some(Leg {
            template,
            repeat,
            phase: phases[template].clone(),
            alone: false,
            interval: None,
        })
    }

    fn expected(&self) -> usize {
        self.workload.phases.len() * self.workload.repeat as usize
    }
}

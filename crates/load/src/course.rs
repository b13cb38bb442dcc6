//! The order of phases: written down beforehand, or decided by what the phases before have shown.

use fathom_core::Nanos;
use fathom_core::result::PhaseResult;
use fathom_core::spec::Phase;

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
pub trait PhaseOrder {
    /// The next phase after those that are done, or none at the end.
    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg>;

    /// How many phases there will be in all, as far as is known.
    fn expected(&self) -> usize;

    /// Tells, before the first phase, to what direct requests must be aligned on all targets (0
    /// where nothing is known), and how many bytes the first job of each template can reach.
    fn prepared(&mut self, _align_bytes: u64, _room_bytes: &[u64]) {}
}

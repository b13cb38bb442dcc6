//! The phases of a workload as they are written down.

use fathom_core::result::PhaseResult;
use fathom_core::spec::Workload;
use fathom_load::course::{Leg, PhaseOrder};

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

impl PhaseOrder for Listed<'_> {
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

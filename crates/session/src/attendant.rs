//! What is done around the phases of a session, outside of their clocks.

use crate::Control;
use fathom_core::result::PhaseResult;
use fathom_core::spec::{Job, JobStop, Phase, Verify};
use std::collections::BTreeMap;

/// Jobs that are not to be run, by name, each with why.
pub type LeftOut = BTreeMap<String, String>;

/// Who does something before and after each phase. In virtual time, and by the members of a
/// cluster, nobody is asked.
pub trait Attendant {
    /// The phase of this name is about to be opened, and its clock does not run yet. It may take
    /// its time, but for an end that the user wants. What jobs it leaves out of the phase have
    /// nothing opened, and a result that says why.
    fn before(&mut self, phase: &str, control: &Control) -> LeftOut;

    /// The phase is over, be it by an error. What [`Self::before`] was asked of is told here once.
    fn after(&mut self, phase: &str, control: &Control);
}

/// Makes of the jobs that are left out of a phase such that do nothing, not even to their files.
pub(crate) fn leave_out(phase: &mut Phase, left_out: &LeftOut) {
    let plain = Job::plain();
    for job in &mut phase.jobs {
        if !left_out.contains_key(&job.name) {
            continue;
        }
        *job = Job {
            idle: true,
            fresh: false,
            append: false,
            cold: false,
            warm: false,
            sync_at_end: false,
            verify: Verify::Off,
            stop: JobStop::default(),
            pacing: plain.pacing.clone(),
            ..job.clone()
        };
    }
}

/// Says in a result why jobs were left out.
pub(crate) fn note(result: &mut PhaseResult, left_out: &LeftOut) {
    for job in &mut result.jobs {
        job.left_out = left_out.get(&job.name).cloned();
    }
}

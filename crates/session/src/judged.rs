//! A result with its state and findings.

use fathom_core::result::{Bound, RunResult};
use fathom_core::{Caveat, Level, State};

/// A result that was judged: how far it may be trusted and why, and what held the load back.
#[derive(Clone, Debug, PartialEq)]
pub struct Judged {
    result: RunResult,
}

impl Judged {
    /// Of a result that has been judged.
    pub(crate) const fn new(result: RunResult) -> Self {
        Self { result }
    }

    /// How far the numbers may be trusted.
    pub const fn state(&self) -> State {
        self.result.state
    }

    /// Everything that was found, the notes included.
    pub fn findings(&self) -> &[Caveat] {
        &self.result.caveats
    }

    /// Why the state is no better: the findings of more weight than a note.
    pub fn reasons(&self) -> impl Iterator<Item = &Caveat> {
        let findings = self.result.caveats.iter();
        findings.filter(|finding| finding.level != Level::Note)
    }

    /// What held the load back, by the name of the phase; only of phases where it is known.
    pub fn bound(&self) -> impl Iterator<Item = (&str, &Bound)> {
        let phases = self.result.phases.iter();
        phases.filter_map(|phase| Some((phase.name.as_str(), phase.bound.as_deref()?)))
    }

    /// All of it.
    pub const fn result(&self) -> &RunResult {
        &self.result
    }

    /// The whole result, to add notes to the findings.
    pub(crate) const fn result_mut(&mut self) -> &mut RunResult {
        &mut self.result
    }

    /// All of it, to keep.
    pub fn into_result(self) -> RunResult {
        self.result
    }
}

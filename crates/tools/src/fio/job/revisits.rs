//! What `verify_only` can check, and that it changes nothing.

use super::{Maker, amount};
use crate::fio::source::{Findings, Wrong};
use fathom_core::Op;
use fathom_core::spec::{IoKind, Job};

impl Maker<'_> {
    /// Refuses with `verify_only` what is not checked of what another run has written by requests
    /// of these kinds. What a job reads is checked in any case.
    pub(super) fn check_verify_only(
        &self,
        kinds: &[IoKind],
        findings: &mut Findings,
    ) -> Option<()> {
        let settings = self.settings;
        let has = |op| kinds.iter().any(|kind| kind.op == op);
        if !settings.verify_only || !has(Op::Write) && !has(Op::Trim) {
            return Some(());
        }
        let recorded = !settings.replays.traces.is_empty();
        let is_known = recorded || !settings.states.is_empty() || settings.requests > 0;
        let (message, remedy) = if has(Op::Trim) {
            (
                "what a trim has left is not to be checked",
                "verify_only with writes, or rw=read and verify=",
            )
        } else if settings.zoned {
            (
                "writes went to the write pointers of zones, which have moved since",
                "rw=read and verify= of what was written",
            )
        } else if amount::is_timed(settings) && !is_known {
            (
                "how much was written in a time is not known afterwards",
                "verify_only without time_based, or with verify_state_load",
            )
        } else {
            return Some(());
        };
        findings.error(self.place, Wrong::new(message, remedy));
        None
    }

    /// Refuses, whatever became of the options, that anything is changed with `verify_only`.
    pub(super) fn check_harmless(&self, jobs: &[Job], findings: &mut Findings) {
        if self.settings.verify_only && jobs.iter().any(Job::destroys) {
            let wrong = Wrong::new(
                "verify_only with what is made or removed, which it would change",
                "a section that writes, or without verify_only",
            );
            self.error(findings, "verify_only", wrong);
        }
    }
}

//! What a call prints on standard error, in addition to what the program itself would print.

use crate::{aside, terminal, width};
use fathom_core::result::RunResult;
use fathom_tools::{Call, OwnWords, Translation, told_notes};
use std::io::IsTerminal as _;

/// Whether standard error is left to what failed: who calls by the words of another program alone
/// may take anything there for a failure. Who asks in Fathom's words what an input becomes wants to
/// read it.
pub(super) fn is_quiet(own: &OwnWords) -> bool {
    own.quiet || !(own.notes || own.print || terminal::raw_stderr().is_terminal())
}

/// Tells what was hardly meant.
pub(super) fn warn(call: &dyn Call) {
    for warning in call.warnings() {
        let most = width::of_asides();
        let text = most.map_or_else(|| warning.to_string(), |most| warning.within(most));
        // Only advice: where it cannot be written, the run can do without.
        aside::print(&(text + "\n\n"));
    }
}

/// Prints the state of the result, for a layout without a place for it.
pub(super) fn judge(result: &RunResult, quiet: bool) {
    if quiet {
        return;
    }
    aside::say(&fathom_report::verdict(result));
}

/// Tells what is not as the other program would do it.
pub(in crate::commands) fn tell(translation: &Translation, quiet: bool) {
    for note in told_notes(&translation.notes).iter().filter(|_| !quiet) {
        aside::say(&format!("note: {note}"));
    }
}

//! What another tool's result of ours said of itself.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::SourceState,
    group: Group::Beside,
    effect: Effect::Number,
    point: "",
    level: "the state in the source",
    when: "an imported result that fathom wrote in another tool's format, and that was not VALID \
           there",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "the source itself was SUSPECT: the hypervisor gave 7.4 % of this machine's \
                       CPU time to others [steal]";
        let remedy = "fix the cause, and measure again";
        Code::SourceState
            .caveat(Level::Suspect, message)
            .remedy(remedy)
    }),
};

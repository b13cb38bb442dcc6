//! What another tool's result of ours said of itself.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { SourceState: Beside, Number, "the state in the source",
    "an imported result that fathom wrote in another tool's format, and that was not VALID there",
    [],
    Example::Said(|| {
        let message = "the source itself was SUSPECT: the hypervisor gave 7.4 % of this machine's \
                       CPU time to others [steal]";
        let remedy = "fix the cause, and measure again";
        Code::SourceState
            .caveat(Level::Suspect, message)
            .remedy(remedy)
    })
};

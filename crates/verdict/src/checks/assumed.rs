//! What a simulation assumed.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { Assumed: Simulated, Nothing, "note",
    "a simulated result contains values that were assumed because nothing specified them",
    [],
    Example::Said(|| {
        let message = "a gp3 request takes 500 µs after its limits admit it (a mean; log-normal \
                       with sigma 0.35; vendors state no distribution)";
        Code::Assumed.caveat(Level::Note, message)
    })
};

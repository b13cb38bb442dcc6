//! What a simulation assumed.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Assumed,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "a simulated result contains values that were assumed because nothing specified them",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "a gp3 request takes 500 µs after its limits admit it (a mean; log-normal \
                       with sigma 0.35; vendors state no distribution)";
        Code::Assumed.caveat(Level::Note, message)
    }),
};

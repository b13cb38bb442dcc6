//! What a simulation assumed.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Assumed,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "a simulated result: what was assumed, because nobody said it",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "a request of gp3 takes 500 µs once its limits let it through (a mean; \
                       log-normal with sigma 0.35; vendors state no distribution)";
        Code::Assumed.caveat(Level::Note, message)
    }),
};

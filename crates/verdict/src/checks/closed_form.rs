//! A simulation without single requests.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::ClosedForm,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "a simulated result in closed form has no latencies",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "the rates were computed in closed form. Single requests were not simulated, \
                       so there are no latencies";
        let remedy = "for latencies, use a shorter time (--for) or --fidelity discrete";
        Code::ClosedForm.caveat(Level::Note, message).remedy(remedy)
    }),
};

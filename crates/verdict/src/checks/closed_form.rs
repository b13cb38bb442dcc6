//! A simulation without single requests.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::ClosedForm,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "a simulated result without single requests: it has no latencies",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "rates in closed form: single requests are not followed, so there are no \
                       latencies";
        let remedy = "a shorter time (--for), or --fidelity discrete, if latencies are what \
                      matters";
        Code::ClosedForm.caveat(Level::Note, message).remedy(remedy)
    }),
};

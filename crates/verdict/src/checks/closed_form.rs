//! A simulation without single requests.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { ClosedForm: Simulated, Nothing, "note",
    "a simulated result in closed form has no latencies",
    [],
    Example::Said(|| {
        let message = "the rates were computed in closed form. Single requests were not simulated, \
                       so there are no latencies";
        let remedy = "for latencies, use a shorter time (--for) or --fidelity discrete";
        Code::ClosedForm.caveat(Level::Note, message).remedy(remedy)
    })
};

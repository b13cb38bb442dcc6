//! Members that did not start together.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::StartSkew,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "qualified",
    when: "members started further apart than 1 ms and 1 % of an interval",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "members started within 31.0 ms of each other, known to ±0.2 ms; 10.0 ms are \
                       1 % of an interval";
        let remedy = "leave out the first interval, or see what keeps a host from starting";
        Code::StartSkew
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("run")
    }),
};

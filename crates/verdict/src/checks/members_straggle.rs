//! Members that were not done together.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersStraggle,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "qualified",
    when: "the first member was done more than 5 % of the time before the last",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "the first member was done after 52.1 s and the last after 60.4 s: the rates \
                       are over the time of the last, when fewer and fewer were at work";
        let remedy = "give the phases a duration instead of an amount";
        Code::MembersStraggle
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("run")
    }),
};

//! Members of unequal rates.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersUnequal,
    group: Group::Hosts,
    effect: Effect::Nothing,
    point: "",
    level: "note",
    when: "the rates of the members have a coefficient of variation of more than 10 %",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "members are unequal: between 9000 and 21000 requests a second, a \
                       coefficient of variation of 34 %";
        let remedy = "look at the table of members for the slow ones";
        Code::MembersUnequal
            .caveat(Level::Note, message)
            .remedy(remedy)
            .about("run")
    }),
};

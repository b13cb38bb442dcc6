//! A member that did not come.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MemberMissing,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "qualified",
    when: "a member did not come to the measurement, and the others were let start without it",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db3 (rank 2) did not take part: it did not come within 5 s; not counted";
        let remedy = "see that it is up, and measure again";
        Code::MemberMissing
            .caveat(Level::Qualified, message)
            .remedy(remedy)
            .about("db3 (rank 2)")
    }),
};

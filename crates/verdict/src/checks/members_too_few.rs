//! Too few members that finished.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersTooFew,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "invalid",
    when: "a smaller share of the members finished than `--invalid-below` asks for",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "3 of 4 members finished (75 %), fewer than the 80 % that are needed for \
                       an answer";
        Code::MembersTooFew.caveat(Level::Invalid, message)
    }),
};

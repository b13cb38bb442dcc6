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
        let message = "3 of 4 members reported all, 75 %: fewer than the 80 % without which the \
                       result is no answer";
        Code::MembersTooFew.caveat(Level::Invalid, message)
    }),
};

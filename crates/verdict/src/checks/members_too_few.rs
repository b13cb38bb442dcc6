//! Too few members that finished.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersTooFew,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "invalid",
    when: "fewer members finished than `--invalid-below` requires",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "3 of 4 members finished (75 %), but a result requires 80 %";
        Code::MembersTooFew.caveat(Level::Invalid, message)
    }),
};

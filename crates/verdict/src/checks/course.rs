//! How credit goes and comes.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Course,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "5.5",
    level: "note",
    when: "a simulated result: when credit ends, what is left, how it comes back, what lasts",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "3,000 IOPS for as long as one likes";
        Code::Course.caveat(Level::Note, message)
    }),
};

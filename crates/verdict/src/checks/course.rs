//! How credit goes and comes.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::Course,
    group: Group::Simulated,
    effect: Effect::Nothing,
    point: "5.5",
    level: "note",
    when: "a simulated result: time when burst credit ends, remaining credit, recovery and \
           sustained rate",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "3,000 IOPS without time limit";
        Code::Course.caveat(Level::Note, message)
    }),
};

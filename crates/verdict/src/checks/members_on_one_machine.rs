//! Hosts that are one machine.

use crate::check::{Code, Effect, Entry, Example, Group};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = Entry {
    code: Code::MembersOnOneMachine,
    group: Group::Hosts,
    effect: Effect::Number,
    point: "",
    level: "qualified",
    when: "hosts of different names run under one kernel",
    thresholds: &[],
    example: Example::Said(|| {
        let message = "db1, db2 are one machine: they run under one kernel, and share its \
                       processors, page cache and devices";
        let remedy = "name each machine once; --per-host makes several members on one";
        Code::MembersOnOneMachine
            .caveat(Level::Qualified, message)
            .remedy(remedy)
    }),
};

//! A target that cannot be written.

use crate::check::{Code, Effect, Entry, Example, Group, Look};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::ReadOnly,
        group: Group::Before,
        effect: Effect::Number,
        point: "",
        level: "qualified",
        when: "it is not writable",
        thresholds: &[],
        example: Example::Target(|| Facts {
            read_only: true,
            ..Facts::default()
        }),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if facts.read_only {
        let message = "it is mounted or set read-only. Only reads can be measured";
        let remedy = "make it writable to measure writes";
        found.push(
            Code::ReadOnly
                .caveat(Level::Qualified, message)
                .remedy(remedy),
        );
    }
}

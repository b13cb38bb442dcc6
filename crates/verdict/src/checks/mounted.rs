//! A device on which a file system is mounted.

use crate::check::{Code, Effect, Entry, Example, Group, Look};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::Mounted,
        group: Group::Before,
        effect: Effect::Number,
        point: "",
        level: "qualified",
        when: "a device with a mounted file system",
        thresholds: &[],
        example: Example::Target(|| Facts {
            is_mounted: true,
            ..Facts::default()
        }),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if facts.is_mounted {
        let message = "it has a mounted file system. Writes would be refused";
        let remedy = "use a path on the file system, or unmount it";
        found.push(
            Code::Mounted
                .caveat(Level::Qualified, message)
                .remedy(remedy),
        );
    }
}

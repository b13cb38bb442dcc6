//! A device on which a file system is mounted.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Mounted: Before, Number, "qualified",
        "a device with a mounted file system",
        [],
        Example::Target(|| Facts {
            is_mounted: true,
            ..Facts::default()
        })
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

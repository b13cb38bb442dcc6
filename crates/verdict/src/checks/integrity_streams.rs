//! A file of ReFS that keeps checksums of its content.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { IntegrityStreams: Before, Number, "qualified",
        "on Windows: the file has integrity streams (ReFS), so that a write allocates a new place",
        [],
        Example::Target(|| Facts {
            integrity_streams: true,
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if !facts.integrity_streams {
        return;
    }
    let message = "the file has integrity streams. ReFS checks each read, and writes each block to \
                   a new place";
    found.push(
        Code::IntegrityStreams
            .caveat(Level::Qualified, message)
            .remedy("use `Set-FileIntegrity FILE -Enable $false` if your data has none"),
    );
}

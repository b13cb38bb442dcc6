//! A directory with too little room for a file that says anything.

use crate::check::{Code, Example, Look, entry, thresholds};
use crate::fitness::Facts;
use fathom_core::figure::size;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Room below which there is too little for a file that says anything
    ROOM_BYTES: u64 = 1 << 30, Bytes, Decided;
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { LittleRoom: Before, Number, "suspect",
        "less than {ROOM_BYTES} of free space in a directory",
        [row::ROOM_BYTES],
        Example::Target(|| Facts {
            available_bytes: Some(300 << 20),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if let Some(room) = facts.available_bytes.filter(|room| *room < ROOM_BYTES) {
        let message = format!(
            "free space: {}. A file of that size fits into caches",
            size(room)
        );
        let remedy = "free some space, or use another target";
        found.push(
            Code::LittleRoom
                .caveat(Level::Suspect, message)
                .remedy(remedy),
        );
    }
}

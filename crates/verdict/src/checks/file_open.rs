//! A file that another program has open, perhaps through the cache of Windows.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { FileOpen: Before, Number, "qualified",
        "on Windows: another program has the file open",
        [],
        Example::Target(|| Facts {
            file_openers: vec!["sqlservr.exe (process 1234)".into()],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for program in &facts.file_openers {
        let message = format!(
            "{program} has the file open. If it uses the cache, unbuffered requests wait for the \
             cache to be written back"
        );
        found.push(
            Code::FileOpen
                .caveat(Level::Qualified, message)
                .remedy("close that program, or choose another file"),
        );
    }
}

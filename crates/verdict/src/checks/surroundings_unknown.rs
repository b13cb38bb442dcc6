//! Tools of Windows that gave no answer.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { SurroundingsUnknown: Before, Machine, "", "note",
        "on Windows: PowerShell did not answer in time, or ended with an error",
        [],
        Example::Target(|| Facts {
            silent_tools: Some("PowerShell did not answer within 60 s".into()),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(why) = &facts.silent_tools else {
        return;
    };
    let message = format!(
        "{why}. Fathom cannot tell whether a virus scanner, encryption, Storage Spaces, a cluster \
         or the power plan affect the target"
    );
    found.push(
        Code::SurroundingsUnknown
            .caveat(Level::Note, message)
            .remedy("check again when the machine is idle, or query them in PowerShell"),
    );
}

//! Tools of Windows that gave no answer.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { SurroundingsUnknown: Before, Machine, "note",
        "on Windows: PowerShell or the Restart Manager did not answer, failed, or was unclear",
        [],
        Example::Target(|| Facts {
            silent_tools: Some("PowerShell did not answer within 60 s".into()),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let questions = [
        (
            &facts.silent_tools,
            "a virus scanner, encryption, Storage Spaces, a cluster or the power plan affect the \
             target",
            "check again when the machine is idle, or query them in PowerShell",
        ),
        (
            &facts.openers_unknown,
            "other programs have the file open",
            "look for its handles in Resource Monitor",
        ),
    ];
    for (why, what, remedy) in questions {
        let Some(why) = why else { continue };
        let message = format!("{why}. Fathom cannot tell whether {what}");
        found.push(
            Code::SurroundingsUnknown
                .caveat(Level::Note, message)
                .remedy(remedy),
        );
    }
}

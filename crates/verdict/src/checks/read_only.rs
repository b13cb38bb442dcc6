//! A target that cannot be written.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { ReadOnly: Before, Number, "qualified",
        "writes to it would be refused; invalid if no file can be created in the directory",
        [],
        Example::Target(|| Facts {
            read_only: true,
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    if facts.file.is_some()
        && !facts.read_only
        && let Some(cause) = &facts.refused
    {
        let message = format!("runs that write, such as `fathom quick`, would be refused: {cause}");
        let remedy = "use a new file, or --overwrite if nobody needs what it holds";
        let caveat = Code::ReadOnly.caveat(Level::Qualified, message);
        found.push(caveat.remedy(remedy));
        return;
    }
    if let Some(cause) = facts.refused.as_ref().filter(|_| facts.file.is_none()) {
        let message = format!("no file can be created here: {cause}");
        let remedy = "use a directory in which you may write";
        let caveat = Code::ReadOnly.caveat(Level::Invalid, message);
        found.push(caveat.remedy(remedy));
        return;
    }
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

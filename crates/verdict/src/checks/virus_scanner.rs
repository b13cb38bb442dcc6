//! A virus scanner that looks at the target.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { VirusScanner: Before, Machine, "note",
        "on Windows: Microsoft Defender protects in real time, and no exclusion covers the target, \
         or the exclusions cannot be read",
        [],
        Example::Target(|| Facts {
            scanned: Some(true),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(is_sure) = facts.scanned else { return };
    let message = if is_sure {
        "Microsoft Defender scans the target when it is opened, and after it was written"
    } else {
        "Microsoft Defender may scan the target: only an administrator can see its exclusions"
    };
    found.push(
        Code::VirusScanner
            .caveat(Level::Note, message)
            .remedy("exclude the path as for your data: `Add-MpPreference -ExclusionPath PATH`"),
    );
}

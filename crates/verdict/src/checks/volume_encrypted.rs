//! A volume that is encrypted by BitLocker.

use crate::check::{Code, Example, Look, entry};
use crate::fitness::Facts;
use fathom_core::{Caveat, Level};

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { VolumeEncrypted: Before, Number, "note",
        "on Windows: BitLocker encrypts the volume",
        [],
        Example::Target(|| Facts {
            encryption: Some("FullyEncrypted XtsAes128".into()),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let Some(state) = &facts.encryption else {
        return;
    };
    let message = format!(
        "BitLocker encrypts the volume ({state}). Its processor time is part of each request"
    );
    found.push(
        Code::VolumeEncrypted
            .caveat(Level::Note, message)
            .remedy("measure on a volume that is encrypted as that of your data"),
    );
}

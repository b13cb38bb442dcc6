//! A run on an imitation of the system that fathom is made for.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, EngineKind, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the program ran on the operating system that it was built for",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Emulated: Subject, Elsewhere, "invalid",
        "the Windows program ran under Wine",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.host.emulator = Some("Wine 8.0".into());
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let provenance = &result.provenance;
    let Some(emulator) = &provenance.host.emulator else {
        return;
    };
    if !provenance.engine.is(EngineKind::is_real) {
        return;
    }
    let message = format!(
        "fathom ran under {emulator}, which ignores unbuffered I/O and queue depth. The numbers \
         are not those of a disk"
    );
    caveats.push(
        Code::Emulated
            .caveat(Level::Invalid, message)
            .remedy("measure on a real Windows, or with the program for Linux"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_number_under_wine_is_not_that_of_a_disk() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.host.emulator = Some("Wine 8.0".to_owned());
        let message = "fathom ran under Wine 8.0, which ignores unbuffered I/O and queue depth. \
                       The numbers are not those of a disk";
        let expected = Code::Emulated
            .caveat(Level::Invalid, message)
            .remedy("measure on a real Windows, or with the program for Linux");
        assert_eq!(found(&CHECK, &result), [expected]);
        result.provenance.engine.name = "null".to_owned();
        assert_eq!(found(&CHECK, &result), []);
    }
}

//! An engine that was taken because a better one could not be.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the preferred engine could be used",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { EngineFallback: Generator, Nothing, "note",
        "the preferred engine could not be used",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.engine.name = "libaio".into();
            r.provenance.engine.reason =
                "libaio, because io_uring is disabled by kernel.io_uring_disabled=2".into();
        })
    }],
    run,
};

/// What the reason says after the engine's name when others were tried before it.
const BECAUSE: &str = ", because ";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let engine = &result.provenance.engine;
    let reason = engine.reason.strip_prefix(&engine.name);
    let Some(cause) = reason.and_then(|rest| rest.strip_prefix(BECAUSE)) else {
        return;
    };
    let message = format!("measured with {}: {cause}", engine.name);
    caveats.push(
        Code::EngineFallback
            .caveat(Level::Note, message)
            .remedy("fix the cause, or use the same engine (--engine) in all runs to compare"),
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn the_cause_is_kept() {
        let mut result = fixture::random_read();
        let engine = &mut result.provenance.engine;
        engine.name = "libaio".to_owned();
        engine.reason = "libaio: asked for".to_owned();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.engine.reason =
            "libaio, because io_uring is disabled by kernel.io_uring_disabled=2".to_owned();
        let expected = Code::EngineFallback
            .caveat(
                Level::Note,
                "measured with libaio: io_uring is disabled by kernel.io_uring_disabled=2",
            )
            .remedy("fix the cause, or use the same engine (--engine) in all runs to compare");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

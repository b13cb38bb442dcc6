//! A run that touched no storage.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, EngineKind, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether any storage was used",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { NullEngine: Subject, Elsewhere, "qualified",
        "the null engine ran: it uses no storage",
        [],
        Example::Run(samples::reads, |r| r.provenance.engine.name = "null".into())
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if result.provenance.engine.is(EngineKind::is_nowhere) {
        let message = "no storage was used. The null engine completes every request itself, so the \
                       numbers show the cost of fathom";
        caveats.push(
            Code::NullEngine
                .caveat(Level::Qualified, message)
                .remedy("to measure storage, use another --engine or none"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn the_cost_of_the_generator_is_not_the_speed_of_a_device() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.engine.name = "null".to_owned();
        let message = "no storage was used. The null engine completes every request itself, so the \
                       numbers show the cost of fathom";
        let expected = Code::NullEngine
            .caveat(Level::Qualified, message)
            .remedy("to measure storage, use another --engine or none");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

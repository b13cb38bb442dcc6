//! A run in virtual time.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, EngineKind, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the numbers come from a simulation",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Simulated: Subject, Number, "qualified",
        "the simulator ran: virtual time",
        [],
        Example::Run(samples::reads, |r| r.provenance.engine.name = "sim".into())
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    if result.provenance.engine.is(EngineKind::is_virtual) {
        let message = "virtual time: the numbers describe a model of storage, not a device";
        caveats.push(
            Code::Simulated
                .caveat(Level::Qualified, message)
                .remedy("measure the real storage before you rely on these numbers"),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_model_is_not_a_device() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.engine.name = "sim".to_owned();
        let message = "virtual time: the numbers describe a model of storage, not a device";
        let expected = Code::Simulated
            .caveat(Level::Qualified, message)
            .remedy("measure the real storage before you rely on these numbers");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

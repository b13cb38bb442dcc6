//! Processor time that the hypervisor gave to others.

use crate::check::Check;
use crate::subject;
use crate::thresholds::{GENERATOR_LEAST_NS, STEAL_PERCENT};
use fathom_core::figure::percent;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["steal"],
    needs: &[Evidence::Steal],
    purpose: "whether the hypervisor kept the processor from this machine (P71)",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let steal = phase.process.steal_percent;
        if phase.measured_ns < GENERATOR_LEAST_NS || steal <= STEAL_PERCENT.0 {
            continue;
        }
        let level = if steal > STEAL_PERCENT.1 {
            Level::Suspect
        } else {
            Level::Note
        };
        let message = format!(
            "the hypervisor gave {} of this machine's processor time to others",
            percent(steal)
        );
        caveats.push(
            Caveat::new("steal", level, message)
                .remedy("measure again when the host is quieter, or on a dedicated one")
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn some_is_noted_and_much_is_suspect() {
        let cases = [
            (1.0, None),
            (1.1, Some((Level::Note, "1.1 %"))),
            (5.0, Some((Level::Note, "5.0 %"))),
            (5.1, Some((Level::Suspect, "5.1 %"))),
        ];
        for (steal, expected) in cases {
            let mut result = fixture::random_read();
            result.phases[0].process.steal_percent = steal;
            let expected = expected.map(|(level, share)| {
                let message = format!(
                    "the hypervisor gave {share} of this machine's processor time to others"
                );
                Caveat::new("steal", level, message)
                    .remedy("measure again when the host is quieter, or on a dedicated one")
                    .about("measure")
            });
            assert_eq!(
                found(&CHECK, &result),
                expected.into_iter().collect::<Vec<_>>()
            );
        }
    }
}

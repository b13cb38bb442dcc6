//! Processor time that the hypervisor gave to others.

use crate::check::{Check, Code, Example, Look, Needs, entry, thresholds};
use crate::checks::generator_cpu::GENERATOR_LEAST_NS;
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use fathom_core::figure::percent;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the machine's CPU time that the hypervisor may take away: note, suspect
    STEAL_PERCENT: (f64, f64) = (1.0, 5.0), Percent, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the hypervisor took CPU time from this machine",
    needs: Needs::OurRun(&[Evidence::Steal]),
    codes: &[
        entry! { Steal: Surroundings, Machine, "suspect; note from {STEAL_PERCENT.0}",
            "the hypervisor took more than {STEAL_PERCENT.1} of the CPU time",
            [row::STEAL_PERCENT, crate::checks::generator_cpu::row::GENERATOR_LEAST_NS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).process.steal_percent = 7.4;
            })
        },
    ],
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
            "the hypervisor gave {} of this machine's CPU time to others",
            percent(steal)
        );
        caveats.push(
            Code::Steal
                .caveat(level, message)
                .remedy("measure again when the host is less busy, or on a dedicated host")
                .about(subject::phase(result, phase)),
        );
    }
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { Steal: Before, Machine, "suspect; note from {STEAL_PERCENT.0}",
        "the hypervisor takes more than {STEAL_PERCENT.1} of the CPU time during the {LOOK_NS}",
        [row::STEAL_PERCENT, crate::fitness::row::LOOK_NS],
        Example::Target(|| Facts {
            steal_percent: Some(6.5),
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    let (note, suspect) = STEAL_PERCENT;
    if let Some(steal) = facts.steal_percent.filter(|steal| *steal > note) {
        let level = if steal > suspect {
            Level::Suspect
        } else {
            Level::Note
        };
        let message = format!(
            "the hypervisor gave {} of the CPU time to others",
            percent(steal)
        );
        let remedy = "measure when the host is less busy, or on a dedicated host";
        found.push(Code::Steal.caveat(level, message).remedy(remedy));
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
                let message =
                    format!("the hypervisor gave {share} of this machine's CPU time to others");
                Code::Steal
                    .caveat(level, message)
                    .remedy("measure again when the host is less busy, or on a dedicated host")
                    .about("measure")
            });
            assert_eq!(
                found(&CHECK, &result),
                expected.into_iter().collect::<Vec<_>>()
            );
        }
    }
}

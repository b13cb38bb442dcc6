//! A clock of the wall that was set.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::time;
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Drift of the clock of the wall against the monotonic one
    CLOCK_STEP_NS: u64 = 10_000_000, Nanoseconds, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the wall clock was changed during the run",
    needs: Needs::OurRun(&[Evidence::WallClock]),
    codes: &[entry! { ClockStep: Surroundings, Machine, "note",
        "the wall clock moved more than {CLOCK_STEP_NS} relative to the monotonic clock",
        [row::CLOCK_STEP_NS],
        Example::Run(samples::reads, |r| {
            samples::account(r).generator.clock_step_ns = Some(-1_250_000_000);
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let health = phase.ledger.as_ref().map(|ledger| &ledger.generator);
        let Some(step) = health.and_then(|health| health.clock_step_ns) else {
            continue;
        };
        if step.unsigned_abs() > CLOCK_STEP_NS {
            let message = format!(
                "the wall clock was changed by {} during the run. The times in this result are \
                 correct, but timestamps of other logs may not match",
                time(step.unsigned_abs() as f64)
            );
            caveats.push(
                Code::ClockStep
                    .caveat(Level::Note, message)
                    .remedy(
                        "let the time service slew the clock instead of stepping it (chronyd, \
                             ntpd -x)",
                    )
                    .about(subject::phase(result, phase)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::Ledger;

    #[test]
    fn a_step_either_way_is_told() {
        let levels = |step| -> Vec<Level> {
            let mut result = fixture::random_read();
            let mut ledger = Ledger::default();
            ledger.generator.clock_step_ns = Some(step);
            result.phases[0].ledger = Some(Box::new(ledger));
            let found = found(&CHECK, &result).into_iter();
            found.map(|one| one.level).collect()
        };
        assert_eq!(levels(-10_000_000), []);
        assert_eq!(levels(-10_000_001), [Level::Note]);
        assert_eq!(levels(10_000_001), [Level::Note]);
    }
}

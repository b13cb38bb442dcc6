//! Threads that waited for a processor.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::checks::generator_cpu::GENERATOR_LEAST_NS;
use crate::health;
use crate::samples;
use fathom_core::figure::percent;
use fathom_core::result::{Evidence, GeneratorHealth, PhaseResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the time that a thread waited for a processor: noted, suspect
    RUN_QUEUE: (f64, f64) = (0.01, 0.05), Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether threads waited for a CPU",
    needs: Needs::OurRun(&[Evidence::RunQueue]),
    codes: &[
        entry! { GeneratorStarved: Generator, Machine, "suspect; note from {RUN_QUEUE.0}",
            "a thread waited for a CPU while another ran for more than {RUN_QUEUE.1} of the time, \
             {GENERATOR_LEAST_NS:one} or more; the wake-up time of an idle CPU is not included",
            [crate::checks::generator_cpu::row::GENERATOR_LEAST_NS, row::RUN_QUEUE],
            Example::Run(samples::reads, |r| {
                samples::account(r).generator.run_queue_ns = Some(samples::phase_ns(r) / 100 * 9);
            })
        },
    ],
    run: |result, caveats| health::each(result, caveats, judge),
};

fn judge(phase: &PhaseResult, health: &GeneratorHealth) -> Option<Caveat> {
    if phase.measured_ns < GENERATOR_LEAST_NS {
        return None;
    }
    let share = health.run_queue_ns? as f64 / phase.measured_ns as f64;
    let (note, suspect) = RUN_QUEUE;
    if share <= note {
        return None;
    }
    let level = if share > suspect {
        Level::Suspect
    } else {
        Level::Note
    };
    let message = format!(
        "a thread was ready to run but had no CPU for {} of the time",
        percent(share * 100.0)
    );
    let caveat = Code::GeneratorStarved.caveat(level, message);
    Some(caveat.remedy("stop other programs that use the CPUs, or use fewer threads"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::health::levels;
    use fathom_core::fixture;

    #[test]
    fn waiting_counts_by_its_share() {
        let measured = fixture::random_read().phases[0].measured_ns;
        let parts = [
            (100, None),
            (60, Some(Level::Note)),
            (15, Some(Level::Suspect)),
        ];
        for (part, expected) in parts {
            let health = GeneratorHealth {
                run_queue_ns: Some(measured / part),
                ..GeneratorHealth::default()
            };
            assert_eq!(levels(&CHECK, &health), expected.as_slice());
        }
    }
}

//! A load that was to become steady and did not.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, plural};
use fathom_core::result::{RunResult, SteadyReport};
use fathom_core::{Caveat, Level};

thresholds! {
    listed:

    /// Rounds of the window in which a load is steady
    fathom_core::spec::Steady::SNIA_ROUNDS as SNIA_ROUNDS, Count, Published "SNIA PTS, 2.1.24";
    /// Largest less smallest round of the window, of the mean
    fathom_core::spec::Steady::SNIA_RANGE as SNIA_RANGE, Percent, Published "SNIA PTS, 2.1.24";
    /// Excursion of the best-fit line over the window, of the mean
    fathom_core::spec::Steady::SNIA_SLOPE as SNIA_SLOPE, Percent, Published "SNIA PTS, 2.1.24";
    /// Rounds after which the search is given up
    fathom_core::spec::Steady::SNIA_MAX_ROUNDS as SNIA_MAX_ROUNDS, Count,
        Published "SNIA PTS, 2.1.24";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the steady-state rule was met, if one was asked for",
    needs: Needs::AnySource,
    codes: &[Entry {
        code: Code::NotSteady,
        group: Group::Steadiness,
        effect: Effect::Number,
        point: "1.2",
        level: "suspect",
        when: "the steady-state rule was asked for and not met: SNIA's (in {SNIA_ROUNDS} rounds a \
               range of {SNIA_RANGE} and a best-fit line that moves by {SNIA_SLOPE}, within \
               {SNIA_MAX_ROUNDS} rounds) unless the workload has others",
        thresholds: &[
            row::SNIA_ROUNDS,
            row::SNIA_RANGE,
            row::SNIA_SLOPE,
            row::SNIA_MAX_ROUNDS,
        ],
        example: Example::Run(samples::reads, |r| {
            samples::phase(r).steady = Some(SteadyReport {
                reached: false,
                rounds: vec![67_000.0; 25],
                range_percent: 31.4,
                excursion_percent: 12.2,
            });
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(steady) = phase.steady.as_ref().filter(|steady| !steady.reached) else {
            continue;
        };
        let message = format!(
            "not steady after {}: in the last window the range was {} of the mean and the \
             best-fit line moved by {}",
            plural(steady.rounds.len() as u64, "round"),
            percent(steady.range_percent),
            percent(steady.excursion_percent)
        );
        caveats.push(
            Code::NotSteady
                .caveat(Level::Suspect, message)
                .remedy(
                    "a longer warm-up (--warm-up), more rounds, or preconditioning of the device",
                )
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::SteadyReport;

    #[test]
    fn giving_up_is_suspect() {
        let mut result = fixture::random_read();
        let mut report = SteadyReport {
            reached: true,
            rounds: vec![110.0, 105.0, 100.0, 95.0, 90.0],
            range_percent: 20.0,
            excursion_percent: 20.0,
        };
        result.phases[0].steady = Some(report.clone());
        assert_eq!(found(&CHECK, &result), []);
        report.reached = false;
        result.phases[0].steady = Some(report);
        let expected = Code::NotSteady.caveat(Level::Suspect,
            "not steady after 5 rounds: in the last window the range was 20.0 % of the mean and \
             the best-fit line moved by 20.0 %",
        )
        .remedy("a longer warm-up (--warm-up), more rounds, or preconditioning of the device")
        .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

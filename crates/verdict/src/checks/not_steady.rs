//! A load that was to become steady and did not.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, megabytes, percent, plural, time};
use fathom_core::result::{RunResult, SteadyLimit, SteadyMiss, SteadyReport};
use fathom_core::spec::SteadyMetric;
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
    purpose: "whether the steady-state rule was met, if requested",
    needs: Needs::AnySource,
    codes: &[entry! { NotSteady: Steadiness, Number, "suspect",
        "the steady-state rule was requested but not met: SNIA's rule (over {SNIA_ROUNDS} rounds a \
         range of {SNIA_RANGE} and a best-fit line that moves by {SNIA_SLOPE}, within \
         {SNIA_MAX_ROUNDS} rounds), unless the workload sets another",
        [row::SNIA_ROUNDS, row::SNIA_RANGE, row::SNIA_SLOPE, row::SNIA_MAX_ROUNDS],
        Example::Run(samples::reads, |r| {
            samples::phase(r).steady = Some(SteadyReport {
                reached: false,
                rounds: vec![67_000.0; 25],
                range_percent: 31.4,
                excursion_percent: 12.2,
                missed: vec![miss(SteadyLimit::Range, None, 31.4, 20.0)],
            });
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(steady) = phase.steady.as_ref().filter(|steady| !steady.reached) else {
            continue;
        };
        let message = format!(
            "not steady after {}. In the last window {}",
            plural(steady.rounds.len() as u64, "round"),
            last_window(steady)
        );
        caveats.push(
            Code::NotSteady
                .caveat(Level::Suspect, message)
                .remedy("use a longer warm-up (--warm-up), more rounds, or precondition the device")
                .about(subject::phase(result, phase)),
        );
    }
}

/// What was too much in the last window, or what it was like where that is not known.
fn last_window(steady: &SteadyReport) -> String {
    if steady.missed.is_empty() {
        return format!(
            "the range was {} of the mean and the best-fit line moved by {}",
            percent(steady.range_percent),
            percent(steady.excursion_percent)
        );
    }
    let parts: Vec<String> = steady.missed.iter().map(too_much).collect();
    parts.join(", and ")
}

fn too_much(miss: &SteadyMiss) -> String {
    let figure = |value| {
        miss.metric
            .map_or_else(|| percent(value), |metric| amount(metric, value))
    };
    let (found, allowed) = (figure(miss.found), figure(miss.allowed));
    match miss.limit {
        SteadyLimit::Range => format!("the range was {found} of the mean (at most {allowed})"),
        SteadyLimit::Excursion => {
            format!("the best-fit line moved by {found} of the mean (at most {allowed})")
        }
        SteadyLimit::Deviation => {
            format!("a round was {found} away from the mean (at most {allowed})")
        }
        SteadyLimit::Slope => {
            format!("the best-fit line moved by {found} per round (at most {allowed})")
        }
    }
}

fn amount(metric: SteadyMetric, value: f64) -> String {
    match metric {
        SteadyMetric::Iops => format!("{} IOPS", iops(value)),
        SteadyMetric::Throughput => format!("{} MB/s", megabytes(value)),
        SteadyMetric::ServiceTime => time(value),
    }
}

const fn miss(
    limit: SteadyLimit,
    metric: Option<SteadyMetric>,
    found: f64,
    allowed: f64,
) -> SteadyMiss {
    SteadyMiss {
        limit,
        metric,
        found,
        allowed,
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
            missed: Vec::new(),
        };
        result.phases[0].steady = Some(report.clone());
        assert_eq!(found(&CHECK, &result), []);
        report.reached = false;
        result.phases[0].steady = Some(report);
        let expected = Code::NotSteady.caveat(Level::Suspect,
            "not steady after 5 rounds. In the last window the range was 20.0 % of the mean and \
             the best-fit line moved by 20.0 %",
        )
        .remedy("use a longer warm-up (--warm-up), more rounds, or precondition the device")
        .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn each_limit_is_named_in_its_unit() {
        let steady = SteadyReport {
            reached: false,
            rounds: Vec::new(),
            range_percent: 4.0,
            excursion_percent: 2.0,
            missed: vec![
                miss(SteadyLimit::Excursion, None, 12.2, 10.0),
                miss(SteadyLimit::Deviation, None, 3.0, 2.0),
                miss(
                    SteadyLimit::Deviation,
                    Some(SteadyMetric::Iops),
                    812.0,
                    100.0,
                ),
                miss(SteadyLimit::Slope, Some(SteadyMetric::Throughput), 3e6, 2e6),
                miss(
                    SteadyLimit::Slope,
                    Some(SteadyMetric::ServiceTime),
                    5e4,
                    1e4,
                ),
            ],
        };
        assert_eq!(
            last_window(&steady),
            "the best-fit line moved by 12.2 % of the mean (at most 10.0 %), and a round was 3.0 % \
             away from the mean (at most 2.0 %), and a round was 812.0 IOPS away from the mean (at \
             most 100.0 IOPS), and the best-fit line moved by 3.00 MB/s per round (at most 2.00 \
             MB/s), and the best-fit line moved by 50.0 µs per round (at most 10.0 µs)"
        );
    }
}

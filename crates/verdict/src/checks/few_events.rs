//! On how many events the highest percentile rests: a stall meets all requests that are
//! outstanding at once, and then many values are one event.

use crate::check::Check;
use crate::subject;
use crate::thresholds::{FEW_EVENTS, FEW_EVENTS_INTERVALS};
use fathom_core::figure::plural;
use fathom_core::interval::Part;
use fathom_core::result::{JobResult, PhaseResult, RunResult};
use fathom_core::summary::{LatencySummary, PERCENTILES};
use fathom_core::{Caveat, Level, Op};

pub(crate) const CHECK: Check = Check {
    codes: &["few_events"],
    needs: &[],
    purpose: "on how many events the highest percentile rests",
    run,
};

/// Requests are not kept one by one, so an event is an interval in which there was such a one:
/// several in one interval count once.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        for (op, one) in job.ops() {
            let Some((name, value)) = highest(&one.service_ns) else {
                continue;
            };
            let Some((events, all)) = events(phase, job, op, value) else {
                continue;
            };
            if all < FEW_EVENTS_INTERVALS || events > FEW_EVENTS {
                continue;
            }
            let message = format!(
                "p{name} of {} rests on {} of {all}: requests that were slow together are one \
                 event, and a longer run may show another value",
                op.name(),
                plural(events as u64, "interval"),
            );
            caveats.push(
                Caveat::new("few_events", Level::Note, message)
                    .remedy("a longer run, if this percentile is what matters")
                    .about(subject::job(result, phase, job)),
            );
        }
    }
}

/// The highest percentile from 99 on that the sample supports.
fn highest(summary: &LatencySummary) -> Option<(&'static str, u64)> {
    let tail = PERCENTILES.iter().filter(|(_, quantile)| *quantile >= 0.99);
    let mut values = tail.filter_map(|(name, _)| Some((*name, summary.percentile(name)?)));
    values.next_back()
}

/// Measured intervals in which a request took at least so long, and all.
fn events(phase: &PhaseResult, job: &JobResult, op: Op, value: u64) -> Option<(usize, usize)> {
    let number = phase.jobs.iter().position(|one| one.name == job.name)?;
    let measured = phase
        .intervals
        .iter()
        .filter(|one| one.part == Part::Measure);
    let summaries = measured.filter_map(|interval| {
        let ours = interval
            .jobs
            .iter()
            .find(|one| one.job as usize == number)?;
        Some(&ours.op(op)?.service_ns)
    });
    let longest: Vec<u64> = summaries
        .filter(|summary| summary.count > 0)
        .map(|summary| summary.max)
        .collect();
    let events = longest.iter().filter(|longest| **longest >= value).count();
    (events > 0).then_some((events, longest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    /// A run in whose first so many intervals the highest percentile was reached.
    fn with_events(number: usize) -> RunResult {
        let mut result = fixture::random_read();
        let phase = &mut result.phases[0];
        let summary = &phase.jobs[0].read.as_ref().expect("it reads").service_ns;
        let (_, value) = highest(summary).expect("there are enough");
        let measured = phase.intervals.iter_mut();
        let measured = measured.filter(|one| one.part == Part::Measure);
        for (index, interval) in measured.enumerate() {
            let read = interval.jobs[0].read.as_mut().expect("it reads");
            read.service_ns.count = read.ios;
            read.service_ns.max = if index < number { value } else { value - 1 };
        }
        result
    }

    #[test]
    fn a_tail_of_three_events_is_told() {
        assert_eq!(found(&CHECK, &with_events(4)), []);
        assert_eq!(found(&CHECK, &with_events(0)), []);
        let message = "p99.999 of read rests on 3 intervals of 60: requests that were slow \
                       together are one event, and a longer run may show another value";
        let expected = Caveat::new("few_events", Level::Note, message)
            .remedy("a longer run, if this percentile is what matters")
            .about("measure/read");
        assert_eq!(found(&CHECK, &with_events(3)), [expected]);
    }
}

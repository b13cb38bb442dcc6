//! On how many events the highest percentile rests: a stall meets all requests that are
//! outstanding at once, and then many values are one event.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, decimal, plural};
use fathom_core::histogram::lower_edge_ns;
use fathom_core::interval::Part;
use fathom_core::result::{JobResult, OpResult, PhaseResult, RunResult, SlowRequest};
use fathom_core::result::{SlowEvent, slow_events};
use fathom_core::summary::{LatencySummary, PERCENTILES, beyond};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Events or intervals that are few for the highest percentile: the example has three
    FEW_EVENTS: usize = 3, Count, Decided;
    /// Intervals that there have to be, to tell few from all: ten requests that are slow by chance
    /// meet so few in 1 of 1000 runs
    FEW_EVENTS_INTERVALS: usize = 10, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "how many independent events the highest percentile is based on",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { FewEvents: Tail, Number, "note",
        "the requests beyond the highest percentile completed in {FEW_EVENTS:word} events or \
         fewer; if not all of them were recorded, it was reached in {FEW_EVENTS:word} or fewer of \
         {FEW_EVENTS_INTERVALS:word} or more intervals",
        [row::FEW_EVENTS, row::FEW_EVENTS_INTERVALS],
        Example::Run(samples::reads, |r| {
            let stalls = (0..40).map(|index| SlowRequest {
                issued_ns: 12_000_000_000 + index % 3 * 9_250_000_000,
                service_ns: 250_000_000 - index * 1_000,
                ..SlowRequest::default()
            });
            samples::reads_of(r).slowest = stalls.collect();
            // One that was no longer beyond the percentile.
            samples::reads_of(r).slowest.push(SlowRequest::default());
        })
    }],
    run,
};

/// A percentile, and what lies beyond it.
struct Tail {
    name: &'static str,
    value_ns: u64,
    requests: u64,
}

/// Where all requests beyond the percentile were kept, they are counted as events; elsewhere an
/// event is an interval in which there was such a request: several in one count once.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        for (op, one) in job.ops.present() {
            let Some(tail) = highest(&one.service_ns) else {
                continue;
            };
            let found = match by_request(one, &tail) {
                Some(events) => few(&events).then(|| of_requests(&tail, op, &events)),
                None => by_interval(phase, job, op, tail.value_ns)
                    .filter(|(events, all)| *all >= FEW_EVENTS_INTERVALS && *events <= FEW_EVENTS)
                    .map(|(events, all)| of_intervals(&tail, op, one, events, all)),
            };
            let Some(message) = found else { continue };
            caveats.push(
                Code::FewEvents
                    .caveat(Level::Note, message)
                    .remedy("run longer if this percentile matters")
                    .about(subject::job(result, phase, job)),
            );
        }
    }
}

/// The highest percentile from 99 on that the sample supports.
fn highest(summary: &LatencySummary) -> Option<Tail> {
    let tails = PERCENTILES.iter().filter(|(_, quantile)| *quantile >= 0.99);
    let mut tails = tails.filter_map(|(name, quantile)| {
        Some(Tail {
            name,
            value_ns: summary.percentile(name)?,
            requests: beyond(summary.count, *quantile),
        })
    });
    tails.next_back()
}

/// The events behind the requests beyond a percentile, and behind those that were no faster than
/// they; none where not all of them were kept. Without the equals, those of a device that always
/// takes the same time would be the first ones, and one event.
fn by_request(one: &OpResult, tail: &Tail) -> Option<Vec<SlowEvent>> {
    let apart_ns = one.service_ns.percentile("50")?;
    let beyond = usize::try_from(tail.requests).ok()?;
    let (slow, others) = one.slowest.split_at_checked(beyond)?;
    let edge_ns = lower_edge_ns(slow.last()?.service_ns);
    let equals = others.iter().take_while(|one| one.service_ns >= edge_ns);
    let slow = &one.slowest[..beyond + equals.count()];
    let all_are_kept = slow.len() < one.slowest.len() || slow.len() as u64 == one.ios;
    all_are_kept.then(|| slow_events(slow, apart_ns))
}

fn few(events: &[SlowEvent]) -> bool {
    (1..=FEW_EVENTS).contains(&events.len())
}

fn of_requests(tail: &Tail, op: Op, events: &[SlowEvent]) -> String {
    let at: Vec<String> = events.iter().map(|event| at(event.first_ns)).collect();
    let requests: usize = events.iter().map(|event| event.requests).sum();
    format!(
        "p{} of {} is based on {}. The {} slowest requests completed together at {} of the phase. \
         A longer run may show another value",
        tail.name,
        op.name(),
        plural(events.len() as u64, "event"),
        count(requests as u64),
        listed(&at),
    )
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} and {last}", others.join(", ")),
    }
}

/// An instant, to a millisecond.
fn at(instant_ns: u64) -> String {
    format!("{} s", decimal(instant_ns as f64 / 1e9, 3))
}

fn of_intervals(tail: &Tail, op: Op, one: &OpResult, events: usize, all: usize) -> String {
    let kept = match one.slowest.len() as u64 {
        0 => String::new(),
        kept => format!(
            " (of the {} requests beyond it, only the slowest {} were recorded)",
            count(tail.requests),
            count(kept)
        ),
    };
    format!(
        "p{} of {} is based on {} of {all}{kept}. Requests that were slow together count as one \
         event. A longer run may show another value",
        tail.name,
        op.name(),
        plural(events as u64, "interval"),
    )
}

/// Measured intervals in which a request took at least a given time, and all.
fn by_interval(
    phase: &PhaseResult,
    job: &JobResult,
    op: Op,
    value_ns: u64,
) -> Option<(usize, usize)> {
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
        Some(&ours.ops.get(op)?.service_ns)
    });
    let longest: Vec<u64> = summaries
        .filter(|summary| summary.count > 0)
        .map(|summary| summary.max)
        .collect();
    let events = longest
        .iter()
        .filter(|longest| **longest >= value_ns)
        .count();
    (events > 0).then_some((events, longest.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::SlowRequest;

    /// What the fixture's reads have.
    fn reads(result: &mut RunResult) -> &mut OpResult {
        let read = &mut result.phases[0].jobs[0].ops[Op::Read];
        read.as_mut().expect("it reads")
    }

    /// A run in whose first so many intervals the highest percentile was reached.
    fn with_events(number: usize) -> RunResult {
        let mut result = fixture::random_read();
        let value_ns = highest(&reads(&mut result).service_ns).map(|tail| tail.value_ns);
        let value_ns = value_ns.expect("there are enough");
        let measured = result.phases[0].intervals.iter_mut();
        let measured = measured.filter(|one| one.part == Part::Measure);
        for (index, interval) in measured.enumerate() {
            let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
            read.service_ns.count = read.ios;
            read.service_ns.max = if index < number {
                value_ns
            } else {
                value_ns - 1
            };
        }
        result
    }

    /// The `kept` slowest requests of a run, in so many stalls a second apart.
    fn in_stalls(kept: usize, stalls: usize) -> RunResult {
        let mut result = with_events(0);
        let read = reads(&mut result);
        let slow = |index: usize| SlowRequest {
            issued_ns: (index % stalls) as u64 * 1_000_000_000 + 500_000_000,
            service_ns: 9_000_000 - index as u64 * 10_000,
            offset: index as u64 * 4096,
            bytes: 4096,
            ..SlowRequest::default()
        };
        read.slowest = (0..kept).map(slow).collect();
        result
    }

    /// A run of which all requests from the given one on took the same time, each a second after
    /// the one before.
    fn alike_from(first: usize) -> RunResult {
        let mut result = in_stalls(100, 1);
        for (index, one) in reads(&mut result).slowest[first..].iter_mut().enumerate() {
            one.service_ns = 8_000_000;
            one.issued_ns += index as u64 * 1_000_000_000;
        }
        result
    }

    #[test]
    fn equals_of_the_last_one_beyond_it_belong_to_it() {
        // 38 in one event; the two beyond the percentile that follow have so many equals that
        // not all were kept.
        assert_eq!(found(&CHECK, &alike_from(38)), []);
        // Had the equals ended with the fourth, there would be five events: the one, and four.
        let mut result = alike_from(38);
        for one in &mut reads(&mut result).slowest[42..] {
            one.service_ns = 7_000_000;
        }
        assert_eq!(found(&CHECK, &result), []);
        for one in &mut reads(&mut result).slowest[40..] {
            one.service_ns = 7_000_000;
        }
        assert_eq!(found(&CHECK, &result).len(), 1);
    }

    fn note(message: &str) -> Caveat {
        Code::FewEvents
            .caveat(Level::Note, message)
            .remedy("run longer if this percentile matters")
            .about("measure/read")
    }

    #[test]
    fn the_requests_beyond_the_percentile_are_counted_as_events() {
        let expected = note(
            "p99.999 of read is based on 3 events. The 40 slowest requests completed together at \
             0.509 s, 1.509 s and 2.509 s of the phase. A longer run may show another value",
        );
        assert_eq!(found(&CHECK, &in_stalls(100, 3)), [expected]);
        assert_eq!(found(&CHECK, &in_stalls(100, 4)), []);
    }

    #[test]
    fn only_those_beyond_it_are_looked_at() {
        // The fastest of the kept ones are an event of their own.
        let mut result = in_stalls(100, 1);
        let read = reads(&mut result);
        for one in &mut read.slowest[40..] {
            one.issued_ns += 7_000_000_000 + one.offset * 1_000_000;
        }
        let events = found(&CHECK, &result).len();
        read_as_one(&mut result);
        assert_eq!((events, found(&CHECK, &result).len()), (1, 0));
    }

    /// The 40 slowest each by itself.
    fn read_as_one(result: &mut RunResult) {
        for one in &mut reads(result).slowest[..40] {
            one.issued_ns += one.offset * 1_000_000;
        }
    }

    #[test]
    fn where_too_few_are_kept_intervals_are_counted() {
        let mut result = with_events(3);
        let stalls = in_stalls(39, 1);
        reads(&mut result)
            .slowest
            .clone_from(&reads(&mut stalls.clone()).slowest);
        let expected = note(
            "p99.999 of read is based on 3 intervals of 60 (of the 40 requests beyond it, only the \
             slowest 39 were recorded). Requests that were slow together count as one event. A \
             longer run may show another value",
        );
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn a_tail_of_three_intervals_is_told() {
        assert_eq!(found(&CHECK, &with_events(4)), []);
        assert_eq!(found(&CHECK, &with_events(0)), []);
        let expected = note(
            "p99.999 of read is based on 3 intervals of 60. Requests that were slow together count \
             as one event. A longer run may show another value",
        );
        assert_eq!(found(&CHECK, &with_events(3)), [expected]);
    }
}

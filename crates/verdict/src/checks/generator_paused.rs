//! Times over which the generator itself did not run: stopped by a signal, by a debugger, with its
//! virtual machine. What was outstanding or came due meanwhile was late on its account.
//!
//! What the storage alone does is what the other intervals show. The whole distribution is compared
//! with that of the intervals that neither a pause nor its backlog reached.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::pauses;
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::histogram::Histogram;
use fathom_core::result::{
    Evidence, IntervalOp, JobResult, LoadModel, Pause, PhaseResult, RunResult,
};
use fathom_core::summary::{LatencySummary, PERCENTILES, supports};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Part of a percentile from which it is not the storage's alone: by less, intervals differ by
    /// themselves
    PAUSE_LIFT: f64 = 0.25, Share, Decided;
    /// Part of a percentile below which it is the kernel's wake-up
    PAUSE_LEAST_NS: u64 = 1_000_000, Nanoseconds, Decided;
    /// Time that a backlog takes to be served, over the length of the pause that made it: as long,
    /// where the storage could do twice what it was asked
    PAUSE_DRAIN: f64 = 1.0, Times, Decided;
    /// Length of a pause that is reported in any case
    PAUSE_LONG_NS: u64 = 100_000_000, Nanoseconds, Decided;
    /// Share of the measured time in pauses from which the rate is not the storage's alone
    PAUSED: f64 = 0.05, Share, Decided;

    listed:

    /// Lateness of a thread that only sleeps from which it is a pause: a time slice or two are
    /// shorter
    fathom_core::result::Pause::LEAST_NS as PAUSE_SEEN_NS, Nanoseconds, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether fathom itself was paused, and which times it affects",
    needs: Needs::OurRun(&[Evidence::Hiccups]),
    codes: &[entry! { GeneratorPaused: Generator, Machine, "suspect",
        "a thread that only sleeps woke {PAUSE_SEEN_NS} late or more; this added more than \
         {PAUSE_LIFT} and {PAUSE_LEAST_NS} to a percentile, took {PAUSED} of the measured \
         time, or lasted {PAUSE_LONG_NS}",
        [row::PAUSE_SEEN_NS, row::PAUSE_LIFT, row::PAUSE_LEAST_NS, row::PAUSE_DRAIN,
            row::PAUSE_LONG_NS, row::PAUSED],
        Example::Run(samples::reads, |r| {
            samples::account(r).generator.pauses = vec![Pause {
                start_ns: 7_100_000_000,
                length_ns: 804_000_000,
            }];
        })
    }],
    run,
};

const REMEDY: &str = "measure again without stopping fathom or its machine. Until then, read only \
                      the intervals outside that time";

/// A percentile that the pauses lifted.
struct Lifted {
    name: &'static str,
    whole_ns: u64,
    /// What the storage alone has; none where too little is left to say.
    alone_ns: Option<u64>,
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let pauses = pauses::of(phase);
        if pauses.is_empty() {
            continue;
        }
        let mut found = Vec::new();
        for (number, job) in phase.jobs.iter().enumerate() {
            for (op, one) in job.ops.present() {
                let calm = calm(phase, number, op, &pauses);
                let lifted = lifted(phase, job, &one.response_ns, calm.as_ref(), &pauses);
                let message = of_lifted(job, op, &lifted, &pauses);
                let about = subject::job(result, phase, job);
                found.extend(message.map(|message| caveat(message).about(about)));
            }
        }
        if found.is_empty() {
            let message = of_rate(phase, &pauses);
            let about = subject::phase(result, phase);
            found.extend(message.map(|message| caveat(message).about(about)));
        }
        caveats.append(&mut found);
    }
}

fn caveat(message: String) -> Caveat {
    Code::GeneratorPaused
        .caveat(Level::Suspect, message)
        .remedy(REMEDY)
}

/// What the intervals hold that no pause reached; none if there is none, or it was not kept.
fn calm(phase: &PhaseResult, number: usize, op: Op, pauses: &[Pause]) -> Option<Histogram> {
    let measured: Vec<_> = pauses::measured(phase).collect();
    let mut calm = Histogram::new();
    for group in measured.chunks(phase.histogram_intervals.max(1) as usize) {
        let reached = |begin: u64, end: u64| {
            let late_ns = |one: &Pause| (one.length_ns as f64 * PAUSE_DRAIN) as u64;
            let mut all = pauses.iter();
            all.any(|one| one.start_ns < end && one.end_ns().saturating_add(late_ns(one)) > begin)
        };
        if group
            .iter()
            .any(|one| reached(one.start_ns, one.start_ns.saturating_add(one.length_ns)))
        {
            continue;
        }
        let jobs = group.first()?.jobs.iter();
        let ours = jobs.filter(|job| job.job as usize == number);
        let kept = |one: &IntervalOp| {
            let times = one.response_histogram.as_ref();
            times.or(one.service_histogram.as_ref())?.decode().ok()
        };
        for one in ours.filter_map(|job| job.ops.get(op)) {
            calm.add(&kept(one)?);
        }
    }
    (!calm.is_empty()).then_some(calm)
}

/// The percentiles above which the pauses put something: if the pauses reached as many requests,
/// for as long, as the difference needs.
fn lifted(
    phase: &PhaseResult,
    job: &JobResult,
    whole: &LatencySummary,
    calm: Option<&Histogram>,
    pauses: &[Pause],
) -> Vec<Lifted> {
    let length_ns: u64 = pauses.iter().map(|one| one.length_ns).sum();
    let most_ns = length_ns as f64 * (1.0 + PAUSE_DRAIN);
    let reached = match job.load_model {
        LoadModel::Open => most_ns / phase.measured_ns.max(1) as f64,
        _ => (pauses.len() as u64 * job.queue_depth_possible) as f64 / whole.count.max(1) as f64,
    };
    let of = |(name, quantile): &(&'static str, f64)| {
        let whole_ns = whole.percentile(name)?;
        let beyond = 1.0 - quantile;
        if *quantile < 0.5 || reached < beyond / 2.0 {
            return None;
        }
        let alone_ns = calm
            .filter(|calm| supports(calm.len(), *quantile))
            .map(|calm| calm.quantile_ns(*quantile));
        // Of a value that is far beyond any pause, or that has nothing to compare with, nothing is
        // known.
        let own_ns = whole_ns.saturating_sub(alone_ns.unwrap_or(0));
        let is_lifted = own_ns >= PAUSE_LEAST_NS
            && own_ns as f64 >= whole_ns as f64 * PAUSE_LIFT
            && own_ns as f64 <= most_ns;
        let is_long = alone_ns.is_some() || pauses.iter().any(|one| one.length_ns <= 2 * whole_ns);
        (is_lifted && is_long).then_some(Lifted {
            name,
            whole_ns,
            alone_ns,
        })
    };
    PERCENTILES.iter().filter_map(of).collect()
}

fn of_lifted(job: &JobResult, op: Op, lifted: &[Lifted], pauses: &[Pause]) -> Option<String> {
    let (first, last) = (lifted.first()?, lifted.last()?);
    let mut ends = vec![first];
    if first.name != last.name {
        ends.push(last);
    }
    let whole: Vec<String> = ends
        .iter()
        .map(|one| format!("p{} of {}", one.name, time(one.whole_ns as f64)))
        .collect();
    let alone: Vec<String> = ends
        .iter()
        .filter_map(|one| Some(format!("p{} {}", one.name, time(one.alone_ns? as f64))))
        .collect();
    let times = match job.load_model {
        LoadModel::Open => "response",
        _ => "service",
    };
    let storage = if alone.is_empty() {
        "Too few requests are left to evaluate the storage alone".to_owned()
    } else {
        format!("Outside that time the storage has {}", alone.join(" and "))
    };
    Some(format!(
        "{} {times} time: {} {} caused by fathom itself, which was paused {}. {storage}",
        op.name(),
        whole.join(" to "),
        if ends.len() > 1 { "are" } else { "is" },
        pauses::words(pauses),
    ))
}

/// Where no percentile shows them: a long pause, or many.
fn of_rate(phase: &PhaseResult, pauses: &[Pause]) -> Option<String> {
    let share = pauses::paused_ns(phase) as f64 / phase.measured_ns.max(1) as f64;
    let is_long = pauses.iter().any(|one| one.length_ns >= PAUSE_LONG_NS);
    (is_long || share >= PAUSED).then(|| {
        format!(
            "fathom itself was paused {}, {} of the measured time. It affects the rate and the \
             longest times",
            pauses::words(pauses),
            percent(share * 100.0)
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Rate;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::EncodedHistogram;
    use fathom_core::spec::{Arrivals, Pacing};

    /// 60 s at 2,000 a second, 0.1 ms each; but in the interval from 7 to 8 s, and the following
    /// one, as many milliseconds as a stop from 7.1 s on for so long makes of them.
    fn stopped(length_ms: u64, pause: Option<Pause>) -> RunResult {
        let pacing = Pacing::Open {
            rate: Rate::Iops(2_000.0),
            arrivals: Arrivals::Constant,
        };
        let plan = JobPlan {
            pacing,
            service_ns: Some(100_000),
            ..JobPlan::closed(
                "read",
                32,
                vec![Stream::random(Op::Read, 4096, series(2_000, 60))],
            )
        };
        let mut result = fixture::run("paced", &[("measure", vec![plan])]);
        let phase = &mut result.phases[0];
        let mut whole = Histogram::new();
        for interval in &mut phase.intervals {
            let mut times = Histogram::new();
            let is_stopped = interval.start_ns == 7_000_000_000;
            let late = if is_stopped { length_ms * 2 } else { 0 };
            for number in 0..late {
                times.record(length_ms * 1_000_000 - number * 500_000);
            }
            for _ in late..2_000 {
                times.record(100_000);
            }
            let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
            read.response_histogram = Some(EncodedHistogram::of(&times));
            whole.add(&times);
        }
        let read = phase.jobs[0].ops[Op::Read].as_mut().expect("it reads");
        read.response_ns = whole.summary();
        phase.ledger.get_or_insert_default().generator.pauses = pause.into_iter().collect();
        result
    }

    const fn pause(length_ms: u64) -> Pause {
        Pause {
            start_ns: 7_100_000_000,
            length_ns: length_ms * 1_000_000,
        }
    }

    fn said(message: &str, about: &str) -> Caveat {
        caveat(message.to_owned()).about(about)
    }

    #[test]
    fn what_a_pause_puts_above_a_percentile_is_the_generators() {
        let message = "read response time: p99 of 200 ms to p99.99 of 794 ms are caused by fathom \
                       itself, which was paused from 7.10 to 7.90 s of the phase. Outside that \
                       time the storage has p99 100 µs and p99.99 100 µs";
        assert_eq!(
            found(&CHECK, &stopped(800, Some(pause(800)))),
            [said(message, "measure/read")]
        );
    }

    #[test]
    fn the_same_times_without_a_pause_are_the_storages() {
        assert_eq!(found(&CHECK, &stopped(800, None)), []);
        // Nor does a short pause explain what is longer, or reaches more requests than it can.
        assert_eq!(found(&CHECK, &stopped(800, Some(pause(12)))), []);
    }

    #[test]
    fn a_long_pause_that_no_percentile_shows_is_told_all_the_same() {
        let message = "fathom itself was paused from 7.10 to 7.25 s of the phase, 0.2 % of the \
                       measured time. It affects the rate and the longest times";
        assert_eq!(
            found(&CHECK, &stopped(0, Some(pause(150)))),
            [said(message, "measure")]
        );
        assert_eq!(found(&CHECK, &stopped(0, Some(pause(99)))), []);
    }

    #[test]
    fn where_nothing_is_left_nothing_is_said_of_the_storage() {
        let mut result = stopped(800, Some(pause(800)));
        for interval in &mut result.phases[0].intervals {
            let read = interval.jobs[0].ops[Op::Read].as_mut().expect("it reads");
            read.response_histogram = None;
        }
        let message = "read response time: p99.9 of 740 ms to p99.99 of 794 ms are caused by \
                       fathom itself, which was paused from 7.10 to 7.90 s of the phase. Too few \
                       requests are left to evaluate the storage alone";
        assert_eq!(found(&CHECK, &result), [said(message, "measure/read")]);
    }
}

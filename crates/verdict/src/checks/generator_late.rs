//! Response times of an open load that are lateness of the generator: a slot was free, and the
//! thread came late, because it slept too long or others had its CPU. The storage did not see the
//! request yet.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{percent, time};
use fathom_core::result::{JobResult, Lateness, LoadModel, OpResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Part of a percentile of the response time from which the generator is named
    LATE: f64 = 0.25, Share, Decided;
    /// What it adds to a percentile for a note: a wake-up of the kernel is shorter
    LATE_NOTED_NS: u64 = 200_000, Nanoseconds, Decided;
    /// What it adds to a percentile that is qualified
    LATE_QUALIFIED_NS: u64 = 1_000_000, Nanoseconds, Decided;
}

/// Percentiles that are named. What is beyond p99.9 rests on one pause in minutes.
const NAMED: [&str; 4] = ["50", "90", "99", "99.9"];

pub(crate) const CHECK: Check = Check {
    purpose: "whether fathom submitted the requests of an open load in time",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { GeneratorLate: Generator, Machine,
        "qualified from {LATE_QUALIFIED_NS} on; else note",
        "{LATE} and {LATE_NOTED_NS} or more of the p50, p90, p99 or p99.9 of the response time \
         are lateness of fathom itself, with a slot free",
        [row::LATE, row::LATE_NOTED_NS, row::LATE_QUALIFIED_NS],
        Example::Run(samples::reads, |r| {
            let job = &mut samples::phase(r).jobs[0];
            (job.load_model, job.queued) = (LoadModel::Open, Some(0));
            let response = &mut samples::reads_of(r).response_ns;
            *response.percentiles.entry("99.9".to_owned()).or_default() += 4_000_000;
        })
    }],
    run,
};

const REMEDY: &str = "give fathom a CPU of its own (--affinity), use more threads, or read the \
                      service time, which does not include the lateness";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        // The kernel serves such a request while it is submitted: the next one is late by that.
        let is_buffered = spec.is_some_and(|spec| !spec.durability.direct);
        if is_buffered && subject::is_by(result, job, |engine| engine.buffers_synchronously) {
            continue;
        }
        let about = subject::job(result, phase, job);
        // What was paused for long is named with its time, and what a replay issued late with it.
        let names_lag = |one: &Caveat| Code::GeneratorPaused.is(one) || Code::ReplayLate.is(one);
        if caveats
            .iter()
            .any(|one| names_lag(one) && one.subject == about)
        {
            continue;
        }
        for (op, one) in job.ops.present() {
            let found = judge(job, op, one);
            caveats.extend(found.map(|caveat| caveat.about(about.clone())));
        }
    }
}

fn judge(job: &JobResult, op: Op, one: &OpResult) -> Option<Caveat> {
    let is_late = |late: &Lateness| {
        NAMED.contains(&late.percentile)
            && late.generator_ns() >= LATE_NOTED_NS
            && late.generator_share() >= LATE
    };
    let late: Vec<Lateness> = Lateness::of(job, one).filter(is_late).collect();
    let most = late.iter().map(|one| one.generator_ns()).max()?;
    let level = if most >= LATE_QUALIFIED_NS {
        Level::Qualified
    } else {
        Level::Note
    };
    let part = |late: &Lateness| {
        format!(
            "{} of p{} ({}, {})",
            time(late.generator_ns() as f64),
            late.percentile,
            time(late.response_ns as f64),
            percent(late.generator_share() * 100.0)
        )
    };
    let parts: Vec<String> = late.iter().map(part).collect();
    let message = format!(
        "{} response time: {} are lateness of fathom itself. The storage did not have these \
         requests yet",
        op.name(),
        parts.join(" and ")
    );
    Some(Code::GeneratorLate.caveat(level, message).remedy(REMEDY))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    /// Reads whose p99 and p99.9 are as much above the service time.
    fn late(queued: Option<u64>, p99_ns: u64, p999_ns: u64) -> RunResult {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        (job.load_model, job.queued) = (LoadModel::Open, queued);
        let read = job.ops[Op::Read].as_mut().expect("it reads");
        for (name, late) in [("99", p99_ns), ("99.9", p999_ns)] {
            let service = read
                .service_ns
                .percentiles
                .get_mut(name)
                .expect("it is said");
            *service = 200_000;
            read.response_ns
                .percentiles
                .insert(name.to_owned(), 200_000 + late);
        }
        result
    }

    fn said(level: Level, message: &str) -> Caveat {
        Code::GeneratorLate
            .caveat(level, message)
            .remedy(REMEDY)
            .about("measure/read")
    }

    #[test]
    fn lateness_is_noted_and_from_a_millisecond_on_qualifies() {
        assert_eq!(found(&CHECK, &late(Some(0), 10_000, 199_999)), []);
        let message = "read response time: 200 µs of p99.9 (400 µs, 50.0 %) are lateness of fathom \
                       itself. The storage did not have these requests yet";
        let noted = said(Level::Note, message);
        assert_eq!(found(&CHECK, &late(Some(0), 10_000, 200_000)), [noted]);
        let message = "read response time: 600 µs of p99 (800 µs, 75.0 %) and 3.80 ms of p99.9 \
                       (4.00 ms, 95.0 %) are lateness of fathom itself. The storage did not have \
                       these requests yet";
        let qualified = said(Level::Qualified, message);
        assert_eq!(
            found(&CHECK, &late(Some(0), 600_000, 3_800_000)),
            [qualified]
        );
    }

    #[test]
    fn what_waited_for_a_slot_or_is_not_known_accuses_nobody() {
        assert_eq!(found(&CHECK, &late(None, 600_000, 3_800_000)), []);
        assert_eq!(found(&CHECK, &late(Some(u64::MAX), 600_000, 3_800_000)), []);
        let mut closed = late(Some(0), 600_000, 3_800_000);
        closed.phases[0].jobs[0].load_model = LoadModel::Closed;
        assert_eq!(found(&CHECK, &closed), []);
    }
}

//! Little's law: did the generator keep the queue full that the headline claims?
//!
//! The mean number of outstanding requests is the integral of their number over time divided by
//! the time; in a closed loop of N slots it would be N if a slot were never empty. What is
//! missing is the generator's time from a completion to the next submission. (J. D. C. Little,
//! "Little's Law as Viewed on Its 50th Anniversary", Operations Research 59, 2011.)
//!
//! The mixed form, `X = N / (p R_r + (1 - p) R_w)`, holds the operations against each other: rate
//! times mean service time, summed over all of them, is the mean number outstanding once more, out
//! of other books. More than all slots is impossible there as well.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, iops, outstanding, percent, time};
use fathom_core::result::{JobResult, LoadModel, OpResult, RunResult};
use fathom_core::spec::{Job, Pacing};
use fathom_core::{Caveat, EngineKind, Level, Nanos, Op};

thresholds! {
    /// Share of the slots of a closed loop that hold a request from which its queue was full: what
    /// is missing is within the reading of the clock
    FULL: f64 = 0.98, Share, Decided,
        calibrated "all published runs that we recomputed and that filled their queue are at 98.6 \
                    % or above";
    /// Share of held slots below which the headline's depth is not the one that was measured
    NEARLY_FULL: f64 = 0.95, Share, Decided;
    /// Share of held slots below which the generator and not the storage sets the pace
    HALF_HEARTED: f64 = 0.90, Share, Decided;
    /// Requests outstanding over slots: more cannot be, so times or counts are wrong
    IMPOSSIBLE: f64 = 1.005, Times, Decided;
    /// Sum of the service times over requests outstanding times time: below that requests waited
    /// whose time is in no figure; the time of those in flight at the end is allowed for
    EXPLAINED: f64 = 0.95, Share, Decided;
    /// Minimum number of requests; below it, the start and end of the measured time distort the
    /// result
    LEAST_IOS: u64 = 1_000, Count, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether a closed loop achieved its queue depth",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { Accounting: Number, Number, "invalid",
            "more requests were outstanding than possible (more than {IMPOSSIBLE} the depth), as \
             counted or as rate times service time; or the service times add up to less than \
             {EXPLAINED} of the outstanding requests times the duration",
            [row::IMPOSSIBLE, row::EXPLAINED, row::LEAST_IOS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).jobs[0].queue_depth_held = 33.0;
            })
        },
        entry! { GeneratorBound: Generator, Machine, "suspect",
            "a closed loop achieved less than {HALF_HEARTED} of its queue depth",
            [row::HALF_HEARTED, row::LEAST_IOS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).jobs[0].queue_depth_held = 22.5;
            })
        },
        entry! { SubmissionGaps: Generator, Machine, "qualified; note from {NEARLY_FULL}",
            "the achieved queue depth was {HALF_HEARTED:bare} to {FULL}",
            [row::FULL, row::NEARLY_FULL, row::HALF_HEARTED, row::LEAST_IOS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).jobs[0].queue_depth_held = 29.8;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    // The null engine completes at once: its queue is empty by design.
    if result.provenance.engine.is(EngineKind::is_nowhere) {
        return;
    }
    for (phase, job, spec) in subject::jobs(result) {
        if is_full_loop(job, spec) {
            let about = subject::job(result, phase, job);
            let found = judge(job).or_else(|| mixed(job)).or_else(|| explained(job));
            caveats.extend(found.map(|caveat| caveat.about(about)));
        }
    }
}

/// Whether the job is to keep its queue full all the time.
fn is_full_loop(job: &JobResult, spec: Option<&Job>) -> bool {
    let never_pauses = spec.is_none_or(|spec| {
        let pauses = match spec.pacing {
            Pacing::Closed { think, .. } => think > Nanos::ZERO,
            _ => false,
        };
        // A flush after a number of writes lets the queue run empty before it.
        !pauses && !spec.stop.is_set() && spec.durability.sync.is_none()
    });
    job.load_model == LoadModel::Closed
        && never_pauses
        // Of a thread in the kernel it is not known what it held last.
        && job.stuck.is_none()
        && job.completed + job.failed >= LEAST_IOS
        && job.queue_depth_possible > 0
}

fn judge(job: &JobResult) -> Option<Caveat> {
    let slots = job.queue_depth_possible;
    let held = job.queue_depth_held;
    let ratio = held / slots as f64;
    if ratio > IMPOSSIBLE {
        let message = format!(
            "{} outstanding requests were counted on average, but only {} are possible. Times or \
             counts are wrong",
            outstanding(held),
            count(slots)
        );
        let remedy = "report this as a defect of fathom, with the JSON result";
        return Some(
            Code::Accounting
                .caveat(Level::Invalid, message)
                .remedy(remedy),
        );
    }
    let (code, level) = match ratio {
        full if full >= FULL => return None,
        nearly if nearly >= NEARLY_FULL => (Code::SubmissionGaps, Level::Note),
        short if short >= HALF_HEARTED => (Code::SubmissionGaps, Level::Qualified),
        _ => (Code::GeneratorBound, Level::Suspect),
    };
    let done = (job.completed + job.failed) as f64;
    let gap_ns = (slots as f64 - held) * job.active_ns as f64 / done;
    let message = format!(
        "the achieved queue depth was {}, not {}: on average {} of the request slots were empty. \
         The load generator took {} from a completion to the next submission",
        outstanding(held),
        count(slots),
        percent((1.0 - ratio) * 100.0),
        time(gap_ns)
    );
    let remedy = "spread the queue depth over more threads, or report the achieved queue depth";
    Some(code.caveat(level, message).remedy(remedy))
}

/// Holds the sum of rate times mean service time over all operations against the slots.
fn mixed(job: &JobResult) -> Option<Caveat> {
    let busy_ns: f64 = job
        .ops
        .present()
        .map(|(_, one)| one.ios as f64 * one.service_ns.mean)
        .sum();
    let slots = job.queue_depth_possible as f64;
    let time_ns = job.active_ns as f64;
    // A request under way when the measured time begins counts there with all of its own time.
    let longest_ns = job.ops.present().map(|(_, one)| one.service_ns.max).max()?;
    if time_ns == 0.0 || busy_ns <= slots * (time_ns * IMPOSSIBLE + longest_ns as f64) {
        return None;
    }
    let part = |op: Op, one: &OpResult| {
        let rate = one.ios as f64 / (time_ns / 1e9);
        let each = time(one.service_ns.mean);
        format!("{} {} × {each}", op.name(), iops(rate))
    };
    let parts: Vec<String> = job.ops.present().map(|(op, one)| part(op, one)).collect();
    let message = format!(
        "rates times mean service times ({}) give {} outstanding requests, but only {} are \
         possible. Rates or times are wrong",
        parts.join(", "),
        outstanding(busy_ns / time_ns),
        count(job.queue_depth_possible)
    );
    let remedy = "report this as a defect of fathom, with the JSON result";
    Some(
        Code::Accounting
            .caveat(Level::Invalid, message)
            .remedy(remedy),
    )
}

/// Holds the requests outstanding against the times that were recorded: each of them waited, and
/// its time has to be somewhere.
fn explained(job: &JobResult) -> Option<Caveat> {
    // The time of what failed or was short is no service time.
    if job.failed + job.short() > 0 || job.active_ns == 0 {
        return None;
    }
    let times = || job.ops.present().map(|(_, one)| &one.service_ns);
    let sum_ns: f64 = times().map(|one| one.count as f64 * one.mean).sum();
    // A model that does not serve request by request has no times. Times of zero are some.
    if times().all(|one| one.count == 0) {
        return None;
    }
    // Those in flight at the end had as much behind them at most as the longest.
    let longest_ns = times().map(|one| one.max).max()? as f64;
    let held_ns = job.queue_depth_held * job.active_ns as f64;
    let edge_ns = job.queue_depth_possible as f64 * longest_ns;
    if sum_ns + edge_ns >= held_ns * EXPLAINED {
        return None;
    }
    let message = format!(
        "{} requests were outstanding on average, but the service times account for {}. Some \
         requests waited for a time that no value contains",
        outstanding(job.queue_depth_held),
        outstanding(sum_ns / job.active_ns as f64)
    );
    let remedy = "report this as a defect of fathom, with the JSON result";
    Some(
        Code::Accounting
            .caveat(Level::Invalid, message)
            .remedy(remedy),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::StuckThreads;
    use fathom_core::spec::SyncEvery;

    /// 60 s at 2.58 M requests a second, 128 slots: the figures of a published run.
    fn with_held(held: f64) -> RunResult {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        job.queue_depth = 128;
        job.queue_depth_possible = 128;
        job.completed = 2_580_000 * 60;
        job.queue_depth_held = held;
        let (count, time_ns) = (job.completed, job.active_ns as f64);
        let read = job.ops[Op::Read].as_mut().expect("a job of reads");
        read.service_ns.count = count;
        read.service_ns.mean = held * time_ns / count as f64;
        result
    }

    #[test]
    fn requests_outstanding_are_explained_by_their_times() {
        let explained = |part: f64| {
            let mut result = with_held(126.0);
            let read = result.phases[0].jobs[0].ops[Op::Read].as_mut();
            read.expect("a job of reads").service_ns.mean *= part;
            result
        };
        assert_eq!(found(&CHECK, &explained(0.951)), []);
        let message = "126.0 requests were outstanding on average, but the service times account \
                       for 37.8. Some requests waited for a time that no value contains";
        let expected = Code::Accounting
            .caveat(Level::Invalid, message)
            .remedy("report this as a defect of fathom, with the JSON result")
            .about("measure/read");
        assert_eq!(found(&CHECK, &explained(0.3)), [expected]);
        let without = |change: fn(&mut fathom_core::summary::LatencySummary)| {
            let mut result = with_held(126.0);
            let read = result.phases[0].jobs[0].ops[Op::Read].as_mut();
            change(&mut read.expect("a job of reads").service_ns);
            found(&CHECK, &result)
                .into_iter()
                .map(|one| one.message)
                .collect::<Vec<_>>()
        };
        // Times that are all zero account for nothing; a model without times has none to compare.
        let zero = without(|times| (times.mean, times.max) = (0.0, 0));
        let message = "126.0 requests were outstanding on average, but the service times account \
                       for 0.00. Some requests waited for a time that no value contains";
        assert_eq!(zero, [message]);
        assert_eq!(
            without(|times| *times = fathom_core::summary::LatencySummary::default()),
            [""; 0]
        );
        // What failed has no service time, and what hangs in the kernel is not counted.
        let mut failed = explained(0.3);
        failed.phases[0].jobs[0].failed = 1;
        let mut stuck = explained(0.3);
        stuck.phases[0].jobs[0].stuck = Some(StuckThreads::default());
        for result in [failed, stuck] {
            assert_eq!(found(&CHECK, &result), []);
        }
    }

    fn caveat(code: Code, level: Level, message: &str) -> Caveat {
        code.caveat(level, message)
            .remedy("spread the queue depth over more threads, or report the achieved queue depth")
            .about("measure/read")
    }

    #[test]
    fn a_published_generator_bound_run_is_found() {
        let message = "the achieved queue depth was 90.0, not 128: on average 29.7 % of the \
                       request slots were empty. The load generator took 14.7 µs from a completion \
                       to the next submission";
        assert_eq!(
            found(&CHECK, &with_held(90.0)),
            [caveat(Code::GeneratorBound, Level::Suspect, message)]
        );
    }

    #[test]
    fn gaps_have_three_grades() {
        let message = "the achieved queue depth was 119.0, not 128: on average 7.0 % of the \
                       request slots were empty. The load generator took 3.49 µs from a completion \
                       to the next submission";
        assert_eq!(
            found(&CHECK, &with_held(119.0)),
            [caveat(Code::SubmissionGaps, Level::Qualified, message)]
        );
        let message = "the achieved queue depth was 124.0, not 128: on average 3.1 % of the \
                       request slots were empty. The load generator took 1.55 µs from a completion \
                       to the next submission";
        assert_eq!(
            found(&CHECK, &with_held(124.0)),
            [caveat(Code::SubmissionGaps, Level::Note, message)]
        );
        assert_eq!(found(&CHECK, &with_held(126.0)), []);
    }

    #[test]
    fn more_than_all_slots_is_impossible() {
        let expected = Code::Accounting
            .caveat(
                Level::Invalid,
                "129.0 outstanding requests were counted on average, but only 128 are possible. \
                 Times or counts are wrong",
            )
            .remedy("report this as a defect of fathom, with the JSON result")
            .about("measure/read");
        assert_eq!(found(&CHECK, &with_held(129.0)), [expected]);
        assert_eq!(found(&CHECK, &with_held(128.5)), []);
    }

    /// S-HP's mix: 70 % reads. The times are scaled until the slots overflow.
    #[test]
    fn rates_and_times_that_need_more_than_all_slots_are_impossible() {
        let mixed = |write_ns: f64| {
            let mut result = with_held(128.0);
            let job = &mut result.phases[0].jobs[0];
            job.active_ns = 60_000_000_000;
            let mut read = job.ops[Op::Read].take().expect("a job of reads");
            read.service_ns.max = 1_000_000;
            let mut write = read.clone();
            (read.ios, write.ios) = (70_000 * 60, 30_000 * 60);
            (read.service_ns.mean, write.service_ns.mean) = (1_000_000.0, write_ns);
            (job.ops[Op::Read], job.ops[Op::Write]) = (Some(read), Some(write));
            job.completed = 6_000_000;
            result
        };
        // 70 reads and 58 writes outstanding fill 128; 0.5 % and a request of each slot more pass.
        assert_eq!(found(&CHECK, &mixed(1_954_000.0)), []);
        let message = "rates times mean service times (read 70,000 × 1.00 ms, write 30,000 × 1.96 \
                       ms) give 128.7 outstanding requests, but only 128 are possible. Rates or \
                       times are wrong";
        let expected = Code::Accounting
            .caveat(Level::Invalid, message)
            .remedy("report this as a defect of fathom, with the JSON result")
            .about("measure/read");
        assert_eq!(found(&CHECK, &mixed(1_956_000.0)), [expected]);
    }

    #[test]
    fn only_loops_that_are_to_be_full_are_judged() {
        let mut thinking = with_held(90.0);
        thinking.provenance.workload.phases[0].jobs[0].pacing = Pacing::Closed {
            think: Nanos::from_millis(1),
            burst: 1,
        };
        let mut flushing = with_held(90.0);
        flushing.provenance.workload.phases[0].jobs[0]
            .durability
            .sync = Some(SyncEvery {
            writes: 64,
            data_only: false,
        });
        let mut few = with_held(90.0);
        few.phases[0].jobs[0].completed = 999;
        let mut open = with_held(90.0);
        open.phases[0].jobs[0].load_model = LoadModel::Open;
        let mut null = with_held(90.0);
        null.provenance.engine.name = "null".to_owned();
        for result in [thinking, flushing, few, open, null] {
            assert_eq!(found(&CHECK, &result), []);
        }
    }
}

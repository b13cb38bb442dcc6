//! An open load that was not served as fast as it came.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::pauses;
use crate::samples;
use crate::subject;
use fathom_core::figure::iops;
use fathom_core::result::{EndReason, JobResult, PhaseResult, RunResult};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Share of the arrivals that may be waiting at the end: the growth of a backlog from which a
    /// load counts as too high for the storage
    BACKLOG: f64 = 0.01, Share, Decided;
    /// Time that the oldest arrival may wait: then an open load is given up
    ABORT_LAG_NS: u64 = 10_000_000_000, Nanoseconds, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether an open load was served at its rate",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { Overloaded: Load, Machine, "suspect",
        "an open load: more than {BACKLOG} of the arrivals were not served, or the oldest waited \
         {ABORT_LAG_NS}",
        [row::BACKLOG, row::ABORT_LAG_NS],
        Example::Run(samples::reads, |r| {
            samples::phase(r).jobs[0].due = Some(50_000 * 60);
            samples::phase(r).jobs[0].completed = 41_230 * 60;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        if is_overloaded(phase, job) && !is_sought(result, phase) {
            let about = subject::job(result, phase, job);
            caveats.push(caveat(job).about(about));
        }
    }
}

/// Whether a ramp went there to see: it marks the step and gives it no latency.
fn is_sought(result: &RunResult, phase: &PhaseResult) -> bool {
    let steps = result.ramp.iter().flat_map(|ramp| &ramp.steps);
    let mut of_phase = steps.filter(|step| step.phase == phase.name);
    of_phase.any(|step| step.overloaded)
}

/// Requests that came to an end; flushes follow their writes and are no arrivals.
fn served_ios(job: &JobResult) -> u64 {
    let flushes = job
        .ops
        .get(Op::Flush)
        .map_or(0, |flush| flush.ios + flush.errors);
    (job.completed + job.failed + job.short()).saturating_sub(flushes)
}

/// Whether more was due than done, beyond what may be in flight and what came due while the
/// generator itself stood still.
pub(crate) fn is_overloaded(phase: &PhaseResult, job: &JobResult) -> bool {
    let Some(due) = job.due.filter(|due| *due > 0) else {
        return false;
    };
    let backlog = due.saturating_sub(served_ios(job)) as f64 - pauses::missed(phase, job);
    backlog > 0.0 && (phase.ended_by == EndReason::Overloaded || backlog > due as f64 * BACKLOG)
}

fn caveat(job: &JobResult) -> Caveat {
    let seconds = job.active_ns.max(1) as f64 / 1e9;
    let due = job.due.unwrap_or(0) as f64 / seconds;
    let served = served_ios(job) as f64 / seconds;
    let message = format!(
        "overloaded: offered {}/s, served {}/s, backlog grew by {}/s",
        iops(due),
        iops(served),
        iops(due - served)
    );
    Code::Overloaded.caveat(Level::Suspect, message).remedy(
        "offer less than the served rate. Above it, the latencies grow with the length of the run",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::Pause;
    use fathom_core::{CodeWord, fixture};

    /// 60 s at 50,000 a second.
    fn with_served(served: u64) -> RunResult {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        job.due = Some(50_000 * 60);
        job.completed = served * 60;
        result
    }

    #[test]
    fn the_backlog_is_said_as_a_rate() {
        let expected = Code::Overloaded
            .caveat(
                Level::Suspect,
                "overloaded: offered 50,000/s, served 41,230/s, backlog grew by 8,770/s",
            )
            .remedy(
                "offer less than the served rate. Above it, the latencies grow with the length of \
                 the run",
            )
            .about("measure/read");
        assert_eq!(found(&CHECK, &with_served(41_230)), [expected]);
        assert_eq!(found(&CHECK, &with_served(49_500)), []);
    }

    /// A stop over the end of the phase: 0.8 s of it lie in the measured time.
    #[test]
    fn what_came_due_while_the_generator_stood_still_is_no_overload() {
        let mut result = with_served(50_000);
        let job = &mut result.phases[0].jobs[0];
        job.offered_iops = Some(50_000.0);
        job.completed -= 40_000;
        let codes = |result: &RunResult| found(&CHECK, result).len();
        assert_eq!(codes(&result), 1);
        let pause = Pause {
            start_ns: 64_200_000_000,
            length_ns: 3_000_000_000,
        };
        let account = result.phases[0].ledger.get_or_insert_default();
        account.generator.pauses = vec![pause];
        assert_eq!(codes(&result), 0);
        result.phases[0].jobs[0].completed -= 32_000;
        assert_eq!(codes(&result), 1);
    }

    #[test]
    fn a_run_that_gave_up_is_overloaded_however_soon() {
        let mut result = with_served(49_900);
        result.phases[0].ended_by = EndReason::Overloaded;
        let codes: Vec<CodeWord> = found(&CHECK, &result).into_iter().map(|c| c.code).collect();
        assert_eq!(codes, [Code::Overloaded]);
    }
}

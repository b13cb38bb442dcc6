//! Intervals that became longer because nobody took the one before.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the intervals that may be late before the series is coarser than asked
    LATE_INTERVALS: f64 = 0.01, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the time series has the requested resolution",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { LongIntervals: Tail, Machine, "note; qualified above {LATE_INTERVALS}",
            "intervals were lengthened because they were collected late",
            [row::LATE_INTERVALS],
            Example::Run(samples::reads, |r| {
                samples::phase(r).jobs[0].workers[0].long_intervals = 2;
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let long: u64 = job.workers.iter().map(|worker| worker.long_intervals).sum();
        if long == 0 {
            continue;
        }
        let spans = phase.intervals.len() as u64 * job.workers.len() as u64;
        let level = if long as f64 > spans as f64 * LATE_INTERVALS {
            Level::Qualified
        } else {
            Level::Note
        };
        let message = format!(
            "{} became longer because the collecting thread was late. No request is lost",
            plural(long, "interval")
        );
        caveats.push(
            Code::LongIntervals
                .caveat(level, message)
                .remedy("leave a CPU free (fewer threads), or use longer intervals (--interval)")
                .about(subject::job(result, phase, job)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    /// Of the 60 intervals of each of two threads 1.2 are one of a hundred.
    #[test]
    fn lengthened_intervals_are_counted_over_the_threads() {
        let with = |first: u64, second: u64| {
            let mut result = fixture::random_read();
            let workers = &mut result.phases[0].jobs[0].workers;
            workers.push(workers[0].clone());
            workers[0].long_intervals = first;
            workers[1].long_intervals = second;
            found(&CHECK, &result)
        };
        let caveat = |level, number: &str| {
            let message = format!(
                "{number} became longer because the collecting thread was late. No request is lost"
            );
            Code::LongIntervals
                .caveat(level, message)
                .remedy("leave a CPU free (fewer threads), or use longer intervals (--interval)")
                .about("measure/read")
        };
        assert_eq!(with(0, 0), []);
        assert_eq!(with(1, 0), [caveat(Level::Note, "1 interval")]);
        assert_eq!(with(1, 1), [caveat(Level::Qualified, "2 intervals")]);
    }
}

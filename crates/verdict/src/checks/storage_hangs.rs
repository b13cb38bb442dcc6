//! Storage that still had requests when the measured time ended, and did not complete them soon.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{plural, time};
use fathom_core::result::{JobResult, LateRequests, RunResult, StuckThreads};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Time from which a request that was in flight at the end and came back hung
    HANG_NS: u64 = 1_000_000_000, Nanoseconds, Decided;
    /// The same in times the longest request that completed in the measured time
    HANG_TIMES: f64 = 3.0, Times, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether requests in flight at the end completed",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { StorageHangs: Number, Number, "invalid; suspect if the requests completed",
            "requests in flight at the end of the measured time had not completed within the wait \
             time (`drain_timeout`), or completed after {HANG_NS:one} or more and more than \
             {HANG_TIMES} the longest earlier time",
            [row::HANG_NS, row::HANG_TIMES],
            Example::Run(samples::reads, |r| {
                let read = samples::reads_of(r);
                read.late = Some(LateRequests {
                    in_flight: 32,
                    in_flight_longest_ns: 33_100_000_000,
                    completed_longest_ns: 13_900_000,
                    ..LateRequests::default()
                });
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        for job in &phase.jobs {
            let late = job
                .ops
                .present()
                .filter_map(|(op, one)| Some((op, one.late?)));
            let late = late.filter_map(|(op, late)| judge(op, &late));
            let stuck = job.stuck.map(|stuck| stuck_threads(job, &stuck));
            let about = subject::job(result, phase, job);
            let found = late.chain(stuck).map(|caveat| caveat.about(about.clone()));
            caveats.extend(found);
        }
    }
}

/// What to do about storage that answers late or never.
const REMEDY: &str = "look for the cause in the logs of the kernel and the storage, and measure \
                      again with a longer time";

fn judge(op: Op, late: &LateRequests) -> Option<Caveat> {
    let before = match late.completed_longest_ns {
        0 => "no request had completed before".to_owned(),
        longest_ns => format!(
            "the longest request completed in the measured time took {}",
            time(longest_ns as f64)
        ),
    };
    if late.in_flight > 0 {
        let message = format!(
            "the storage hangs: {} in flight at the end had not completed when the wait ended, \
             after more than {}; {before}. The latencies count them with their age, a lower bound",
            requests(late.in_flight, op),
            time(late.in_flight_longest_ns as f64)
        );
        return Some(
            Code::StorageHangs
                .caveat(Level::Invalid, message)
                .remedy(REMEDY),
        );
    }
    let is_far_beyond =
        late.returned_longest_ns as f64 > late.completed_longest_ns as f64 * HANG_TIMES;
    if late.returned_longest_ns < HANG_NS || !is_far_beyond {
        return None;
    }
    let message = format!(
        "the storage hung: {} in flight at the end completed after up to {}; {before}. The \
         latencies include them, the rates do not",
        requests(late.returned, op),
        time(late.returned_longest_ns as f64)
    );
    Some(
        Code::StorageHangs
            .caveat(Level::Suspect, message)
            .remedy(REMEDY),
    )
}

fn requests(number: u64, op: Op) -> String {
    plural(number, &format!("{} request", op.name()))
}

fn stuck_threads(job: &JobResult, stuck: &StuckThreads) -> Caveat {
    let mut message = format!(
        "the storage hangs: {} had not returned from a system call when the wait ended, after more \
         than {}. Their requests of the interval before are not counted",
        plural(stuck.threads.into(), "thread"),
        time(stuck.longest_ns as f64)
    );
    if job.ops.present().all(|(_, one)| one.late.is_none()) {
        message += ", nor are the requests that they wait for";
    }
    Code::StorageHangs
        .caveat(Level::Invalid, message)
        .remedy(REMEDY)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    fn with(late: LateRequests) -> RunResult {
        let mut result = fixture::random_read();
        let read = result.phases[0].jobs[0].ops[Op::Read].as_mut();
        read.expect("it reads").late = Some(late);
        result
    }

    fn returned(longest_ms: u64, before_ms: u64) -> RunResult {
        with(LateRequests {
            returned: 32,
            returned_longest_ns: longest_ms * 1_000_000,
            completed_longest_ns: before_ms * 1_000_000,
            ..LateRequests::default()
        })
    }

    #[test]
    fn requests_that_came_back_late_are_suspect() {
        let message = "the storage hung: 32 read requests in flight at the end completed after up \
                       to 13.0 s; the longest request completed in the measured time took 13.0 ms. \
                       The latencies include them, the rates do not";
        let expected = Code::StorageHangs
            .caveat(Level::Suspect, message)
            .remedy(REMEDY)
            .about("measure/read");
        assert_eq!(found(&CHECK, &returned(13_000, 13)), [expected]);
        // Storage that is only slow, and a moment that is only long.
        assert_eq!(found(&CHECK, &returned(3_000, 1_000)), []);
        assert_eq!(found(&CHECK, &returned(999, 13)), []);
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
    }

    #[test]
    fn requests_that_did_not_come_back_are_invalid() {
        let late = LateRequests {
            in_flight: 1,
            in_flight_longest_ns: 38_100_000_000,
            ..LateRequests::default()
        };
        let message = "the storage hangs: 1 read request in flight at the end had not completed \
                       when the wait ended, after more than 38.1 s; no request had completed \
                       before. The latencies count them with their age, a lower bound";
        let expected = Code::StorageHangs
            .caveat(Level::Invalid, message)
            .remedy(REMEDY)
            .about("measure/read");
        assert_eq!(found(&CHECK, &with(late)), [expected]);
    }

    #[test]
    fn threads_that_did_not_come_back_are_invalid() {
        let mut result = fixture::random_read();
        result.phases[0].jobs[0].stuck = Some(StuckThreads {
            threads: 4,
            longest_ns: 31_000_000_000,
        });
        let message = "the storage hangs: 4 threads had not returned from a system call when the \
                       wait ended, after more than 31.0 s. Their requests of the interval before \
                       are not counted, nor are the requests that they wait for";
        let expected = Code::StorageHangs
            .caveat(Level::Invalid, message)
            .remedy(REMEDY)
            .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

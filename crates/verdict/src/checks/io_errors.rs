//! Requests that failed.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, plural};
use fathom_core::result::{ErrorTally, JobResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether any request failed",
    needs: Needs::AnySource,
    codes: &[entry! { IoErrors: Number, Number, "suspect",
        "any request failed",
        [],
        Example::Run(samples::reads, |r| {
            let job = &mut samples::phase(r).jobs[0];
            job.failed = 12;
            job.errors = vec![ErrorTally {
                op: "read".into(),
                errno: 5,
                message: "Input/output error".into(),
                count: 12,
                target: "/data/fathom.dat".into(),
                first_offsets: vec![4096],
            }];
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let Some(message) = message(job) else {
            continue;
        };
        caveats.push(
            Code::IoErrors
                .caveat(Level::Suspect, message)
                .remedy(
                    "look for the device in the kernel log (dmesg). The times of failed requests \
                     are not in the result",
                )
                .about(subject::job(result, phase, job)),
        );
    }
}

/// Failures of the measured time are counted in it; their kinds are kept over the whole phase, and
/// where those are more, that is said.
fn message(job: &JobResult) -> Option<String> {
    let all: u64 = system(job).map(|tally| tally.count).sum();
    let kinds = kinds(job);
    if job.failed == 0 && all == 0 {
        return None;
    }
    if job.failed == 0 {
        return Some(format!(
            "no request failed in the measured time, but before or after it: {kinds}"
        ));
    }
    let measured = format!(
        "{} of {} failed",
        plural(job.failed, "request"),
        count(job.completed + job.failed)
    );
    Some(match all {
        0 => measured,
        all if all > job.failed => format!("{measured}; with warm-up and cool-down {kinds}"),
        _ => format!("{measured}: {kinds}"),
    })
}

/// Errors of the system: error 0 is failed verification, which has a check of its own.
fn system(job: &JobResult) -> impl Iterator<Item = &ErrorTally> {
    job.errors.iter().filter(|tally| tally.errno != 0)
}

fn kinds(job: &JobResult) -> String {
    let kind = |tally: &ErrorTally| {
        format!(
            "{} × {}: {} ({})",
            count(tally.count),
            tally.op,
            tally.message,
            tally.errno
        )
    };
    system(job).map(kind).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn every_kind_of_error_is_named() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        let tally = |op: &str, errno, message: &str, count| ErrorTally {
            op: op.to_owned(),
            errno,
            message: message.to_owned(),
            count,
            target: "/data/fathom.dat".to_owned(),
            first_offsets: vec![4096],
        };
        let job = &mut result.phases[0].jobs[0];
        job.completed = 1_000;
        job.failed = 14;
        job.errors = vec![
            tally("read", 5, "Input/output error", 12),
            tally("write", 28, "No space left on device", 2),
            tally("verify", 0, "wrong data", 3),
        ];
        let expected = Code::IoErrors.caveat(Level::Suspect,
            "14 requests of 1,014 failed: 12 × read: Input/output error (5), 2 × write: No space \
             left on device (28)",
        )
        .remedy(
            "look for the device in the kernel log (dmesg). The times of failed requests are not \
             in the result",
        )
        .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
        let said = |result: &RunResult| {
            let found = found(&CHECK, result).into_iter();
            found.map(|one| one.message).collect::<Vec<_>>()
        };
        // As many more failed before the measured time and after it.
        result.phases[0].jobs[0].failed = 6;
        let whole = "6 requests of 1,006 failed; with warm-up and cool-down 12 × read: \
                     Input/output error (5), 2 × write: No space left on device (28)";
        assert_eq!(said(&result), [whole]);
        result.phases[0].jobs[0].failed = 0;
        let outside = "no request failed in the measured time, but before or after it: 12 × read: \
                       Input/output error (5), 2 × write: No space left on device (28)";
        assert_eq!(said(&result), [outside]);
    }
}

//! Requests that failed.

use crate::check::Check;
use crate::subject;
use fathom_core::figure::{count, plural};
use fathom_core::result::{ErrorTally, JobResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["io_errors"],
    needs: &[],
    purpose: "whether any request failed",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        if job.failed == 0 {
            continue;
        }
        let mut message = format!(
            "{} of {} failed",
            plural(job.failed, "request"),
            count(job.completed + job.failed)
        );
        let kinds = kinds(job);
        if !kinds.is_empty() {
            message = format!("{message}: {kinds}");
        }
        caveats.push(
            Caveat::new("io_errors", Level::Suspect, message)
                .remedy(
                    "look for the device in the kernel's log (dmesg); the times of failed \
                         requests are not in the result",
                )
                .about(subject::job(result, phase, job)),
        );
    }
}

fn kinds(job: &JobResult) -> String {
    // Error 0 is failed verification, which has a check of its own.
    let system = job.errors.iter().filter(|tally| tally.errno != 0);
    let kind = |tally: &ErrorTally| {
        format!(
            "{} × {}: {} ({})",
            count(tally.count),
            tally.op,
            tally.message,
            tally.errno
        )
    };
    system.map(kind).collect::<Vec<_>>().join(", ")
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
        let expected = Caveat::new(
            "io_errors",
            Level::Suspect,
            "14 requests of 1,014 failed: 12 × read: Input/output error (5), 2 × write: No space \
             left on device (28)",
        )
        .remedy(
            "look for the device in the kernel's log (dmesg); the times of failed requests are \
             not in the result",
        )
        .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

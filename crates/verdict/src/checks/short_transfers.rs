//! Requests that moved fewer bytes than asked.

use crate::check::Check;
use crate::subject;
use fathom_core::figure::{count, plural};
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["short_transfers"],
    needs: &[],
    purpose: "whether every request moved all its bytes",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let short: u64 = job.ops().map(|(_, op)| op.short).sum();
        if short == 0 {
            continue;
        }
        let message = format!(
            "{} of {} moved fewer bytes than asked; they are counted as they were",
            plural(short, "request"),
            count(job.completed)
        );
        caveats.push(
            Caveat::new("short_transfers", Level::Note, message)
                .remedy("see that the used part of the target ends within it (--size, --window)")
                .about(subject::job(result, phase, job)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn one_is_noted() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].jobs[0].read.as_mut().unwrap().short = 1;
        let message = "1 request of 4,050,780 moved fewer bytes than asked; they are counted as \
                       they were";
        let expected = Caveat::new("short_transfers", Level::Note, message)
            .remedy("see that the used part of the target ends within it (--size, --window)")
            .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

//! Intervals that became longer because nobody took the one before.

use crate::check::Check;
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["long_intervals"],
    needs: &[],
    purpose: "whether the time series is as fine as it was to be",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let long: u64 = job.workers.iter().map(|worker| worker.long_intervals).sum();
        if long == 0 {
            continue;
        }
        let message = format!(
            "{} grew longer because the thread that collects them was late; no request is lost",
            plural(long, "interval")
        );
        caveats.push(
            Caveat::new("long_intervals", Level::Note, message)
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
    fn lengthened_intervals_are_counted_over_the_threads() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        let workers = &mut result.phases[0].jobs[0].workers;
        workers.push(workers[0].clone());
        workers[0].long_intervals = 1;
        workers[1].long_intervals = 2;
        let message = "3 intervals grew longer because the thread that collects them was late; \
                       no request is lost";
        let expected = Caveat::new("long_intervals", Level::Note, message).about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

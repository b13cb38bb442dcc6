//! A synchronous engine holds one request a thread, whatever the specification asks for.

use crate::check::Check;
use crate::subject;
use fathom_core::figure::{count, plural};
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    codes: &["queue_depth_limited"],
    needs: &[],
    purpose: "whether the engine can hold the queue depth that was asked for",
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        if job.queue_depth_possible >= job.queue_depth {
            continue;
        }
        let message = format!(
            "the engine {} holds at most {} where {} were asked for",
            result.provenance.engine.name,
            plural(job.queue_depth_possible, "outstanding request"),
            count(job.queue_depth)
        );
        caveats.push(
            Caveat::new("queue_depth_limited", Level::Qualified, message)
                .remedy("--engine io_uring or libaio, or as many threads as outstanding requests")
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
    fn one_request_where_many_were_asked_for() {
        let mut result = fixture::random_read();
        result.provenance.engine.name = "psync".to_owned();
        result.phases[0].jobs[0].queue_depth_possible = 1;
        let expected = Caveat::new(
            "queue_depth_limited",
            Level::Qualified,
            "the engine psync holds at most 1 outstanding request where 32 were asked for",
        )
        .remedy("--engine io_uring or libaio, or as many threads as outstanding requests")
        .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
        result.phases[0].jobs[0].queue_depth_possible = 32;
        assert_eq!(found(&CHECK, &result), []);
    }
}

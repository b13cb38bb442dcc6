//! A job that was asked for and not run.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs};
use crate::samples;
use crate::subject;
use fathom_core::result::RunResult;
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether all jobs that were asked for were run",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::JobLeftOut,
        group: Group::Number,
        effect: Effect::Number,
        point: "",
        level: "qualified",
        when: "a job was left out of its phase, as where the command before it failed",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            let why = "its exec_prerun failed: exit status 3";
            samples::phase(r).jobs[0].left_out = Some(why.to_owned());
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        for job in &phase.jobs {
            let Some(why) = &job.left_out else { continue };
            caveats.push(
                Code::JobLeftOut
                    .caveat(Level::Qualified, format!("nothing of it was run: {why}"))
                    .remedy("mend that, and measure again")
                    .about(subject::job(result, phase, job)),
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn a_job_that_was_left_out_is_named_with_the_reason() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        let why = "its exec_prerun failed: exit status 3";
        result.phases[0].jobs[0].left_out = Some(why.to_owned());
        let expected = Code::JobLeftOut
            .caveat(Level::Qualified, format!("nothing of it was run: {why}"))
            .remedy("mend that, and measure again")
            .about(subject::job(
                &result,
                &result.phases[0],
                &result.phases[0].jobs[0],
            ));
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

//! Verification that was not done to its end.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Needs};
use crate::samples;
use crate::subject;
use fathom_core::figure::plural;
use fathom_core::result::{RunResult, Verified};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether all that was to be verified was read",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::VerifyCut,
        group: Group::Number,
        effect: Effect::Number,
        point: "",
        level: "invalid",
        when: "the run ended before all that `verify = \"revisit\"` asks for was read",
        thresholds: &[],
        example: Example::Run(samples::reads, |r| {
            samples::phase(r).jobs[0].verified = Some(Verified {
                blocks: 8192,
                unread: 101_376,
                ..Verified::default()
            });
        }),
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let Some(verified) = job.verified.filter(|verified| verified.unread > 0) else {
            continue;
        };
        let message = format!(
            "of what an earlier run wrote, {} to verify it {} not made; {} were checked",
            plural(verified.unread, "read"),
            if verified.unread == 1 { "was" } else { "were" },
            plural(verified.blocks, "block"),
        );
        caveats.push(
            Code::VerifyCut
                .caveat(Level::Invalid, message)
                .remedy("give it more time, or no `duration` (fio: `runtime`)")
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
    fn one_read_too_few_is_enough() {
        let mut result = fixture::random_read();
        let of = |unread| {
            Some(Verified {
                blocks: 1024,
                unread,
                ..Verified::default()
            })
        };
        result.phases[0].jobs[0].verified = of(0);
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].jobs[0].verified = of(1);
        let expected = Code::VerifyCut
            .caveat(
                Level::Invalid,
                "of what an earlier run wrote, 1 read to verify it was not made; 1,024 blocks were \
                 checked",
            )
            .remedy("give it more time, or no `duration` (fio: `runtime`)")
            .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

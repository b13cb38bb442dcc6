//! Blocks that did not hold what had been written.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, plural};
use fathom_core::result::{RunResult, Verified};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether verified blocks contained the written data",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { VerifyFailed: Number, Number, "invalid",
        "a verified block did not contain the written data",
        [],
        Example::Run(samples::reads, |r| {
            let (blocks, wrong) = (1_000_000, 3);
            samples::phase(r).jobs[0].verified = Some(Verified {
                blocks,
                wrong,
                ..Verified::default()
            });
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let Some(verified) = job.verified.filter(|verified| verified.wrong > 0) else {
            continue;
        };
        let kinds = verified.kinds.each();
        let kinds: Vec<String> = kinds
            .map(|(number, kind)| format!("{} {kind}", count(number)))
            .collect();
        let mut message = format!(
            "{} of {} did not contain the written data",
            count(verified.wrong),
            plural(verified.blocks, "checked block")
        );
        if !kinds.is_empty() {
            message = format!("{message}: {}", kinds.join(", "));
        }
        caveats.push(
            Code::VerifyFailed
                .caveat(Level::Invalid, message)
                .remedy("do not store data on this storage. The errors list the first offsets")
                .about(subject::job(result, phase, job)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::Verified;

    #[test]
    fn one_wrong_block_is_enough() {
        let mut result = fixture::random_read();
        result.phases[0].jobs[0].verified = Some(Verified {
            blocks: 1_000_000,
            wrong: 0,
            ..Verified::default()
        });
        assert_eq!(found(&CHECK, &result), []);
        result.phases[0].jobs[0].verified = Some(Verified {
            blocks: 1_000_000,
            wrong: 1,
            ..Verified::default()
        });
        let expected = Code::VerifyFailed
            .caveat(
                Level::Invalid,
                "1 of 1,000,000 checked blocks did not contain the written data",
            )
            .remedy("do not store data on this storage. The errors list the first offsets")
            .about("measure/read");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

//! Requests that moved fewer bytes than asked.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{count, percent, plural};
use fathom_core::result::{Origin, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the requests that moved fewer bytes than asked from which the others are doubted
    SHORT_SUSPECT: f64 = 0.001, Share, Decided;
    /// And from which what was measured is not what was asked for
    SHORT_INVALID: f64 = 0.01, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether every request transferred all its bytes",
    needs: Needs::AnySource,
    codes: &[entry! { ShortTransfers: Number, Number,
        "note; suspect from {SHORT_SUSPECT} of the requests, invalid from {SHORT_INVALID}",
        "requests transferred fewer bytes than requested, or none",
        [row::SHORT_SUSPECT, row::SHORT_INVALID],
        Example::Run(samples::reads, |r| samples::reads_of(r).short = 3)
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for (phase, job, _) in subject::jobs(result) {
        let short = job.short();
        if short == 0 {
            continue;
        }
        let requests = job.completed + job.failed + short;
        let share = short as f64 / requests as f64;
        let level = match share {
            SHORT_INVALID.. => Level::Invalid,
            SHORT_SUSPECT.. => Level::Suspect,
            _ => Level::Note,
        };
        let (short, requests) = (plural(short, "request"), count(requests));
        let share = percent(share * 100.0);
        let mut message = format!(
            "{short} of {requests} ({share}) transferred fewer bytes than \
                                   requested"
        );
        if !matches!(result.provenance.origin, Origin::Imported { .. }) {
            message += ". They are not in any rate or time";
        }
        caveats.push(
            Code::ShortTransfers
                .caveat(level, message)
                .remedy("check that the used part of the target ends within it (--size, --window)")
                .about(subject::job(result, phase, job)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Op, fixture};

    /// What is said of a run of whose requests so many were short.
    fn of(short: u64, completed: u64) -> Vec<(Level, String)> {
        let mut result = fixture::random_read();
        let job = &mut result.phases[0].jobs[0];
        (job.completed, job.failed) = (completed, 0);
        job.ops[Op::Read].as_mut().unwrap().short = short;
        let caveats = found(&CHECK, &result).into_iter();
        caveats
            .map(|caveat| (caveat.level, caveat.message))
            .collect()
    }

    #[test]
    fn the_share_decides() {
        let message = |counts: &str| {
            format!(
                "{counts} transferred fewer bytes than requested. They are not in any rate or \
                     time"
            )
        };
        let cases = [
            (
                1,
                4_050_779,
                Level::Note,
                "1 request of 4,050,780 (<0.01 %)",
            ),
            (
                999,
                999_001,
                Level::Note,
                "999 requests of 1,000,000 (0.1 %)",
            ),
            (
                1_000,
                999_000,
                Level::Suspect,
                "1,000 requests of 1,000,000 (0.1 %)",
            ),
            (
                9_999,
                990_001,
                Level::Suspect,
                "9,999 requests of 1,000,000 (1.0 %)",
            ),
            (
                10_000,
                990_000,
                Level::Invalid,
                "10,000 requests of 1,000,000 (1.0 %)",
            ),
            (
                3_000_000,
                0,
                Level::Invalid,
                "3,000,000 requests of 3,000,000 (100.0 %)",
            ),
        ];
        assert_eq!(of(0, 4_050_780), []);
        for (short, completed, level, counts) in cases {
            assert_eq!(of(short, completed), [(level, message(counts))]);
        }
    }
}

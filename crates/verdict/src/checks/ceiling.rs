//! How near the generator came to what it can do without any storage.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use fathom_core::figure::{iops, percent};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Rate over that of the generator alone: noted, suspect
    CEILING: (f64, f64) = (0.5, 0.8), Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the load generator could go much faster",
    needs: Needs::OurRun(&[Evidence::Ceiling]),
    codes: &[
        entry! { NearCeiling: Generator, Machine, "suspect; note from {CEILING.0:part}",
            "the rate is {CEILING.1} or more of the rate of the same threads without storage \
             (`--probe` or `--find-limit`)",
            [row::CEILING],
            Example::Run(samples::reads, |r| {
                samples::account(r).generator.ceiling_iops = Some(78_000.0);
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let ledger = phase.ledger.as_ref();
        let ceiling = ledger.and_then(|ledger| ledger.generator.ceiling_iops);
        let Some(ceiling) = ceiling.filter(|rate| *rate > 0.0) else {
            continue;
        };
        let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
        let rate: f64 = ops.map(|(_, one)| one.iops).sum();
        let share = rate / ceiling;
        let (note, suspect) = CEILING;
        if share < note {
            continue;
        }
        let level = if share >= suspect {
            Level::Suspect
        } else {
            Level::Note
        };
        let message = format!(
            "{} IOPS are {} of the {} IOPS that these threads reach without storage",
            iops(rate),
            percent(share * 100.0),
            iops(ceiling)
        );
        caveats.push(
            Code::NearCeiling
                .caveat(level, message)
                .remedy("use more threads on more CPUs, or larger requests")
                .about(subject::phase(result, phase)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::Ledger;
    use fathom_core::{Op, fixture};

    fn with_share(share: f64) -> RunResult {
        let mut result = fixture::random_read();
        let read = result.phases[0].jobs[0].ops[Op::Read]
            .as_mut()
            .expect("it reads");
        read.iops = 100_000.0;
        let mut ledger = Ledger::default();
        ledger.generator.ceiling_iops = Some(100_000.0 / share);
        result.phases[0].ledger = Some(Box::new(ledger));
        result
    }

    #[test]
    fn the_nearer_the_ceiling_the_less_it_is_the_storage() {
        let caveat = |level, message: &str| {
            Code::NearCeiling
                .caveat(level, message)
                .remedy("use more threads on more CPUs, or larger requests")
                .about("measure")
        };
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with_share(0.49)), []);
        let message = "100,000 IOPS are 50.0 % of the 200,000 IOPS that these threads reach \
                       without storage";
        assert_eq!(
            found(&CHECK, &with_share(0.5)),
            [caveat(Level::Note, message)]
        );
        let message = "100,000 IOPS are 80.0 % of the 125,000 IOPS that these threads reach \
                       without storage";
        assert_eq!(
            found(&CHECK, &with_share(0.8)),
            [caveat(Level::Suspect, message)]
        );
    }
}

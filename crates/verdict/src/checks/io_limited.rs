//! A limit of the control group on its I/O.

use crate::check::{Check, Code, Example, Look, Needs, entry};
use crate::fitness::Facts;
use crate::samples;
use crate::subject;
use fathom_core::result::{Evidence, PhaseResult, RunResult};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether the control group limits the I/O of the run",
    needs: Needs::OurRun(&[Evidence::IoLimits]),
    codes: &[entry! { IoLimited: Surroundings, Number,
        "qualified; suspect if the limits changed during a phase",
        "the control group limited I/O on a device below the targets (`io.max`, `io.latency`, \
         `blkio.throttle`) at the start of the run, or during a phase",
        [],
        Example::Run(samples::reads, |r| {
            r.provenance.io_limits = vec!["io.max vda riops=100000".into()];
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let spans = |phase: &PhaseResult| phase.ledger.as_ref().map(|one| one.limit_spans.clone());
    for phase in &result.phases {
        let spans = spans(phase).unwrap_or_default();
        if spans.is_empty() || !subject::touches_storage(result) {
            continue;
        }
        let parts = spans.iter().map(|span| {
            let limits = words(&span.limits);
            format!("{limits} from {:.1} s", span.start_ns as f64 / 1e9)
        });
        let (level, message) = match spans.as_slice() {
            [only] => (
                Level::Qualified,
                format!(
                    "the I/O limits of the control group changed before the phase: {} in the \
                     phase, {} at the start of the run",
                    words(&only.limits),
                    words(&result.provenance.io_limits)
                ),
            ),
            _ => (
                Level::Suspect,
                format!(
                    "the I/O limits of the control group changed during the phase: {}",
                    parts.collect::<Vec<_>>().join(", ")
                ),
            ),
        };
        caveats.push(
            Code::IoLimited
                .caveat(level, message)
                .remedy("measure again with constant limits")
                .about(subject::phase(result, phase)),
        );
    }
    let limits = &result.provenance.io_limits;
    if limits.is_empty() || !subject::touches_storage(result) {
        return;
    }
    let message = format!(
        "the control group of this process limits its I/O: {}",
        limits.join("; ")
    );
    caveats.push(
        Code::IoLimited
            .caveat(Level::Qualified, message)
            .remedy("run outside the group, or state that the limit is intended"),
    );
}

fn words(limits: &[String]) -> String {
    if limits.is_empty() {
        "no limit".to_owned()
    } else {
        limits.join("; ")
    }
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: entry! { IoLimited: Before, Number, "qualified",
        "the control group limits block I/O",
        [],
        Example::Target(|| Facts {
            limits: vec!["io.max 8:0 riops=1000".into()],
            ..Facts::default()
        })
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for limit in &facts.limits {
        let message = format!("the control group limits block I/O: {limit}");
        let remedy = "run outside the group, or state that the limit is intended";
        found.push(
            Code::IoLimited
                .caveat(Level::Qualified, message)
                .remedy(remedy),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;
    use fathom_core::result::{Ledger, LimitSpan};

    #[test]
    fn limits_that_change_during_a_phase_are_told() {
        let mut result = fixture::random_read();
        let span = |start_ns, limits: &[&str]| LimitSpan {
            start_ns,
            limits: limits.iter().map(ToString::to_string).collect(),
        };
        result.phases[0].ledger = Some(Box::new(Ledger {
            limit_spans: vec![span(0, &["io.max vda riops=500"]), span(2_800_000_000, &[])],
            ..Ledger::default()
        }));
        let message = "the I/O limits of the control group changed during the phase: io.max vda \
                       riops=500 from 0.0 s, no limit from 2.8 s";
        let expected = Code::IoLimited
            .caveat(Level::Suspect, message)
            .remedy("measure again with constant limits")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
        let ledger = result.phases[0].ledger.as_mut().expect("just set");
        ledger.limit_spans.truncate(1);
        let message = "the I/O limits of the control group changed before the phase: io.max vda \
                       riops=500 in the phase, no limit at the start of the run";
        let expected = Code::IoLimited
            .caveat(Level::Qualified, message)
            .remedy("measure again with constant limits")
            .about("measure");
        assert_eq!(found(&CHECK, &result), [expected]);
    }

    #[test]
    fn limits_are_told() {
        let mut result = fixture::random_read();
        assert_eq!(found(&CHECK, &result), []);
        result.provenance.io_limits = vec!["io.max 8:0 riops=100".to_owned()];
        let message = "the control group of this process limits its I/O: io.max 8:0 riops=100";
        let expected = Code::IoLimited
            .caveat(Level::Qualified, message)
            .remedy("run outside the group, or state that the limit is intended");
        assert_eq!(found(&CHECK, &result), [expected]);
    }
}

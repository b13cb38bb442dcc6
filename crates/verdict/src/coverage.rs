//! Which checks had the evidence that they need: a check that could not look has not passed.

use crate::check::Check;
use crate::ledger::{counts_flushes, devices};
use crate::subject;
use fathom_core::result::{Blind, Coverage, Evidence, Missing, RunResult, TargetInfo};

/// What the methodology names and no look at a finished run can tell, with the reason.
const OUT_OF_SIGHT: [(&[&str], &str); 3] = [
    (
        &["P30", "P31", "P40", "P41", "P50"],
        "write cache, data pattern and alignment show only in writes made for the purpose, and \
         none were made",
    ),
    (
        &["P70"],
        "the device was not watched before the run, so that a neighbour who does not change \
         what is counted in it is not seen",
    ),
    (
        &["P76"],
        "which node of a cluster owns a volume cannot be seen from here",
    ),
];

/// How many checks could run; none for a result that touched no storage or was made before
/// accounts were kept.
pub(crate) fn of(result: &RunResult, checks: &[Check]) -> Option<Coverage> {
    let accounts = result.phases.iter().any(|phase| phase.ledger.is_some());
    if !accounts || !subject::touches_storage(result) {
        return None;
    }
    let mut coverage = Coverage::default();
    for check in checks.iter().filter(|check| applies(result, check)) {
        coverage.of += 1;
        let missing = check.needs.iter().find_map(|need| missing(result, *need));
        match missing {
            None => coverage.ran += 1,
            Some(reason) => add(&mut coverage.blind, check.codes, reason),
        }
    }
    for (codes, reason) in OUT_OF_SIGHT {
        coverage.of += codes.len() as u32;
        add(&mut coverage.blind, codes, reason.to_owned());
    }
    Some(coverage)
}

/// Checks with the same reason stand together.
fn add(blind: &mut Vec<Blind>, codes: &[&str], reason: String) {
    let codes = codes.iter().map(|code| (*code).to_owned());
    match blind.iter_mut().find(|one| one.reason == reason) {
        Some(one) => one.codes.extend(codes),
        None => blind.push(Blind {
            codes: codes.collect(),
            reason,
        }),
    }
}

fn applies(result: &RunResult, check: &Check) -> bool {
    let any = |kind: &str| {
        let mut targets = result.provenance.targets.iter();
        targets.any(|target| target.kind == kind)
    };
    check.needs.iter().all(|need| match need {
        Evidence::FileLayout | Evidence::DirectAlignment => any("file"),
        Evidence::Contents => any("block device"),
        Evidence::BackingFiles => devices(result).any(|device| device.kind == "loop"),
        _ => true,
    })
}

/// Why a kind of evidence is missing, if it is.
fn missing(result: &RunResult, evidence: Evidence) -> Option<String> {
    let words = |reason: &str| Some(format!("{}: {reason}", evidence.words()));
    let why = |all: &[Missing]| {
        let found = all.iter().find(|one| one.evidence == evidence);
        found.map(|one| one.reason.clone())
    };
    if let Some(reason) = why(&result.provenance.missing) {
        return words(&reason);
    }
    let leaves = || devices(result).filter(|device| device.leaf);
    match evidence {
        Evidence::FileLayout | Evidence::DirectAlignment | Evidence::Contents => {
            let layouts = result.provenance.targets.iter().map(layout_missing);
            let mut reasons = layouts.filter_map(|all| why(&all));
            reasons.next().and_then(|reason| words(&reason))
        }
        Evidence::Link | Evidence::Heat => {
            let known = |limits: &fathom_core::result::DeviceLimits| match evidence {
                Evidence::Link => limits.link.is_some(),
                _ => limits.begin_millidegrees.is_some() && limits.end_millidegrees.is_some(),
            };
            let dumb = leaves().find(|one| !one.limits.as_ref().is_some_and(|l| known(l)));
            match dumb {
                Some(device) => words(&format!("the kernel shows none for {}", device.name)),
                None if leaves().next().is_none() => words("no block device is known"),
                None => None,
            }
        }
        Evidence::BackingFiles => {
            let mut ledgers = result
                .phases
                .iter()
                .filter_map(|phase| phase.ledger.as_ref());
            let known = ledgers.any(|ledger| ledger.backing.is_some());
            if known {
                None
            } else {
                words("none is known there")
            }
        }
        Evidence::DeviceFlushes if !counts_flushes(result) => {
            words("the kernel counts them since 5.5 only")
        }
        _ => {
            let measured = result.phases.iter().filter(|phase| phase.measured_ns > 0);
            let mut reasons = measured.filter_map(|phase| match &phase.ledger {
                Some(ledger) => ledger.why_missing(evidence).map(str::to_owned),
                None => Some("no account was kept".to_owned()),
            });
            reasons.next().and_then(|reason| words(&reason))
        }
    }
}

fn layout_missing(target: &TargetInfo) -> Vec<Missing> {
    let layout = target.layout.as_ref();
    layout.map_or_else(Vec::new, |layout| layout.missing.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CHECKS, judge};
    use fathom_core::fixture;
    use fathom_core::result::Ledger;

    #[test]
    fn a_check_without_evidence_has_not_passed() {
        let mut result = fixture::random_read();
        assert_eq!(of(&result, &CHECKS), None);
        let mut ledger = Ledger::default();
        ledger.lacks(Evidence::RunQueue, "no schedstat");
        result.phases[0].ledger = Some(Box::new(ledger));
        judge(&mut result);
        let coverage = result.coverage.expect("an account was kept");
        let blind: Vec<&[String]> = coverage.blind.iter().map(|one| &one.codes[..]).collect();
        assert_eq!(
            blind,
            [
                &["faster_than_link".to_owned(), "link_degraded".to_owned()][..],
                &["thermal".to_owned()],
                &["generator_starved".to_owned()],
                &["P30", "P31", "P40", "P41", "P50"].map(str::to_owned),
                &["P70".to_owned()],
                &["P76".to_owned()],
            ]
        );
        assert_eq!((coverage.ran, coverage.of), (44, 54));
    }
}

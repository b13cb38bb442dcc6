//! Which checks had the evidence that they need: a check that could not look has not passed.

use crate::check::{Check, Code};
use crate::probed;
use crate::subject;
use crate::traffic::{counts_flushes, devices};
use fathom_core::result::{
    Blind, Coverage, DeviceLimits, Evidence, Ledger, Missing, RunResult, TargetDevice, TargetInfo,
};

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
        // What spoke has looked, even where part of its evidence is missing.
        let mut caveats = result.caveats.iter();
        let spoke = caveats.any(|caveat| Code::of(caveat).is_some_and(|code| check.raises(code)));
        let mut needs = check.needs.evidence().iter().filter(|_| !spoke);
        let missing = needs.find_map(|need| missing(result, *need));
        match missing {
            None => coverage.ran += 1,
            Some(reason) => add(&mut coverage.blind, check, reason),
        }
    }
    Some(coverage)
}

/// Checks with the same reason stand together.
fn add(blind: &mut Vec<Blind>, check: &Check, reason: String) {
    let codes = check.codes.iter().map(|one| one.code.into());
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
    check.needs.evidence().iter().all(|need| match need {
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
    let account = |has: &dyn Fn(&Ledger) -> bool| {
        let mut ledgers = result
            .phases
            .iter()
            .filter_map(|phase| phase.ledger.as_ref());
        ledgers.any(|ledger| has(ledger))
    };
    match evidence {
        Evidence::FileLayout | Evidence::DirectAlignment | Evidence::Contents => {
            let layouts = result.provenance.targets.iter().map(layout_missing);
            let mut reasons = layouts.filter_map(|all| why(&all));
            reasons.next().and_then(|reason| words(&reason))
        }
        Evidence::Link | Evidence::Heat => {
            let reason = unattached(&leaves().collect::<Vec<_>>(), evidence);
            reason.and_then(|reason| words(&reason))
        }
        Evidence::Probe if probed::any(result) => None,
        Evidence::Probe if !result.micro_probes.is_empty() => words("too few requests in them"),
        Evidence::Probe => words("none were made; use --probe"),
        Evidence::Ceiling if account(&|one| one.generator.ceiling_iops.is_some()) => None,
        Evidence::Ceiling => {
            words("the load generator was not run alone; use --probe or --find-limit")
        }
        Evidence::IdleBaseline => {
            let mut limits = leaves().filter_map(|device| device.limits.as_ref());
            if limits.any(|limits| limits.idle_iops.is_some()) {
                None
            } else {
                words("not watched; use --probe")
            }
        }
        Evidence::Threads if !has_usage(result) => words("the system does not report it"),
        Evidence::Threads => None,
        Evidence::DeviceNode if !has_nodes(result) => None,
        Evidence::DeviceNode => {
            let node = |one: &TargetDevice| one.limits.as_ref().and_then(|limits| limits.node);
            let dumb = leaves().find(|one| node(one).is_none());
            dumb.and_then(|one| words(&format!("the kernel reports none for {}", one.name)))
        }
        Evidence::BackingFiles if account(&|one| one.backing.is_some()) => None,
        Evidence::BackingFiles => words("none is known there"),
        Evidence::DeviceFlushes if !counts_flushes(result) => {
            words("the kernel counts them only since 5.5")
        }
        _ => {
            let measured = result.phases.iter().filter(|phase| phase.measured_ns > 0);
            let mut reasons = measured.filter_map(|phase| match &phase.ledger {
                Some(ledger) => ledger.why_missing(evidence).map(str::to_owned),
                None => Some("not recorded".to_owned()),
            });
            reasons.next().and_then(|reason| words(&reason))
        }
    }
}

/// Why link or heat of the devices is not known.
fn unattached(leaves: &[&TargetDevice], evidence: Evidence) -> Option<String> {
    let known = |limits: &DeviceLimits| match evidence {
        Evidence::Link => limits.link.is_some(),
        _ => tells_heat(limits),
    };
    let mut dumb = leaves
        .iter()
        .filter(|one| !one.limits.as_ref().is_some_and(|l| known(l)));
    let Some(device) = dumb.next() else {
        return leaves
            .is_empty()
            .then(|| "no block device is known".to_owned());
    };
    let refused = device.limits.as_ref();
    let refused = refused.and_then(|limits| limits.health_missing.as_ref());
    Some(match refused {
        Some(why) if evidence == Evidence::Heat => format!("{}: {why}", device.name),
        _ => format!("the kernel reports none for {}", device.name),
    })
}

/// Whether it is known at both ends how hot a device was, or what heat did to it.
const fn tells_heat(limits: &DeviceLimits) -> bool {
    let by_log = limits.begin_health.is_some() && limits.end_health.is_some();
    by_log || limits.begin_millidegrees.is_some() && limits.end_millidegrees.is_some()
}

/// Whether any thread has figures of its own delays.
fn has_usage(result: &RunResult) -> bool {
    let mut workers = subject::jobs(result).flat_map(|(_, job, _)| &job.workers);
    workers.any(|worker| worker.usage.is_some())
}

/// Whether the machine has several nodes, so that one can be the wrong one.
fn has_nodes(result: &RunResult) -> bool {
    let phases = result.phases.iter();
    let mut processors = phases.flat_map(|phase| &phase.process.processors);
    processors.any(|one| one.node != 0)
}

fn layout_missing(target: &TargetInfo) -> Vec<Missing> {
    let layout = target.layout.as_ref();
    layout.map_or_else(Vec::new, |layout| layout.missing.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::judge;
    use crate::checks::{CHECKS, Code};
    use fathom_core::{CodeWord, fixture};

    /// Of one phase the evidence is there and shows something, of another it is missing.
    #[test]
    fn a_check_that_spoke_has_run() {
        let mut result = fixture::random_read();
        let mut ledger = Ledger::default();
        ledger.lacks(Evidence::RunQueue, "no schedstat");
        result.phases[0].ledger = Some(Box::new(ledger));
        let blind = |result: &RunResult| {
            let coverage = of(result, CHECKS).expect("an account was kept");
            let codes = coverage.blind.iter().flat_map(|one| one.codes.clone());
            (
                coverage.ran,
                codes
                    .filter(|code| code.as_str() == "generator_starved")
                    .count(),
            )
        };
        let (ran, silent) = blind(&result);
        assert_eq!(silent, 1);
        let caveat = Code::GeneratorStarved.caveat(fathom_core::Level::Note, "it waited");
        result.caveats.push(caveat);
        assert_eq!(blind(&result), (ran + 1, 0));
    }

    #[test]
    fn a_check_without_evidence_has_not_passed() {
        let mut result = fixture::random_read();
        assert_eq!(of(&result, CHECKS), None);
        let mut ledger = Ledger::default();
        ledger.lacks(Evidence::RunQueue, "no schedstat");
        result.phases[0].ledger = Some(Box::new(ledger));
        judge(&mut result);
        let coverage = result.coverage.expect("an account was kept");
        let blind: Vec<&[CodeWord]> = coverage.blind.iter().map(|one| &one.codes[..]).collect();
        assert_eq!(
            blind,
            [
                &[Code::BusyBefore][..],
                &[
                    Code::WritebackAck,
                    Code::FlushFree,
                    Code::FlushReal,
                    Code::CachePersists,
                    Code::DsyncCheaper,
                    Code::Compresses,
                    Code::Dedupes,
                    Code::Rmw
                ],
                &[Code::FasterThanLink, Code::LinkDegraded],
                &[Code::Thermal],
                &[Code::NearCeiling],
                &[Code::GeneratorStarved],
                &[Code::ContextSwitches, Code::MajorFaults, Code::NumaRemote],
            ]
        );
        // Two ask of what this target is not; the others could run but for the blind ones.
        let of_others = CHECKS.len() - coverage.of as usize;
        assert_eq!((coverage.of - coverage.ran, of_others), (14, 2));
    }
}

//! More bytes than the device's link carries, faster than the medium answers, or a link that runs
//! below what it could.

use crate::check::{Check, Code, Effect, Entry, Example, Group, Look, Needs, thresholds};
use crate::fitness::Facts;
use crate::ledger::devices;
use crate::samples;
use crate::subject;
use fathom_core::figure::{megabytes, time};
use fathom_core::result::{Evidence, Link, OpResult, RunResult, TargetDevice};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Multiple of the link's rate that cannot be: edges of the measured time
    LINK: f64 = 1.02, Times, Decided "4.7, P60";
    /// Median read of flash that no published device goes below
    FLASH_READ_NS: u64 = 5_000, Nanoseconds, Decided "4.7, P61";
    /// Mean random read that no disk with a moving arm goes below
    DISK_READ_NS: f64 = 2e6, Nanoseconds, Decided "4.7, P61";
    /// Share of a disk over which its arm moves from which that holds
    DISK_SPAN: f64 = 0.5, Share, Decided "4.7, P61";
    /// Median read that no network goes below
    NETWORK_READ_NS: u64 = 100_000, Nanoseconds, Decided "4.7, P61";
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the device's link carries what was measured (P60, P62)",
    needs: Needs::OurRun(&[Evidence::Link]),
    codes: &[
        Entry {
            code: Code::FasterThanLink,
            group: Group::TooFast,
            effect: Effect::Number,
            point: "P60",
            level: "invalid",
            when: "a direction moved more than {LINK} what the links carry",
            thresholds: &[row::LINK],
            example: Example::Run(samples::reads, |r| {
                samples::link(r, 8.0, 4);
                samples::reads_of(r).bytes_per_second = 44.67e9;
            }),
        },
        Entry {
            code: Code::LinkDegraded,
            group: Group::TooFast,
            effect: Effect::Number,
            point: "P62",
            level: "note",
            when: "the link runs slower or narrower than it could",
            thresholds: &[],
            example: Example::Run(samples::reads, |r| samples::link(r, 8.0, 2)),
        },
    ],
    run,
};

pub(crate) const TOO_FAST: Check = Check {
    purpose: "whether the medium can answer so fast (P61)",
    needs: Needs::OurRun(&[]),
    codes: &[Entry {
        code: Code::TooFast,
        group: Group::TooFast,
        effect: Effect::Number,
        point: "P61",
        level: "suspect",
        when: "direct reads: median below {FLASH_READ_NS} on flash or {NETWORK_READ_NS} over a \
               network, mean below {DISK_READ_NS} random on {DISK_SPAN:part} a rotating disk",
        thresholds: &[
            row::FLASH_READ_NS,
            row::DISK_READ_NS,
            row::DISK_SPAN,
            row::NETWORK_READ_NS,
        ],
        example: Example::Run(samples::reads, |r| {
            let percentiles = &mut samples::reads_of(r).service_ns.percentiles;
            percentiles.insert("50".into(), 2_100);
        }),
    }],
    run: run_too_fast,
};

fn link(device: &TargetDevice) -> Option<&Link> {
    device.limits.as_ref()?.link.as_ref()
}

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let leaves = || devices(result).filter(|device| device.leaf);
    for device in leaves() {
        let Some(link) = link(device).filter(|link| link.is_degraded()) else {
            continue;
        };
        let message = format!(
            "its link runs at {} GT/s × {}, it is capable of {} × {}",
            link.gigatransfers, link.lanes, link.most_gigatransfers, link.most_lanes
        );
        caveats.push(
            Code::LinkDegraded
                .caveat(Level::Note, message)
                .remedy("another slot, or a look at the firmware's settings of this one")
                .about(device.name.clone()),
        );
    }
    let ceilings: Option<Vec<f64>> = leaves()
        .map(|device| link(device).map(Link::bytes_per_second))
        .collect();
    let ceiling: f64 = match ceilings {
        Some(all) if !all.is_empty() => all.iter().sum(),
        _ => return,
    };
    for phase in &result.phases {
        for op in [fathom_core::Op::Read, fathom_core::Op::Write] {
            let jobs = phase.jobs.iter().filter_map(|job| job.op(op));
            let rate: f64 = jobs.map(|one| one.bytes_per_second).sum();
            if rate > ceiling * LINK {
                let message = format!(
                    "{} MB/s of {}s through a link that carries {} MB/s: these bytes did not \
                     come from the device",
                    megabytes(rate),
                    op.name(),
                    megabytes(ceiling)
                );
                caveats.push(
                    Code::FasterThanLink
                        .caveat(Level::Invalid, message)
                        .remedy("ask for direct I/O, and for a target larger than all caches")
                        .about(subject::phase(result, phase)),
                );
            }
        }
    }
}

/// What to do about an answer that the medium cannot have given.
const CACHE_BELOW: &str =
    "look for a cache below (of a controller, a hypervisor, dm-cache) and measure beyond it";

fn run_too_fast(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let leaves: Vec<&TargetDevice> = devices(result).filter(|device| device.leaf).collect();
    let is = |kinds: &[&str]| leaves.iter().all(|one| kinds.contains(&one.kind.as_str()));
    if leaves.is_empty() || !subject::touches_storage(result) {
        return;
    }
    for (phase, job, spec) in subject::jobs(result) {
        let direct = spec.is_some_and(|spec| spec.durability.direct);
        let random = spec.is_some_and(|spec| spec.kinds.iter().all(|kind| kind.random.0 >= 100.0));
        let Some(read) = job.read.as_ref().filter(|read| direct && read.ios > 0) else {
            continue;
        };
        let seeks = leaves.iter().all(|leaf| leaf.rotational) && is(&["disk"]) && random;
        let why = if is(&["network"]) {
            below(read, NETWORK_READ_NS, "a network")
        } else if is(&["nvme", "disk"]) && leaves.iter().all(|leaf| !leaf.rotational) {
            below(read, FLASH_READ_NS, "flash")
        } else if seeks && covers_half(result, &leaves) && read.service_ns.mean < DISK_READ_NS {
            let mean = time(read.service_ns.mean);
            Some(format!(
                "a mean random read of {mean} is too fast for a disk's arm"
            ))
        } else {
            None
        };
        if let Some(message) = why {
            caveats.push(
                Code::TooFast
                    .caveat(Level::Suspect, message)
                    .remedy(CACHE_BELOW)
                    .about(subject::job(result, phase, job)),
            );
        }
    }
}

fn below(read: &OpResult, least_ns: u64, medium: &str) -> Option<String> {
    let median = read.service_ns.percentile("50")?;
    let words = time(median as f64);
    (median < least_ns).then(|| format!("a median read of {words} is too fast for {medium}"))
}

fn covers_half(result: &RunResult, leaves: &[&TargetDevice]) -> bool {
    let targets: u64 = result.provenance.targets.iter().map(|t| t.size_bytes).sum();
    let device: u64 = leaves.iter().map(|leaf| leaf.size_bytes).sum();
    targets as f64 >= device as f64 * DISK_SPAN
}

/// Of `fathom check`.
pub(crate) const BEFORE: Look = Look {
    entry: Entry {
        code: Code::LinkDegraded,
        group: Group::Before,
        effect: Effect::Number,
        point: "P62",
        level: "qualified",
        when: "the link is slower or narrower than the disk's best",
        thresholds: &[],
        example: Example::Target(|| Facts {
            slow_links: vec![("nvme0n1".into(), "8 GT/s × 2".into(), "8 GT/s × 4".into())],
            ..Facts::default()
        }),
    },
    run: before,
};

fn before(facts: &Facts, found: &mut Vec<Caveat>) {
    for (name, current, capable) in &facts.slow_links {
        let message = format!("the link runs at {current}; the disk is capable of {capable}");
        let remedy = "another slot, or look at cable and firmware";
        let caveat = Code::LinkDegraded
            .caveat(Level::Qualified, message)
            .remedy(remedy);
        found.push(caveat.about(name.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::result::DeviceLimits;
    use fathom_core::{CodeWord, fixture};

    #[test]
    fn a_link_cannot_carry_more_than_it_carries() {
        let mut result = fixture::random_read();
        let limits = DeviceLimits {
            link: Some(Link {
                gigatransfers: 2.5,
                lanes: 1,
                most_gigatransfers: 2.5,
                most_lanes: 4,
            }),
            ..DeviceLimits::default()
        };
        result.provenance.targets[0].devices[0].limits = Some(Box::new(limits));
        let rate = &mut result.phases[0].jobs[0]
            .read
            .as_mut()
            .unwrap()
            .bytes_per_second;
        *rate = 255e6;
        let codes = |result: &RunResult| -> Vec<CodeWord> {
            let found = found(&CHECK, result).into_iter();
            found.map(|one| one.code).collect()
        };
        assert_eq!(codes(&result), [Code::LinkDegraded]);
        let rate = &mut result.phases[0].jobs[0]
            .read
            .as_mut()
            .unwrap()
            .bytes_per_second;
        *rate = 256e6;
        assert_eq!(codes(&result), [Code::LinkDegraded, Code::FasterThanLink]);
    }

    #[test]
    fn flash_needs_microseconds() {
        let mut result = fixture::random_read();
        result.provenance.targets[0].devices[0].kind = "nvme".to_owned();
        assert_eq!(found(&TOO_FAST, &result), []);
        let read = result.phases[0].jobs[0].read.as_mut().unwrap();
        read.service_ns.percentiles.insert("50".to_owned(), 4_900);
        let expected = Code::TooFast
            .caveat(
                Level::Suspect,
                "a median read of 4.90 µs is too fast for flash",
            )
            .remedy(CACHE_BELOW)
            .about("measure/randread");
        let found = found(&TOO_FAST, &result);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&found[0].code, &found[0].message),
            (&expected.code, &expected.message)
        );
    }
}

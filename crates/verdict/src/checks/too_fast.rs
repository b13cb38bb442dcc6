//! Answers that come faster than the medium can give them.

use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::figure::time;
use fathom_core::result::{OpResult, RunResult, TargetDevice};
use fathom_core::{Caveat, Level, Op};

thresholds! {
    /// Median read of flash that no published device goes below
    FLASH_READ_NS: u64 = 5_000, Nanoseconds, Decided;
    /// Mean random read that no disk with a moving arm goes below
    DISK_READ_NS: f64 = 2e6, Nanoseconds, Decided;
    /// Share of a disk over which its arm moves from which that holds
    DISK_SPAN: f64 = 0.5, Share, Decided;
    /// Median read that no network goes below
    NETWORK_READ_NS: u64 = 100_000, Nanoseconds, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the medium can be that fast",
    needs: Needs::OurRun(&[]),
    codes: &[entry! { TooFast: TooFast, Number, "suspect",
        "direct reads: median below {FLASH_READ_NS} on flash or {NETWORK_READ_NS} over a network, \
         mean below {DISK_READ_NS} for random reads on {DISK_SPAN:part} of a rotating disk",
        [row::FLASH_READ_NS, row::DISK_READ_NS, row::DISK_SPAN, row::NETWORK_READ_NS],
        Example::Run(samples::reads, |r| {
            let percentiles = &mut samples::reads_of(r).service_ns.percentiles;
            percentiles.insert("50".into(), 2_100);
        })
    }],
    run,
};

/// What to do about an answer that the medium cannot have given.
const CACHE_BELOW: &str =
    "look for a cache below (controller, hypervisor, dm-cache) and measure beyond its size";

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let leaves: Vec<&TargetDevice> = devices(result).filter(|device| device.leaf).collect();
    let is = |kinds: &[&str]| leaves.iter().all(|one| kinds.contains(&one.kind.as_str()));
    if leaves.is_empty() || !subject::touches_storage(result) {
        return;
    }
    for (phase, job, spec) in subject::jobs(result) {
        let direct = spec.is_some_and(|spec| spec.durability.direct);
        let random = spec.is_some_and(|spec| spec.kinds.iter().all(|kind| kind.random.0 >= 100.0));
        let Some(read) = job.ops.get(Op::Read).filter(|read| direct && read.ios > 0) else {
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
                "a mean random read of {mean} is too fast for the arm of a disk"
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture;

    #[test]
    fn flash_needs_microseconds() {
        let mut result = fixture::random_read();
        result.provenance.targets[0].devices[0].kind = "nvme".to_owned();
        assert_eq!(found(&CHECK, &result), []);
        let read = result.phases[0].jobs[0].ops[Op::Read].as_mut().unwrap();
        read.service_ns.percentiles.insert("50".to_owned(), 4_900);
        let expected = Code::TooFast
            .caveat(
                Level::Suspect,
                "a median read of 4.90 µs is too fast for flash",
            )
            .remedy(CACHE_BELOW)
            .about("measure/randread");
        let found = found(&CHECK, &result);
        assert_eq!(found.len(), 1);
        assert_eq!(
            (&found[0].code, &found[0].message),
            (&expected.code, &expected.message)
        );
    }
}

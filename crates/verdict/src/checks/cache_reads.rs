//! Reads that the device never saw came from memory.

use crate::application::or_direct;
use crate::check::{Check, Code, Example, Needs, entry, thresholds};
use crate::samples;
use crate::subject;
use crate::traffic::Traffic;
use crate::warm::Warm;
use fathom_core::figure::{percent, volume};
use fathom_core::result::{Evidence, RunResult};
use fathom_core::{Caveat, Level};

thresholds! {
    /// Share of the bytes that the device must have read for the number to be its own
    READ_BY_DEVICE: f64 = 0.95, Share, Decided,
        calibrated "in simulation, 40 of 40 devices that served 7 % or more from memory were \
                    detected; none of 500 others raised it";
    /// Share of the bytes that a device read below which practically all came from memory
    READ_FROM_MEMORY: f64 = 0.05, Share, Decided;
}

pub(crate) const CHECK: Check = Check {
    purpose: "whether the bytes read came from the device",
    needs: Needs::OurRun(&[Evidence::DeviceCounters]),
    codes: &[entry! { CacheReads: Account, Elsewhere,
        "qualified; invalid below {READ_FROM_MEMORY}, except with `warm`",
        "the device read less than {READ_BY_DEVICE} of the bytes read",
        [row::READ_BY_DEVICE, row::READ_FROM_MEMORY, crate::warm::row::WARM_AGREES,
            crate::warm::row::WARM_LEAST, crate::traffic::row::LEAST_QUEUES],
        Example::Run(samples::reads, |r| {
            samples::counters(r).read_bytes = samples::counters(r).read_bytes / 100 * 87;
            samples::spec(r).durability.direct = false;
        })
    }],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let traffic = Traffic::of(result, phase);
        let Some(traffic) = traffic.filter(|traffic| !traffic.is_silent(result)) else {
            continue;
        };
        let ratio = traffic.read.byte_ratio();
        if ratio >= READ_BY_DEVICE || !traffic.is_comparable(&traffic.read) {
            continue;
        }
        let found = if traffic.warm {
            let warm = Warm::of(result, phase, &traffic, ratio);
            Code::CacheReads
                .caveat(Level::Qualified, warm.sentence())
                .remedy("compare it only with results from an equally warm cache")
        } else {
            judge(result, &traffic, ratio)
        };
        caveats.push(found.about(subject::phase(result, phase)));
    }
}

/// Memory in place of the intended device describes another target than the one named: invalid.
/// A page cache is the target only where the workload says so.
fn judge(result: &RunResult, traffic: &Traffic, ratio: f64) -> Caveat {
    let both = format!(
        "{} read {} while fathom read {}",
        traffic.devices(),
        volume(traffic.read.device.bytes),
        volume(traffic.read.tool.bytes)
    );
    let (level, message) = if ratio < READ_FROM_MEMORY {
        (
            Level::Invalid,
            format!("{both}. This measured memory, not the device"),
        )
    } else {
        let share = percent((1.0 - ratio) * 100.0);
        let message = format!("{share} of the bytes read came from memory: {both}");
        (Level::Qualified, message)
    };
    Code::CacheReads
        .caveat(level, message)
        .remedy(if traffic.direct {
            "the file system may ignore O_DIRECT (ZFS before 2.3, btrfs with checksums). Measure \
             another file system or the device, and check that queue/iostats of the device is 1"
                .to_owned()
        } else {
            or_direct(
                result,
                "use direct I/O, or a file of at least twice the memory. To measure the page \
                 cache, set `warm = true` in the job or use --warm",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::{Op, fixture};

    const DIRECT: &str = "the file system may ignore O_DIRECT (ZFS before 2.3, btrfs with \
                          checksums). Measure another file system or the device, and check that \
                          queue/iostats of the device is 1";
    const BUFFERED: &str = "use direct I/O, or a file of at least twice the memory. To measure the \
                            page cache, set `warm = true` in the job or use --warm";

    #[test]
    fn a_warm_cache_that_is_meant_narrows_the_result() {
        let mut warm = with_device_share(0.01, false);
        warm.provenance.workload.phases[0].jobs[0].warm = true;
        let message = "the page cache served 99.0 % of the bytes read, as requested. With 24 GiB \
                       of memory and 64 GiB of data, 37.5 % of random reads are expected";
        let remedy = "compare it only with results from an equally warm cache";
        assert_eq!(
            found(&CHECK, &warm),
            [caveat(Level::Qualified, message, remedy)]
        );
    }

    fn with_device_share(share: f64, direct: bool) -> RunResult {
        let mut result = fixture::random_read();
        let device = &mut result.phases[0].devices[0];
        device.read_bytes = (device.read_bytes as f64 * share) as u64;
        result.provenance.workload.phases[0].jobs[0]
            .durability
            .direct = direct;
        result
    }

    fn caveat(level: Level, message: &str, remedy: &str) -> Caveat {
        Code::CacheReads
            .caveat(level, message)
            .remedy(remedy)
            .about("measure")
    }

    #[test]
    fn memory_under_the_name_of_a_device_is_invalid() {
        let message = "vda read 166 MB while fathom read 16.6 GB. This measured memory, not the \
                       device";
        assert_eq!(
            found(&CHECK, &with_device_share(0.01, true)),
            [caveat(Level::Invalid, message, DIRECT)]
        );
        assert_eq!(
            found(&CHECK, &with_device_share(0.01, false)),
            [caveat(Level::Invalid, message, BUFFERED)]
        );
    }

    #[test]
    fn a_part_from_memory_narrows_the_result() {
        let message = "13.0 % of the bytes read came from memory: vda read 14.4 GB while fathom \
                       read 16.6 GB";
        assert_eq!(
            found(&CHECK, &with_device_share(0.87, false)),
            [caveat(Level::Qualified, message, BUFFERED)]
        );
        assert_eq!(found(&CHECK, &with_device_share(0.951, true)), []);
    }

    #[test]
    fn without_a_device_or_with_few_bytes_nothing_can_be_said() {
        let mut unknown = with_device_share(0.01, true);
        unknown.provenance.targets[0].devices.clear();
        assert_eq!(found(&CHECK, &unknown), []);
        let mut few = with_device_share(0.01, true);
        // Nineteen full queues of 32 requests of 4 KiB.
        few.phases[0].jobs[0].ops[Op::Read].as_mut().unwrap().bytes = 19 * 32 * 4096;
        assert_eq!(found(&CHECK, &few), []);
    }
}

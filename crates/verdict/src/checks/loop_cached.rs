//! A loop device that reads its backing file by way of the page cache.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::checks::cache_reads::READ_BY_DEVICE;
use crate::checks::writes_deferred::WRITTEN_BY_DEVICE;
use crate::samples;
use crate::subject;
use crate::traffic::{Traffic, devices};
use fathom_core::figure::{percent, volume};
use fathom_core::result::{CountedIo, Evidence, RunResult, TargetDevice};
use fathom_core::{Caveat, Level};

pub(crate) const CHECK: Check = Check {
    purpose: "whether a loop device read and wrote its backing file on the disk",
    needs: Needs::OurRun(&[Evidence::BackingFiles]),
    codes: &[
        entry! { LoopCached: Account, Elsewhere, "qualified; suspect for writes",
            "the disks below a loop device read less than {READ_BY_DEVICE} of the loop device's \
             reads; or the loop device writes to the page cache of its backing file, unless each \
             write is durable and the disks below wrote {WRITTEN_BY_DEVICE} of them",
            [crate::checks::cache_reads::row::READ_BY_DEVICE,
                crate::checks::writes_deferred::row::WRITTEN_BY_DEVICE,
                crate::traffic::row::LEAST_QUEUES],
            Example::Run(samples::reads, |r| {
                let read_bytes = samples::counters(r).read_bytes / 10;
                samples::account(r).backing = Some(CountedIo {
                    read_bytes,
                    ..CountedIo::default()
                });
            })
        },
    ],
    run,
};

/// The loop device itself stands for its target in all other checks: what its backing file does
/// is our own I/O and nobody else's. But what it reads from memory, or only keeps there, is no
/// disk's.
fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    for phase in &result.phases {
        let Some(traffic) = Traffic::of(result, phase) else {
            continue;
        };
        let backing = phase.ledger.as_ref().and_then(|one| one.backing);
        let about = subject::phase(result, phase);
        let read = backing.and_then(|backing| reads(&traffic, &backing));
        let written = writes(result, &traffic, backing.as_ref());
        let found = read.into_iter().chain(written);
        caveats.extend(found.map(|(level, message)| {
            Code::LoopCached
                .caveat(level, message)
                .remedy("to measure the disk, create the loop device with `losetup --direct-io=on`")
                .about(about.clone())
        }));
    }
}

fn reads(traffic: &Traffic, backing: &CountedIo) -> Option<(Level, String)> {
    let passed = traffic.read.device.bytes;
    let share = backing.read_bytes as f64 / passed.max(1) as f64;
    if !traffic.is_comparable(&traffic.read) || passed == 0 || share >= READ_BY_DEVICE {
        return None;
    }
    let message = format!(
        "{} of the data read by {} came from the page cache of its backing file. The disks below \
         read {} of {}",
        percent((1.0 - share) * 100.0),
        traffic.devices(),
        volume(backing.read_bytes),
        volume(passed)
    );
    Some((Level::Qualified, message))
}

/// Writes that are acknowledged when they are in the page cache of the backing file. Where each is
/// flushed, or waits until it is durable, what the disks below have written decides.
fn writes(
    result: &RunResult,
    traffic: &Traffic,
    backing: Option<&CountedIo>,
) -> Option<(Level, String)> {
    let is_cached = |one: &&TargetDevice| {
        one.backing_direct == Some(false) && traffic.leaves.contains(&one.name)
    };
    let cached = devices(result).find(is_cached)?;
    let passed = traffic.write.device.bytes;
    if !traffic.is_comparable(&traffic.write) || passed == 0 {
        return None;
    }
    let share = backing.map(|one| one.write_bytes as f64 / passed as f64);
    if traffic.synced && share.is_none_or(|share| share >= WRITTEN_BY_DEVICE) {
        return None;
    }
    let below = backing.map_or(String::new(), |one| {
        format!(
            "; in the same time the disks below wrote {} of {}",
            volume(one.write_bytes),
            volume(passed)
        )
    });
    let message = format!(
        "{} acknowledges writes when they are in the page cache of its backing file{below}",
        cached.name
    );
    Some((Level::Suspect, message))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::Op;
    use fathom_core::fixture;
    use fathom_core::fixture::{JobPlan, Stream, series};
    use fathom_core::result::{CountedIo, Ledger};
    use fathom_core::spec::Durability;

    fn with_backing(share: f64) -> RunResult {
        let mut result = fixture::random_read();
        let read_bytes = result.phases[0].devices[0].read_bytes;
        let backing = CountedIo {
            read_bytes: (read_bytes as f64 * share) as u64,
            ..CountedIo::default()
        };
        result.phases[0].ledger = Some(Box::new(Ledger {
            backing: Some(backing),
            ..Ledger::default()
        }));
        result
    }

    #[test]
    fn a_warm_backing_file_qualifies() {
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
        assert_eq!(found(&CHECK, &with_backing(0.951)), []);
        let message = "90.0 % of the data read by vda came from the page cache of its backing \
                       file. The disks below read 1.66 GB of 16.6 GB";
        let expected = Code::LoopCached
            .caveat(Level::Qualified, message)
            .remedy("to measure the disk, create the loop device with `losetup --direct-io=on`")
            .about("measure");
        assert_eq!(found(&CHECK, &with_backing(0.1)), [expected]);
    }

    #[test]
    fn writes_that_a_loop_device_keeps_in_memory_are_no_disks() {
        let with = |direct, durable, share: Option<f64>| {
            let stream = Stream::random(Op::Write, 8192, series(5_000, 60));
            let jobs = vec![JobPlan::closed("log", 4, vec![stream])];
            let mut result = fixture::run("log", &[("measure", jobs)]);
            result.provenance.targets[0].devices[0].backing_direct = direct;
            let durability = &mut result.provenance.workload.phases[0].jobs[0].durability;
            *durability = Durability {
                write_through: durable,
                ..*durability
            };
            let written = result.phases[0].devices[0].write_bytes as f64;
            let account = result.phases[0].ledger.get_or_insert_default();
            account.backing = share.map(|share| CountedIo {
                write_bytes: (written * share) as u64,
                ..CountedIo::default()
            });
            let found = found(&CHECK, &result).into_iter();
            found
                .map(|one| (one.level, one.message))
                .collect::<Vec<_>>()
        };
        let whole = "vda acknowledges writes when they are in the page cache of its backing file";
        let half = format!("{whole}; in the same time the disks below wrote 1.23 GB of 2.46 GB");
        assert_eq!(with(Some(true), false, Some(1.0)), []);
        assert_eq!(with(None, false, Some(1.0)), []);
        assert_eq!(
            with(Some(false), false, None),
            [(Level::Suspect, whole.to_owned())]
        );
        assert_eq!(
            with(Some(false), false, Some(0.5)),
            [(Level::Suspect, half.clone())]
        );
        // Where each is durable, that shows below.
        assert_eq!(with(Some(false), true, Some(1.0)), []);
        assert_eq!(with(Some(false), true, Some(0.5)), [(Level::Suspect, half)]);
    }
}

//! Whether requests and partitions keep to the physical blocks of the disks: what does not is read,
//! changed and written by the disk.

use crate::check::{Check, Code, Example, Needs, entry};
use crate::samples;
use crate::subject;
use crate::traffic::devices;
use fathom_core::figure::{count, size};
use fathom_core::result::{DeviceLimits, RunResult};
use fathom_core::{Caveat, Level, Op};

pub(crate) const CHECK: Check = Check {
    purpose: "whether partitions and writes are aligned to the physical blocks of the disks",
    needs: Needs::OurRun(&[]),
    codes: &[
        entry! { PartitionStart: Data, Number, "suspect",
            "a partition below the target starts inside a physical block of its disk",
            [],
            Example::Run(samples::writes, |r| {
                let limits_of = DeviceLimits {
                    physical_block_bytes: Some(4096),
                    start_bytes: Some(32_256),
                    ..DeviceLimits::default()
                };
                samples::limits(r, limits_of);
            })
        },
        entry! { BelowBlock: Data, Number, "note",
            "direct writes have a block size or alignment that is not a multiple of the physical \
             block",
            [],
            Example::Run(samples::writes, |r| {
                let limits_of = DeviceLimits {
                    physical_block_bytes: Some(16_384),
                    ..DeviceLimits::default()
                };
                samples::limits(r, limits_of);
            })
        },
    ],
    run,
};

fn run(result: &RunResult, caveats: &mut Vec<Caveat>) {
    let of = |device: &fathom_core::result::TargetDevice| {
        let limits = device.limits.as_ref()?;
        limits.physical_block_bytes.filter(|bytes| *bytes > 0)
    };
    let Some(block) = devices(result).filter_map(of).max() else {
        return;
    };
    partitions(result, block, caveats);
    writes(result, block, caveats);
}

/// Everything on a partition that begins inside a block lies across two.
fn partitions(result: &RunResult, block: u64, caveats: &mut Vec<Caveat>) {
    for device in devices(result) {
        let start = device.limits.as_ref().and_then(|limits| limits.start_bytes);
        let Some(start) = start.filter(|start| !start.is_multiple_of(block)) else {
            continue;
        };
        let message = format!(
            "the partition starts at byte {}, inside a physical block of {}. A request that looks \
             aligned touches two blocks",
            count(start),
            size(block)
        );
        let caveat = Code::PartitionStart
            .caveat(Level::Suspect, message)
            .remedy("use a partition that starts at a multiple of 1 MiB");
        caveats.push(caveat.about(device.name.clone()));
    }
}

/// Direct writes of less than a block: that is the load's own, so only a note.
fn writes(result: &RunResult, block: u64, caveats: &mut Vec<Caveat>) {
    for (phase, job, spec) in subject::jobs(result) {
        let Some(spec) = spec.filter(|spec| spec.durability.direct && job.ops[Op::Write].is_some())
        else {
            continue;
        };
        let kinds = spec.kinds.iter().filter(|kind| kind.op == Op::Write);
        let units = kinds.flat_map(|kind| [kind.align.0, kind.block_size.0]);
        let least = units.filter(|unit| !unit.is_multiple_of(block)).min();
        let Some(least) = least else { continue };
        let message = format!(
            "the write unit is {}, but the disk has physical blocks of {}. The disk may have to \
             read a block before it writes",
            size(least),
            size(block)
        );
        let caveat = Code::BelowBlock.caveat(Level::Note, message).remedy(
            "use a block size and alignment (align) that are multiples of the physical block, \
             unless the application writes like this",
        );
        caveats.push(caveat.about(subject::job(result, phase, job)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::found;
    use fathom_core::fixture::{self, JobPlan, Stream, series};
    use fathom_core::result::DeviceLimits;

    fn on_blocks_of(physical: u64, start: Option<u64>) -> RunResult {
        let stream = Stream::random(Op::Write, 4096, series(5_000, 60));
        let jobs = vec![JobPlan::closed("log", 1, vec![stream])];
        let mut result = fixture::run("log", &[("measure", jobs)]);
        for target in &mut result.provenance.targets {
            for device in &mut target.devices {
                device.limits = Some(Box::new(DeviceLimits {
                    physical_block_bytes: Some(physical),
                    start_bytes: start,
                    ..DeviceLimits::default()
                }));
            }
        }
        result
    }

    #[test]
    fn whole_blocks_are_let_pass() {
        assert_eq!(found(&CHECK, &on_blocks_of(4096, Some(1 << 20))), []);
        assert_eq!(found(&CHECK, &fixture::random_read()), []);
    }

    #[test]
    fn parts_of_blocks_are_told() {
        let expected = Code::BelowBlock
            .caveat(
                Level::Note,
                "the write unit is 4 KiB, but the disk has physical blocks of 16 KiB. The disk may \
                 have to read a block before it writes",
            )
            .remedy(
                "use a block size and alignment (align) that are multiples of the physical block, \
                 unless the application writes like this",
            )
            .about("measure/log");
        assert_eq!(found(&CHECK, &on_blocks_of(16_384, None)), [expected]);
    }

    #[test]
    fn a_partition_inside_a_block_is_told() {
        let expected = Code::PartitionStart
            .caveat(
                Level::Suspect,
                "the partition starts at byte 32,256, inside a physical block of 4 KiB. A request \
                 that looks aligned touches two blocks",
            )
            .remedy("use a partition that starts at a multiple of 1 MiB")
            .about("vda");
        assert_eq!(found(&CHECK, &on_blocks_of(4096, Some(32_256))), [expected]);
    }
}

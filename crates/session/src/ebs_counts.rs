//! What EBS itself counted while a run was on: who held it back, volume or instance.

use crate::judged::Judged;
use crate::plan::Plan;
use fathom_core::SmallSort as _;
use fathom_core::{Level, figure};
use fathom_device::recognise::ebs::{EbsStatistics, read};
use fathom_device::recognise::{CloudDiskKind, Platform, Recognised, place};
use fathom_device::{Sysfs, System, Topology};
use fathom_verdict::Code;
use std::path::PathBuf;

/// Counters of the volumes below the targets, as they were before the run.
pub(crate) struct EbsCounts(Vec<Counted>);

struct Counted {
    /// Kernel name.
    device: String,
    node: PathBuf,
    before: EbsStatistics,
}

impl EbsCounts {
    /// Reads the counters of all EBS volumes below the targets. Nothing where there are none, or
    /// where the kernel does not let us: it takes `CAP_SYS_ADMIN`.
    pub(crate) fn before(plan: &Plan, is_modelled: bool) -> Self {
        let mut counted: Vec<Counted> = Vec::new();
        // A look at firmware costs nothing; at the disks, only where such volumes can be.
        if is_modelled || place(&Sysfs::default()).platform != Platform::Ec2 {
            return Self(counted);
        }
        let Ok(system) = System::live() else {
            return Self(counted);
        };
        for target in &plan.targets {
            let topology = Topology::of_path(&system, &target.path);
            let found = topology.and_then(|topology| Recognised::of(&system.sysfs, &topology));
            let disks = found.map_or_else(|_| Vec::new(), |found| found.disks);
            for (device, disk) in disks {
                let node = PathBuf::from("/dev").join(&device);
                let is_known = counted.iter().any(|one| one.device == device);
                if disk.kind != CloudDiskKind::Ebs || is_known {
                    continue;
                }
                if let Ok(before) = read(&node) {
                    counted.push(Counted {
                        device,
                        node,
                        before,
                    });
                }
            }
        }
        Self(counted)
    }

    /// Puts into a result what was counted meanwhile.
    pub(crate) fn after(self, judged: &mut Judged) {
        let result = judged.result_mut();
        for counted in self.0 {
            let now = read(&counted.node).ok();
            let between = now.and_then(|now| now.since(&counted.before));
            let Some(between) = between else { continue };
            let seconds = result.provenance.timings.total_ns as f64 / 1e9;
            let text = sentence(&counted.device, &between, seconds);
            result
                .caveats
                .push(Code::EbsCounts.caveat(Level::Note, text));
        }
    }
}

/// The four times over the time of the run, the largest first; those of nothing are left out.
fn sentence(device: &str, between: &EbsStatistics, seconds: f64) -> String {
    let mut exceeded = between.exceeded();
    exceeded.small_sort_by_key(|one| std::cmp::Reverse(one.time_us));
    let share = |time_us: u64| figure::percent(time_us as f64 / 1e6 / seconds * 100.0);
    let parts: Vec<String> = exceeded
        .into_iter()
        .filter(|one| one.time_us > 0)
        .map(|one| format!("{} for {} of the run", one.what, share(one.time_us)))
        .collect();
    let requests = figure::count(between.reads + between.writes);
    match parts.as_slice() {
        [] => format!(
            "EBS counted {requests} requests on {device}, and no exceeded limit of volume or \
             instance"
        ),
        parts => format!(
            "EBS counted {requests} requests on {device}. The load exceeded {}",
            parts.join(", ")
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_device::recognise::ebs::PageOf;

    #[test]
    fn the_largest_is_named_first() {
        let mut between = EbsStatistics {
            of: PageOf::Ebs,
            version: 1,
            reads: 70_000,
            writes: 30_000,
            read_bytes: 0,
            written_bytes: 0,
            read_us: 0,
            write_us: 0,
            volume_iops_exceeded_us: 300_000,
            volume_throughput_exceeded_us: 0,
            instance_iops_exceeded_us: 28_500_000,
            instance_throughput_exceeded_us: 0,
            queue_length: 0,
            read_histogram: Vec::new(),
            write_histogram: Vec::new(),
            size_classes: Vec::new(),
        };
        let expected = "EBS counted 100,000 requests on nvme1n1. The load exceeded the instance's \
                        IOPS for 95.0 % of the run, the volume's IOPS for 1.0 % of the run";
        assert_eq!(sentence("nvme1n1", &between, 30.0), expected);
        let documented = fathom_verdict::Code::EbsCounts.entry();
        let documented = documented.and_then(fathom_verdict::Entry::example);
        assert_eq!(documented.map(|one| one.message), Some(expected.to_owned()));
        between.volume_iops_exceeded_us = 0;
        between.instance_iops_exceeded_us = 0;
        let expected = "EBS counted 100,000 requests on nvme1n1, and no exceeded limit of volume \
                        or instance";
        assert_eq!(sentence("nvme1n1", &between, 30.0), expected);
    }
}

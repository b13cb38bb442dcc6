//! What the figures mean on a volume of a cloud: which limit of the catalogue they lie at.
//!
//! A disk says whose volume it is, and not of which type. The limits of each type follow from the
//! size, and a load that was held by one of them stands right at it.

use crate::figure::{count, megabytes, plural};
use fathom_core::result::{LoadModel, RunResult, TargetDevice};
use fathom_core::{CapScope, CapUnit};
use fathom_volume::Catalog;
use fathom_volume::catalog::{BurstChoice, Cloud, Date, VolumeOrder};

/// How far off a limit still counts as at it, as a share: a limit is kept to within a few percent.
const AT: f64 = 0.03;
const GIB: f64 = 1_073_741_824.0;

/// A limit that a type of volume has at a size.
struct Known {
    name: String,
    value: f64,
    is_burst: bool,
}

/// Whose volume the first target lies on.
pub(super) fn cloud(result: &RunResult) -> Option<Cloud> {
    let device = result.provenance.targets.first()?.leaf()?;
    let model = device.model.as_str();
    if model == "Amazon Elastic Block Store" {
        Some(Cloud::Aws)
    } else if model == "Msft Virtual Disk" {
        Some(Cloud::Azure)
    } else if model == "Google PersistentDisk" || model == "nvme_card-pd" {
        Some(Cloud::Gcp)
    } else {
        None
    }
}

/// The figure that lies at a limit, with the types that have it.
pub(super) fn sentence(result: &RunResult) -> Option<String> {
    let cloud = cloud(result)?;
    let device = result.provenance.targets.first()?.leaf()?;
    let at: Date = result.provenance.started_at.get(..10)?.parse().ok()?;
    let [iops, bytes] = most(result);
    let words = |value: f64, unit| {
        let limits = limits(cloud, device, at, unit);
        at_limit(value, &limits, unit)
    };
    words(iops, CapUnit::Iops).or_else(|| words(bytes, CapUnit::BytesPerSecond))
}

/// Most requests and most bytes a second that a closed load got, flushes aside.
fn most(result: &RunResult) -> [f64; 2] {
    let mut most = [0.0_f64; 2];
    for phase in &result.phases {
        let closed = phase
            .jobs
            .iter()
            .filter(|job| job.load_model == LoadModel::Closed);
        let mut sums = [0.0, 0.0];
        for (op, of) in closed.flat_map(|job| job.ops.present()) {
            if op != fathom_core::Op::Flush {
                sums[0] += of.iops;
                sums[1] += of.bytes_per_second;
            }
        }
        most = [most[0].max(sums[0]), most[1].max(sums[1])];
    }
    most
}

/// What each type of volume has at the size of a disk, without further choices.
fn limits(cloud: Cloud, device: &TargetDevice, at: Date, unit: CapUnit) -> Vec<Known> {
    let size_gib = device.size_bytes as f64 / GIB;
    let catalog = Catalog::embedded();
    let volumes = catalog.volumes().iter();
    let here = volumes.filter(|volume| volume.cloud == cloud && volume.validity.holds(at));
    let mut known = Vec::new();
    for volume in here {
        let mut order = VolumeOrder::new(&volume.name, Some(size_gib));
        order.burst = BurstChoice::Credit;
        let Ok(limits) = volume.limits(&order, at) else {
            continue;
        };
        let caps = limits.limits.iter().map(|limit| &limit.cap);
        let caps = caps.filter(|cap| cap.unit == unit && cap.scope == CapScope::All);
        for cap in caps {
            let of = |value, is_burst| Known {
                name: volume.name.clone(),
                value,
                is_burst,
            };
            known.push(of(cap.value, false));
            known.extend(cap.burst.map(|burst| of(burst.value, true)));
        }
    }
    known
}

fn at_limit(value: f64, known: &[Known], unit: CapUnit) -> Option<String> {
    let distance = |one: &Known| (value / one.value - 1.0).abs();
    let near = known
        .iter()
        .filter(|one| one.value > 0.0 && distance(one) <= AT);
    // What lasts before what credit gives.
    let nearest = near.min_by(|one, two| {
        let order = one.is_burst.cmp(&two.is_burst);
        order.then(distance(one).total_cmp(&distance(two)))
    })?;
    let mut names: Vec<&str> = Vec::new();
    let same = known.iter();
    let is_same = |one: &Known| (one.value.to_bits(), one.is_burst);
    let same = same.filter(|one| is_same(one) == is_same(nearest));
    for one in same {
        if !names.contains(&one.name.as_str()) {
            names.push(&one.name);
        }
    }
    let (first, more) = names.split_first()?;
    let more = match more {
        [] => String::new(),
        [one] => format!(" or {one}"),
        more => format!(" (or {})", plural(more.len() as u64, "other type")),
    };
    let while_credit = if nearest.is_burst {
        " while its credit lasts"
    } else {
        ""
    };
    let (found, limit, unit) = match unit {
        CapUnit::Iops => (count(value as u64), count(nearest.value as u64), "IOPS"),
        CapUnit::BytesPerSecond => (megabytes(value), megabytes(nearest.value), "MB/s"),
    };
    Some(format!(
        "{found} of the {limit} {unit} that a {first}{more} of this size has{while_credit}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Op;
    use fathom_core::fixture::{self, JobPlan, Stream};
    use fathom_core::result::TargetInfo;

    fn on(model: &str, gib: u64, ios: u64) -> RunResult {
        let stream = Stream::random(Op::Read, 4096, vec![ios; 10]);
        let job = JobPlan::closed("read", 32, vec![stream]);
        let mut run = fixture::run("random", &[("random", vec![job])]);
        run.provenance.started_at = "2026-03-01T12:00:00.000Z".to_owned();
        run.provenance.targets = vec![TargetInfo {
            devices: vec![TargetDevice {
                name: "nvme1n1".to_owned(),
                model: model.to_owned(),
                size_bytes: gib << 30,
                leaf: true,
                ..TargetDevice::default()
            }],
            ..TargetInfo::default()
        }];
        run
    }

    #[test]
    fn a_figure_at_a_limit_says_whose_it_is() {
        let ebs = "Amazon Elastic Block Store";
        let cases = [
            (
                on(ebs, 500, 3010),
                Some("3,010 of the 3,000 IOPS that a gp3 of this size has"),
            ),
            (
                on(ebs, 500, 1490),
                Some("1,490 of the 1,500 IOPS that a gp2 of this size has"),
            ),
            (on(ebs, 500, 8000), None),
            (on("QEMU HARDDISK", 500, 3010), None),
        ];
        for (run, expected) in cases {
            assert_eq!(sentence(&run).as_deref(), expected);
        }
    }
}

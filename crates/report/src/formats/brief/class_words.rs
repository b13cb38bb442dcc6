//! What the figures mean for this kind of target: the limit that was found, else what devices of
//! its class give.

use super::cloud_words;
use super::lines::BriefLines;
use super::shape::Shape;
use crate::figure::{count, iops, megabytes};
use fathom_core::result::{JobResult, LoadModel, RunResult, TargetDevice};
use fathom_core::{EngineKind, Op};
use fathom_volume::classes::{ClassFigure, class_figures};

/// Lines of the sentence.
const LINES: usize = 2;
/// The figures of a class are those of a few drives: only what lies so far outside says anything.
const FAR: f64 = 2.0;
/// Requests of this size show requests a second, and those of at least the other bytes.
const SMALL_BYTES: u64 = 4096;
const LARGE_BYTES: u64 = 128 << 10;

pub(super) fn write(lines: &mut BriefLines, result: &RunResult) {
    let of_cloud =
        || cloud_words::sentence(result).filter(|_| result.provenance.origin.is_measured());
    if let Some(sentence) = limit(result)
        .or_else(of_cloud)
        .or_else(|| beside_class(result))
    {
        lines.hang("means", &sentence, LINES);
    }
}

/// What held the run back, if that was found.
fn limit(result: &RunResult) -> Option<String> {
    let mut bounds = result
        .phases
        .iter()
        .filter_map(|phase| Some((&phase.name, phase.bound.as_ref()?)));
    let (phase, bound) = bounds.next()?;
    Some(if result.phases.len() > 1 {
        format!("{phase}: {}", bound.sentence)
    } else {
        bound.sentence.clone()
    })
}

/// How a figure compares with those of its class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Standing {
    Expected,
    Below,
    Above,
}

struct Beside {
    place: Standing,
    /// How many times what is expected, or which part of it, as a distance.
    distance: f64,
    what: &'static str,
    value: String,
    range: String,
}

fn beside_class(result: &RunResult) -> Option<String> {
    // What a volume gives is its limits, whatever its disk calls itself.
    if cloud_words::cloud(result).is_some() {
        return None;
    }
    let is_storage = result
        .provenance
        .engine
        .kind()
        .is_none_or(EngineKind::is_real);
    let target = result.provenance.targets.first()?;
    if !is_storage || !result.provenance.origin.is_measured() || !target.direct {
        return None;
    }
    let (title, classes) = class(target.leaf()?)?;
    let mut found: Vec<Beside> = Vec::new();
    for phase in &result.phases {
        for job in phase
            .jobs
            .iter()
            .filter(|job| job.load_model == LoadModel::Closed)
        {
            found.extend(figures(result, &phase.name, job, &classes));
        }
    }
    // The first of those that are the furthest from what is expected.
    let worst = found.iter().map(|one| one.place).max()?;
    let of_place = found.iter().filter(|one| one.place == worst);
    let one = of_place.reduce(|one, other| {
        if other.distance > one.distance {
            other
        } else {
            one
        }
    })?;
    let Beside {
        what, value, range, ..
    } = one;
    Some(match worst {
        Standing::Above => {
            format!("{what} {value}, above the {range} of {title}: a cache serves it")
        }
        Standing::Below => format!("{what} {value}, below the {range} of {title}"),
        Standing::Expected => {
            format!("{what} {value}, as expected for {title} ({range})")
        }
    })
}

/// What the device says that it is, and the classes of it that are known.
fn class(device: &TargetDevice) -> Option<(String, Vec<&'static str>)> {
    let titled = |class: &'static str| {
        let mut figures = class_figures().iter();
        let title = figures.find(|figure| figure.class == class)?.title.clone();
        Some((title, vec![class]))
    };
    // The kernel marks disks of virtio and Xen as rotational, whatever lies below them.
    let is_virtual = ["vd", "xvd"]
        .iter()
        .any(|name| device.name.starts_with(name));
    if device.rotational && !is_virtual {
        let title = "a disk that reports itself as rotational".to_owned();
        return Some((title, vec!["hdd-5400", "hdd-7200", "hdd-10k", "hdd-15k"]));
    }
    if device.name.starts_with("nvme") {
        let link = device.limits.as_ref()?.link.as_ref()?;
        return match link.gigatransfers {
            8.0 => titled("nvme-pcie3"),
            16.0 => titled("nvme-pcie4"),
            32.0 => titled("nvme-pcie5"),
            _ => None,
        };
    }
    if device.model.starts_with("ATA ") {
        return titled("ssd-sata");
    }
    None
}

/// The operations of a job that the classes have a figure for.
fn figures(result: &RunResult, phase: &str, job: &JobResult, classes: &[&str]) -> Vec<Beside> {
    let spec = result.job_spec(phase, &job.name);
    let ops = job.ops.present().filter(|_| job.ops.present().count() == 1);
    let found = ops.filter_map(|(op, of_op)| {
        let shape = Shape::of(job, spec, op);
        let (what, metrics) = metrics(op, shape)?;
        let range = range(classes, metrics)?;
        let is_rate = shape.random == Some(false);
        let (value, number) = if is_rate {
            let rate = of_op.bytes_per_second;
            (rate / 1e6, format!("{} MB/s", megabytes(rate)))
        } else {
            (of_op.iops, format!("{} IOPS", iops(of_op.iops)))
        };
        Some(Beside {
            place: place(value, range, metrics),
            distance: (value / range.1).max(range.0 / value),
            what,
            value: number,
            range: said(range),
        })
    });
    found.collect()
}

fn said((least, most): (f64, f64)) -> String {
    if least < most {
        format!("{} to {}", count(least as u64), count(most as u64))
    } else {
        count(most as u64)
    }
}

fn place(value: f64, (least, most): (f64, f64), metrics: &[&str]) -> Standing {
    // How deep the queue of a data sheet was it rarely says.
    let is_deep =
        metrics.contains(&"random_read_iops_deep") || metrics.contains(&"random_write_iops_deep");
    if value > most * FAR {
        Standing::Above
    } else if value < least / FAR && !is_deep {
        Standing::Below
    } else {
        Standing::Expected
    }
}

/// The names of the figure that requests of this shape show, the best first.
fn metrics(op: Op, shape: Shape) -> Option<(&'static str, &'static [&'static str])> {
    let bytes = shape.bytes?;
    Some(match (op, shape.random?, shape.depth) {
        (Op::Read, false, _) if bytes >= LARGE_BYTES => {
            ("sequential reads at", &["seq_read_mbps", "seq_mbps"])
        }
        (Op::Write, false, _) if bytes >= LARGE_BYTES => {
            ("sequential writes at", &["seq_write_mbps", "seq_mbps"])
        }
        (Op::Read, true, 1) if bytes == SMALL_BYTES => {
            ("single reads at", &["random_read_iops_qd1"])
        }
        (Op::Write, true, 1) if bytes == SMALL_BYTES => {
            ("single writes at", &["random_write_iops_qd1"])
        }
        (Op::Read, true, 16..) if bytes == SMALL_BYTES => (
            "random reads at",
            &["random_read_iops_qd32", "random_read_iops_deep"],
        ),
        (Op::Write, true, 16..) if bytes == SMALL_BYTES => (
            "random writes at",
            &["random_write_iops_qd32", "random_write_iops_deep"],
        ),
        _ => return None,
    })
}

/// From the least to the most that the classes give, by the first name that any of them has.
fn range(classes: &[&str], metrics: &[&str]) -> Option<(f64, f64)> {
    metrics.iter().find_map(|metric| {
        let of = |figure: &&ClassFigure| {
            classes.contains(&figure.class.as_str()) && figure.metric == *metric
        };
        let ranges = class_figures().iter().filter(of);
        let ranges = ranges.filter_map(ClassFigure::range);
        ranges.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::{DeviceLimits, Link};

    fn nvme(gigatransfers: f64) -> TargetDevice {
        let link = Link {
            gigatransfers,
            lanes: 4,
            most_gigatransfers: gigatransfers,
            most_lanes: 4,
        };
        TargetDevice {
            name: "nvme0n1".to_owned(),
            limits: Some(Box::new(DeviceLimits {
                link: Some(link),
                ..DeviceLimits::default()
            })),
            ..TargetDevice::default()
        }
    }

    #[test]
    fn a_class_is_what_the_device_says() {
        let rotational = |name: &str| TargetDevice {
            name: name.to_owned(),
            rotational: true,
            ..TargetDevice::default()
        };
        let sata = TargetDevice {
            name: "sda".to_owned(),
            model: "ATA KINGSTON".to_owned(),
            ..TargetDevice::default()
        };
        let cases = [
            (nvme(16.0), Some("an NVMe drive at PCIe 4")),
            (nvme(2.5), None),
            (
                rotational("sda"),
                Some("a disk that reports itself as rotational"),
            ),
            (rotational("vda"), None),
            (sata, Some("a SATA SSD")),
            (TargetDevice::default(), None),
        ];
        for (device, expected) in cases {
            let title = class(&device).map(|(title, _)| title);
            assert_eq!(title.as_deref(), expected, "{device:?}");
        }
    }

    #[test]
    fn only_what_is_far_outside_is_below_or_above() {
        let single: &[&str] = &["random_read_iops_qd1"];
        let deep: &[&str] = &["random_read_iops_deep"];
        let cases = [
            (409.0, single, Standing::Above),
            (408.0, single, Standing::Expected),
            (25.5, single, Standing::Expected),
            (25.0, single, Standing::Below),
            (25.0, deep, Standing::Expected),
        ];
        for (value, metrics, expected) in cases {
            assert_eq!(place(value, (51.0, 204.0), metrics), expected, "{value}");
        }
    }

    #[test]
    fn rotating_disks_are_taken_together() {
        let disks = ["hdd-5400", "hdd-7200", "hdd-10k", "hdd-15k"];
        let single = range(&disks, &["random_read_iops_qd1"]);
        assert_eq!(single, Some((51.0, 204.0)));
        assert_eq!(
            range(&["ssd-sata"], &["seq_read_mbps"]),
            Some((560.0, 560.0))
        );
        assert_eq!(range(&["ssd-sata"], &["random_read_iops_qd1"]), None);
    }
}

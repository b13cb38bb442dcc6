//! What monitoring systems call what a disk does: one table for exports of all of them, whatever
//! the form of the export is.

use super::readings::Count::{Mean, Sum, Total};
use super::readings::Metric::{
    Await, BusySeconds, IdleSeconds, QueueDepth, ReadAwait, ReadBytes, ReadSeconds, Reads,
    Transfers, WriteAwait, WriteSeconds, Writes, WrittenBytes,
};
use super::readings::{Count, Metric};
use std::borrow::Cow;

/// Letters of a name that are looked at: a longer one is nobody's.
const MOST_LETTERS: usize = 1_000;
const KIB: f64 = 1_024.0;

/// A monitoring system, and the names that it uses.
pub(super) struct Family {
    /// What a recording of it is called.
    pub(super) tool: &'static str,
    /// What a device is called that has no name.
    device: &'static str,
    rows: &'static [Row],
}

/// A name in words, the metric, how it counts, and what turns its unit into ours.
type Row = (&'static str, Metric, Count, f64);

/// All of them. A name of more words comes before one that is a part of it.
const FAMILIES: [&Family; 8] = [
    &CLOUDWATCH,
    &AZURE,
    &GOOGLE,
    &NODE,
    &WINDOWS,
    &CONTAINER,
    &DATADOG,
    &LEGEND,
];

/// EBS volumes, EBS of an instance, disks of the instance itself, and RDS (Amazon EBS User Guide,
/// "CloudWatch metrics for Amazon EBS"; Amazon RDS User Guide, "CloudWatch metrics").
/// Exporters for Prometheus put `aws_ebs_` before and the statistic behind the same words.
const CLOUDWATCH: Family = Family {
    tool: "CloudWatch",
    device: "volume",
    rows: &[
        ("volume read ops", Reads, Sum, 1.0),
        ("volume write ops", Writes, Sum, 1.0),
        ("volume read bytes", ReadBytes, Sum, 1.0),
        ("volume write bytes", WrittenBytes, Sum, 1.0),
        ("volume total read time", ReadSeconds, Sum, 1.0),
        ("volume total write time", WriteSeconds, Sum, 1.0),
        ("volume idle time", IdleSeconds, Sum, 1.0),
        ("volume queue length", QueueDepth, Mean, 1.0),
        ("volume avg read latency", ReadAwait, Mean, 1.0),
        ("volume avg write latency", WriteAwait, Mean, 1.0),
        ("volume avg iops", Transfers, Mean, 1.0),
        ("ebs read ops", Reads, Sum, 1.0),
        ("ebs write ops", Writes, Sum, 1.0),
        ("ebs read bytes", ReadBytes, Sum, 1.0),
        ("ebs write bytes", WrittenBytes, Sum, 1.0),
        ("disk read ops", Reads, Sum, 1.0),
        ("disk write ops", Writes, Sum, 1.0),
        ("read iops", Reads, Mean, 1.0),
        ("write iops", Writes, Mean, 1.0),
        ("read throughput", ReadBytes, Mean, 1.0),
        ("write throughput", WrittenBytes, Mean, 1.0),
        ("read latency", ReadAwait, Mean, 1e3),
        ("write latency", WriteAwait, Mean, 1e3),
    ],
};

/// Data, OS and temporary disks of machines, and managed disks (Azure Monitor, "Supported metrics
/// for Microsoft.Compute/virtualMachines" and ".../disks").
const AZURE: Family = Family {
    tool: "Azure Monitor",
    device: "disk",
    rows: &[
        ("disk read operations sec", Reads, Mean, 1.0),
        ("disk write operations sec", Writes, Mean, 1.0),
        ("disk read bytes sec", ReadBytes, Mean, 1.0),
        ("disk write bytes sec", WrittenBytes, Mean, 1.0),
        ("disk read bytes", ReadBytes, Sum, 1.0),
        ("disk write bytes", WrittenBytes, Sum, 1.0),
        ("disk queue depth", QueueDepth, Mean, 1.0),
        ("disk latency", Await, Mean, 1.0),
        ("disk qd", QueueDepth, Mean, 1.0),
    ],
};

/// Disks of machines and of Cloud SQL (Google Cloud, "Google Cloud metrics").
const GOOGLE: Family = Family {
    tool: "Google Monitoring",
    device: "disk",
    rows: &[
        ("disk read ops count", Reads, Sum, 1.0),
        ("disk write ops count", Writes, Sum, 1.0),
        ("disk read bytes count", ReadBytes, Sum, 1.0),
        ("disk write bytes count", WrittenBytes, Sum, 1.0),
        ("disk average io queue depth", QueueDepth, Mean, 1.0),
        ("disk average io latency", Await, Mean, 1e-3),
    ],
};

/// node_exporter, its collector `diskstats`, with the names that it had before 0.16.
const NODE: Family = Family {
    tool: "Prometheus",
    device: "disk",
    rows: &[
        ("node disk reads completed", Reads, Total, 1.0),
        ("node disk writes completed", Writes, Total, 1.0),
        ("node disk read bytes", ReadBytes, Total, 1.0),
        ("node disk bytes read", ReadBytes, Total, 1.0),
        ("node disk written bytes", WrittenBytes, Total, 1.0),
        ("node disk bytes written", WrittenBytes, Total, 1.0),
        ("node disk read time seconds", ReadSeconds, Total, 1.0),
        ("node disk write time seconds", WriteSeconds, Total, 1.0),
        ("node disk io time seconds", BusySeconds, Total, 1.0),
        ("node disk io time weighted seconds", QueueDepth, Total, 1.0),
    ],
};

/// windows_exporter, its collectors `logical_disk` and `physical_disk`.
const WINDOWS: Family = Family {
    tool: "Prometheus",
    device: "disk",
    rows: &[
        ("disk reads total", Reads, Total, 1.0),
        ("disk writes total", Writes, Total, 1.0),
        ("disk read bytes total", ReadBytes, Total, 1.0),
        ("disk write bytes total", WrittenBytes, Total, 1.0),
        ("disk read seconds total", ReadSeconds, Total, 1.0),
        ("disk write seconds total", WriteSeconds, Total, 1.0),
        ("disk idle seconds total", IdleSeconds, Total, 1.0),
    ],
};

/// cAdvisor, for containers of Kubernetes.
const CONTAINER: Family = Family {
    tool: "Prometheus",
    device: "disk",
    rows: &[
        ("container fs reads total", Reads, Total, 1.0),
        ("container fs writes total", Writes, Total, 1.0),
        ("container fs reads bytes total", ReadBytes, Total, 1.0),
        ("container fs writes bytes total", WrittenBytes, Total, 1.0),
    ],
};

/// Datadog's check of `iostat` (Datadog, "Disk I/O"). What it takes from clouds has their words.
const DATADOG: Family = Family {
    tool: "Datadog",
    device: "disk",
    rows: &[
        ("system io r s", Reads, Mean, 1.0),
        ("system io w s", Writes, Mean, 1.0),
        ("system io rkb s", ReadBytes, Mean, KIB),
        ("system io wkb s", WrittenBytes, Mean, KIB),
        ("system io r await", ReadAwait, Mean, 1.0),
        ("system io w await", WriteAwait, Mean, 1.0),
        ("system io await", Await, Mean, 1.0),
        ("system io avg q sz", QueueDepth, Mean, 1.0),
    ],
};

/// Legends of Grafana's dashboard "Node Exporter Full": rates that the panel computed.
const LEGEND: Family = Family {
    tool: "Grafana",
    device: "disk",
    rows: &[
        ("reads completed", Reads, Mean, 1.0),
        ("writes completed", Writes, Mean, 1.0),
        ("read bytes", ReadBytes, Mean, 1.0),
        ("written bytes", WrittenBytes, Mean, 1.0),
        ("write bytes", WrittenBytes, Mean, 1.0),
    ],
};

/// What a name means.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Known {
    pub(super) tool: &'static str,
    pub(super) metric: Metric,
    pub(super) count: Count,
    pub(super) factor: f64,
    /// Length of the span that it counts over, where an exporter reads a cloud's sums.
    pub(super) span: Option<f64>,
    /// What a device is called that has no name.
    pub(super) device: &'static str,
}

/// Seconds over which cloudwatch_exporter asks for a statistic unless another period is set.
pub(super) const EXPORTER_PERIOD: f64 = 60.0;

/// What a name means: `VolumeReadOps`, `aws_ebs_volume_read_ops_sum`, `Data Disk Read
/// Operations/Sec (Avg), vm1`, `rate(node_disk_reads_completed_total{device="sda"}[1m])`. None for
/// what says nothing of a load: the largest and the smallest value of a period, and the mean of
/// what requests count.
pub(super) fn known(text: &str) -> Option<Known> {
    if text.len() > MOST_LETTERS {
        return None;
    }
    let words = words(text);
    let rows = FAMILIES
        .iter()
        .flat_map(|family| family.rows.iter().map(move |row| (family, row)));
    let found = rows.filter(|(_, row)| has(&words, row.0));
    let (family, row) = found.max_by_key(|(_, row)| row.0.len())?;
    let ends = |ends: &[&str]| ends.iter().any(|end| words.ends_with(&format!(" {end} ")));
    if ends(&[
        "maximum",
        "minimum",
        "max",
        "min",
        "sample count",
        "samplecount",
    ]) || row.2 == Count::Sum && ends(&["average"])
    {
        return None;
    }
    let is_exported = words.starts_with(" aws ") && row.2 == Count::Sum && text.contains('_');
    let count = match row.2 {
        Count::Total if has(&words, "rate") || has(&words, "irate") => Count::Mean,
        Count::Total if has(&words, "increase") => Count::Sum,
        count => count,
    };
    Some(Known {
        tool: family.tool,
        metric: row.1,
        count,
        factor: row.3,
        span: is_exported.then_some(EXPORTER_PERIOD),
        device: family.device,
    })
}

fn has(words: &str, phrase: &str) -> bool {
    words
        .match_indices(phrase)
        .any(|(at, _)| words[..at].ends_with(' ') && words[at + phrase.len()..].starts_with(' '))
}

/// The words of a name in small letters, each between blanks: an upper letter begins one.
fn words(text: &str) -> String {
    let mut words = String::with_capacity(text.len() + 16);
    words.push(' ');
    let mut before = ' ';
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        if letter.is_ascii_alphanumeric() {
            let next_is_small = letters.peek().is_some_and(char::is_ascii_lowercase);
            let begins = letter.is_ascii_uppercase()
                && (before.is_ascii_lowercase() || before.is_ascii_uppercase() && next_is_small);
            if begins && !words.ends_with(' ') {
                words.push(' ');
            }
            words.push(letter.to_ascii_lowercase());
        } else if !words.ends_with(' ') {
            words.push(' ');
        }
        before = letter;
    }
    if !words.ends_with(' ') {
        words.push(' ');
    }
    words
}

impl Known {
    pub(super) fn is_sum(&self) -> bool {
        self.count == Count::Sum
    }

    /// The device that a name speaks of: by its labels, by the id of a volume or an instance, by
    /// what stands before ` - `, or by the kind of disk.
    pub(super) fn device<'a>(&self, text: &'a str) -> Cow<'a, str> {
        let labels = labels(text);
        if let Some(device) = of_labels(&labels.iter().copied()) {
            return device.to_owned().into();
        }
        if let Some(id) = volume(text) {
            return id.into();
        }
        if let Some((before, rest)) = text.split_once(" - ") {
            let device = if known(before).is_some() {
                rest
            } else {
                before
            };
            return device.trim().into();
        }
        let words = words(text);
        let whose = ["data", "os", "temp"].into_iter();
        let whose = whose.filter(|_| self.tool == AZURE.tool);
        let disk = whose.map(|word| format!("{word} disk"));
        let mut disk = disk.filter(|disk| has(&words, disk));
        disk.next().map_or(self.device.into(), Cow::from)
    }
}

/// Labels that name a disk, the most exact first.
const DEVICE_LABELS: [&str; 12] = [
    "device",
    "device_name",
    "disk",
    "volume",
    "volume_id",
    "VolumeId",
    "dimension_VolumeId",
    "LUN",
    "dbinstance_identifier",
    "dimension_DBInstanceIdentifier",
    "DBInstanceIdentifier",
    "database_id",
];

/// The disk that labels name.
pub(super) fn of_labels<'a>(
    labels: &(impl Iterator<Item = (&'a str, &'a str)> + Clone),
) -> Option<&'a str> {
    let of = |wanted: &&str| labels.clone().find(|(key, _)| key == wanted);
    DEVICE_LABELS.iter().find_map(of).map(|(_, value)| value)
}

/// The labels of `name{device="sda", job="node"}` or `avg:name{host:web,device:sda}`.
fn labels(text: &str) -> Vec<(&str, &str)> {
    let inner = text
        .split_once('{')
        .and_then(|(_, rest)| rest.split_once('}'));
    let pairs = inner.map(|(inner, _)| inner).unwrap_or_default().split(',');
    pairs
        .filter_map(|pair| pair.split_once(['=', ':']))
        .map(|(key, value)| (key.trim(), value.trim().trim_matches('"')))
        .collect()
}

/// The volume or instance of AWS that a text names.
pub(super) fn volume(text: &str) -> Option<&str> {
    let words = text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    let mut named = words.filter(|word| {
        let id = word.strip_prefix("vol-").or(word.strip_prefix("i-"));
        id.is_some_and(|id| id.len() >= 4 && id.bytes().all(|byte| byte.is_ascii_hexdigit()))
    });
    named.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_every_system_are_known() {
        let cases = [
            (
                "vol-0a1b2c VolumeReadOps",
                "CloudWatch vol-0a1b2c Reads Sum 1",
            ),
            ("EBSWriteBytes", "CloudWatch volume WrittenBytes Sum 1"),
            ("ReadIOPS", "CloudWatch volume Reads Mean 1"),
            ("WriteLatency", "CloudWatch volume WriteAwait Mean 1000"),
            (
                "aws_ebs_volume_read_ops_sum{volume_id=\"vol-1\"}",
                "CloudWatch vol-1 Reads Sum 1 over 60",
            ),
            ("aws_ebs_volume_read_ops_average", ""),
            (
                "aws_rds_read_iops_average",
                "CloudWatch volume Reads Mean 1",
            ),
            ("aws_rds_read_iops_maximum", ""),
            (
                "Data Disk Read Operations/Sec (Avg), vm1",
                "Azure Monitor data disk Reads Mean 1",
            ),
            ("Disk Write Bytes", "Azure Monitor disk WrittenBytes Sum 1"),
            (
                "compute.googleapis.com/instance/disk/read_ops_count",
                "Google Monitoring disk Reads Sum 1",
            ),
            (
                "compute.googleapis.com/instance/disk/throttled_read_ops_count",
                "",
            ),
            (
                "node_disk_reads_completed_total{device=\"sda\", instance=\"h:9100\"}",
                "Prometheus sda Reads Total 1",
            ),
            (
                "irate(node_disk_written_bytes_total{device=\"sda\"}[5m])",
                "Prometheus sda WrittenBytes Mean 1",
            ),
            (
                "node_disk_io_time_weighted_seconds_total",
                "Prometheus disk QueueDepth Total 1",
            ),
            (
                "windows_logical_disk_reads_total{volume=\"C:\"}",
                "Prometheus C: Reads Total 1",
            ),
            (
                "avg:system.io.rkb_s{host:web,device:sda}",
                "Datadog sda ReadBytes Mean 1024",
            ),
            ("sda - Reads completed", "Grafana sda Reads Mean 1"),
            ("Percentage CPU", ""),
        ];
        for (text, expected) in cases {
            let found = known(text).map_or_else(String::new, |known| {
                let Known {
                    tool,
                    metric,
                    count,
                    factor,
                    span,
                    ..
                } = known;
                let device = known.device(text);
                let over = span.map_or_else(String::new, |span| format!(" over {span}"));
                format!("{tool} {device} {metric:?} {count:?} {factor}{over}")
            });
            assert_eq!(found, expected, "{text}");
        }
    }
}

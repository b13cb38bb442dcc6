//! Every family of metrics: its name, its help and its samples.

use super::{Disk, Exposition};
use crate::formats::openmetrics::Labels;
use fathom_core::foreign::visible;
use fathom_core::rows;
use fathom_verdict::Moved;
use fathom_verdict::live::{Cause, Quantity};
use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, NoLabelSet};
use prometheus_client::metrics::MetricType::{self, Counter, Gauge, Histogram};
use std::collections::BTreeMap;
use std::fmt;

enum Value {
    Number(f64),
    /// Sum, and counts by upper bound.
    Bins(f64, Vec<(f64, u64)>),
}

type Samples = Vec<(Labels, Value)>;

/// A name without the suffixes that its kind adds, the kind, the help and the samples.
struct Family(
    &'static str,
    MetricType,
    &'static str,
    fn(&Exposition) -> Samples,
);

impl Family {
    const fn of(
        name: &'static str,
        kind: MetricType,
        help: &'static str,
        samples: fn(&Exposition) -> Samples,
    ) -> Self {
        Self(name, kind, help, samples)
    }
}

/// All names that are printed. Dashboards and alerts are tested against them.
static FAMILIES: &[Family] = rows! { Family;
    of("fathom_throttled", Gauge, "1 if the cause limited the storage in the last interval",
        |all| by_cause(|index| f64::from(u8::from(all.cause == Some(Cause::WORDS[index].0)))));
    of("fathom_throttled_seconds", Counter, "Time in which the cause limited the storage",
        |all| by_cause(|index| all.throttled_ns[index] as f64 / 1e9));
    of("fathom_credit_empty_seconds", Gauge,
        "Time until burst credit is used up at the present rate; infinite while none is used",
        |all| one(all.credit_empty_in_s.unwrap_or(f64::INFINITY)));
    of("fathom_observed_seconds", Counter,
        "Time that was observed; it stands still if the monitor does",
        |all| one(all.observed_ns as f64 / 1e9));
    of("fathom_device_requests", Counter, "Requests that completed",
        |all| {
            all.by_op(|disk| {
                let flushes = disk.flushes.map(|(count, _)| count as f64);
                let (reads, writes) = (disk.moved.reads, disk.moved.writes);
                [Some(reads as f64), Some(writes as f64), flushes]
            })
        });
    of("fathom_device_bytes", Counter, "Bytes that were moved",
        |all| {
            all.by_op(|disk| {
                let (read, written) = (disk.moved.read_bytes, disk.moved.written_bytes);
                [Some(read as f64), Some(written as f64), None]
            })
        });
    of("fathom_device_request_seconds", Counter,
        "Sum of the times of requests from queueing to completion",
        |all| {
            all.by_op(|disk| {
                let flush_ms = disk.flushes.map(|(_, time_ms)| time_ms);
                let times = [Some(disk.read_wait_ms), Some(disk.write_wait_ms), flush_ms];
                times.map(|time_ms| Some(time_ms? as f64 / 1e3))
            })
        });
    of("fathom_device_queue_seconds", Counter,
        "Integral of the requests in flight over the time; its rate is their mean number",
        |all| all.by_disk(|disk| disk.queue_s));
    of("fathom_device_busy_seconds", Counter, "Time with at least one request in flight",
        |all| all.by_disk(|disk| disk.busy_ms as f64 / 1e3));
    of("fathom_device_in_flight", Gauge, "Requests in flight at the end of the last interval",
        |all| all.by_disk(|disk| disk.in_flight as f64));
    of("fathom_device_latency_seconds", Histogram,
        "Times of requests, as EBS and instance stores count them", latencies);
    of("fathom_device_exceeded_seconds", Counter,
        "Time in which more was asked for than a limit allows, as EBS and instance stores count it",
        exceeded);
    of("fathom_cgroup_requests", Counter, "Requests of a control group that has a limit",
        |all| all.by_group(|moved| [moved.reads, moved.writes]));
    of("fathom_cgroup_bytes", Counter, "Bytes of a control group that has a limit",
        |all| all.by_group(|moved| [moved.read_bytes, moved.written_bytes]));
    of("fathom_measured_iops", Gauge, "Rate that a limit of fathom_limit_iops is compared with",
        |all| all.limited(Quantity::Iops, false));
    of("fathom_limit_iops", Gauge, "Limit of a volume, an instance, a control group or --cap",
        |all| all.limited(Quantity::Iops, true));
    of("fathom_measured_bytes_per_second", Gauge,
        "Rate that a limit of fathom_limit_bytes_per_second is compared with",
        |all| all.limited(Quantity::BytesPerSecond, false));
    of("fathom_limit_bytes_per_second", Gauge,
        "Limit of a volume, an instance, a control group or --cap",
        |all| all.limited(Quantity::BytesPerSecond, true));
    of("fathom_measured_requests", Gauge,
        "Requests that a limit of fathom_limit_requests is compared with",
        |all| all.limited(Quantity::Requests, false));
    of("fathom_limit_requests", Gauge, "Slots of a queue or of a driver",
        |all| all.limited(Quantity::Requests, true));
    of("fathom_credit_left", Gauge, "Burst credit that is left, in requests or bytes",
        |all| all.limited(Quantity::Tokens, false));
    of("fathom_credit_full", Gauge, "Burst credit of a full bucket, in requests or bytes",
        |all| all.limited(Quantity::Tokens, true));
};

/// Names of operations in labels.
const OPS: [&str; 3] = ["read", "write", "flush"];

fn one(number: f64) -> Samples {
    vec![(Vec::new(), Value::Number(number))]
}

/// A name from the system as the value of a label.
fn label(name: &'static str, value: &str) -> (&'static str, String) {
    (name, visible(value).into_owned())
}

fn by_cause(number: impl Fn(usize) -> f64) -> Samples {
    let words = Cause::WORDS.iter().enumerate();
    let sample = |(index, (_, word)): (usize, &(Cause, &str))| {
        (vec![label("by", word)], Value::Number(number(index)))
    };
    words.map(sample).collect()
}

fn latencies(all: &Exposition) -> Samples {
    let mut samples = Vec::new();
    for (name, disk) in &all.disks {
        for (op, times) in &disk.times {
            let (finite, above): (Vec<_>, Vec<_>) =
                times.bins.iter().partition(|(bound, _)| **bound < u64::MAX);
            let finite = finite.into_iter();
            let mut bins: Vec<(f64, u64)> = finite
                .map(|(bound, count)| (*bound as f64 / 1e6, *count))
                .collect();
            bins.push((
                f64::INFINITY,
                above.into_iter().map(|(_, count)| count).sum(),
            ));
            let labels = vec![label("device", name), label("op", op.name())];
            samples.push((labels, Value::Bins(times.sum_us as f64 / 1e6, bins)));
        }
    }
    samples
}

fn exceeded(all: &Exposition) -> Samples {
    let mut samples = Vec::new();
    for (name, disk) in &all.disks {
        for (what, time_us) in &disk.exceeded_us {
            let labels = vec![label("device", name), label("limit", what)];
            samples.push((labels, Value::Number(*time_us as f64 / 1e6)));
        }
    }
    samples
}

impl Exposition {
    fn by_disk(&self, number: impl Fn(&Disk) -> f64) -> Samples {
        let disks = self.disks.iter();
        let sample = |(name, disk): (&String, &Disk)| {
            (vec![label("device", name)], Value::Number(number(disk)))
        };
        disks.map(sample).collect()
    }

    fn by_op(&self, numbers: impl Fn(&Disk) -> [Option<f64>; 3]) -> Samples {
        let mut samples = Vec::new();
        for (name, disk) in &self.disks {
            for (op, number) in OPS.iter().zip(numbers(disk)) {
                let labels = vec![label("device", name), label("op", op)];
                samples.extend(number.map(|number| (labels, Value::Number(number))));
            }
        }
        samples
    }

    fn by_group(&self, numbers: impl Fn(&Moved) -> [u64; 2]) -> Samples {
        let mut samples = Vec::new();
        for ((group, device), moved) in &self.groups {
            for (op, number) in OPS.iter().zip(numbers(moved)) {
                let names = [("cgroup", group.as_str()), ("device", device), ("op", op)];
                let labels = names.map(|(name, value)| label(name, value)).into();
                samples.push((labels, Value::Number(number as f64)));
            }
        }
        samples
    }

    /// What has a limit, or the limit itself; the lowest where several have one name.
    fn limited(&self, unit: Quantity, is_limit: bool) -> Samples {
        let mut lowest: BTreeMap<Labels, (f64, f64)> = BTreeMap::new();
        let rows = self.limits.iter().filter(|row| row.unit == unit);
        for (row, limit) in rows.filter_map(|row| Some((row, row.limit?))) {
            let labels = vec![label("of", &row.subject), label("what", row.what)];
            let known = lowest.entry(labels).or_insert((limit, row.value));
            if limit < known.0 {
                *known = (limit, row.value);
            }
        }
        let number = |(limit, value)| Value::Number(if is_limit { limit } else { value });
        let samples = lowest.into_iter();
        samples
            .map(|(labels, both)| (labels, number(both)))
            .collect()
    }
}

impl Collector for Exposition {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), fmt::Error> {
        for Family(name, kind, help, samples) in FAMILIES {
            let mut family = encoder.encode_descriptor(name, help, None, *kind)?;
            for (labels, value) in samples(self) {
                let mut metric = family.encode_family(&labels)?;
                match value {
                    Value::Bins(sum, bins) => {
                        let count = bins.iter().map(|(_, count)| count).sum();
                        metric.encode_histogram::<NoLabelSet>(sum, count, &bins, None)?;
                    }
                    Value::Number(number) if matches!(kind, Counter) => {
                        metric.encode_counter::<NoLabelSet, f64, f64>(&number, None)?;
                    }
                    Value::Number(number) => metric.encode_gauge(&number)?,
                }
            }
        }
        Ok(())
    }
}

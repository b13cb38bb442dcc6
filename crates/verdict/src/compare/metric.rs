//! What is compared of a job's operation.

use fathom_core::histogram::Histogram;
use fathom_core::result::OpResult;
use fathom_core::result::metric::Unit;
use fathom_core::summary::{PERCENTILES, supports};
use serde::{Serialize, Serializer};
use std::str::FromStr;

/// A number of one operation of one job.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Metric {
    /// Requests a second.
    Iops,
    /// Bytes a second.
    Throughput,
    /// Mean response time, nanoseconds.
    Mean,
    /// A percentile of the response time, nanoseconds: its name and its share (0 to 1).
    Percentile(&'static str, f64),
}

/// All metrics with their names, in the order in which reports list them.
pub const METRICS: [(&str, Metric); 9] = [
    ("iops", Metric::Iops),
    ("throughput", Metric::Throughput),
    ("mean", Metric::Mean),
    ("p50", percentile(1)),
    ("p90", percentile(3)),
    ("p95", percentile(4)),
    ("p99", percentile(5)),
    ("p99.9", percentile(6)),
    ("p99.99", percentile(7)),
];

const fn percentile(index: usize) -> Metric {
    let (name, share) = PERCENTILES[index];
    Metric::Percentile(name, share)
}

impl Metric {
    /// Its name, as in `p99`.
    pub fn name(self) -> &'static str {
        let found = METRICS.iter().find(|(_, metric)| *metric == self);
        found.map_or("percentile", |(name, _)| name)
    }

    /// Whether more of it is better.
    pub const fn is_rate(self) -> bool {
        matches!(self, Self::Iops | Self::Throughput)
    }

    /// What it counts.
    pub const fn unit(self) -> Unit {
        match self {
            Self::Iops => Unit::PerSecond,
            Self::Throughput => Unit::BytesPerSecond,
            Self::Mean | Self::Percentile(..) => Unit::Nanos,
        }
    }

    /// A value for people, with its unit.
    pub fn figure(self, value: f64) -> String {
        self.unit().figure(value)
    }

    /// Its value over `ops`: one operation of one job, in all repeats of a run. Rates are over
    /// the time that the job was at work, `seconds`; `None` where nothing or not enough completed.
    pub(super) fn of(self, ops: &[&OpResult], seconds: f64) -> Option<f64> {
        let ios: u64 = ops.iter().map(|op| op.ios).sum();
        if ios == 0 || seconds <= 0.0 {
            return None;
        }
        match self {
            Self::Iops => Some(ios as f64 / seconds),
            Self::Throughput => {
                let bytes: u64 = ops.iter().map(|op| op.bytes).sum();
                (bytes > 0).then(|| bytes as f64 / seconds)
            }
            Self::Mean => {
                let sum = |op: &&OpResult| op.response_ns.mean * op.response_ns.count as f64;
                let count: u64 = ops.iter().map(|op| op.response_ns.count).sum();
                let mean = ops.iter().map(sum).sum::<f64>() / count.max(1) as f64;
                (mean > 0.0).then_some(mean)
            }
            Self::Percentile(name, share) => percentile_of(ops, name, share),
        }
    }
}

fn percentile_of(ops: &[&OpResult], name: &str, share: f64) -> Option<f64> {
    if let [op] = ops {
        let found = op.response_ns.percentile(name)?;
        return (found > 0).then_some(found as f64);
    }
    let mut all = Histogram::new();
    for op in ops {
        let encoded = op.response_histogram.as_ref();
        let encoded = encoded.or(op.service_histogram.as_ref())?;
        all.add(&encoded.decode().ok()?);
    }
    let value = all.quantile_ns(share);
    (supports(all.len(), share) && value > 0).then_some(value as f64)
}

impl FromStr for Metric {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = METRICS.iter().find(|(name, _)| *name == text);
        found.map(|(_, metric)| *metric).ok_or_else(|| {
            let names = METRICS.map(|(name, _)| name);
            format!("the metrics are {}", names.join(", "))
        })
    }
}

#[cfg(feature = "schema")]
fathom_core::schema_of_text! { Metric, "Name of a metric, as in `p99`."; }

impl Serialize for Metric {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

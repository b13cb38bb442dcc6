//! The buckets of requests a second as a time series.

use super::{MILLISECOND, OPS, Reader};
use crate::xml::Element;
use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::result::{IntervalJob, IntervalOp, IntervalResult, OpResult, PhaseResult};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_tools::results::place::Wrong;

impl Reader<'_> {
    /// The buckets of requests a second, one for each interval.
    pub(super) fn series(
        &self,
        element: &Element,
        length_ms: Option<u32>,
        ops: [&mut OpResult; 2],
        phase: &mut PhaseResult,
    ) -> Result<(), Wrong> {
        let mut rates = [Vec::new(), Vec::new()];
        let mut begin_ms = 0;
        for bucket in element
            .children
            .iter()
            .filter(|child| child.name == "Bucket")
        {
            let end_ms: u64 = self.attribute(bucket, "SampleMillisecond")?;
            let length_ms = length_ms.map_or_else(|| end_ms.saturating_sub(begin_ms), u64::from);
            let length_ns = length_ms.saturating_mul(MILLISECOND);
            let mut entry = IntervalJob::default();
            for (index, op) in OPS.into_iter().enumerate() {
                let (rate, found) = self.bucket(bucket, op, ops[index], length_ns)?;
                rates[index].push(rate);
                entry.ops[op] = (found.ios > 0).then_some(found);
            }
            let start_ns = begin_ms.saturating_mul(MILLISECOND);
            phase.intervals.push(IntervalResult {
                part: Part::Measure,
                start_ns: start_ns.saturating_add(phase.warm_up_ns),
                length_ns,
                jobs: vec![entry],
            });
            begin_ms = end_ms;
        }
        let names = ["ReadIopsStdDev", "WriteIopsStdDev"];
        for ((op, rates), name) in ops.into_iter().zip(&rates).zip(names) {
            op.iops_by_interval = Spread::of(rates);
            if let Some(stddev) = self.optional(element, name)? {
                op.iops_by_interval.stddev = stddev;
            }
        }
        Ok(())
    }

    /// One operation in one bucket: its rate as printed, and the requests that it stands for.
    fn bucket(
        &self,
        bucket: &Element,
        op: Op,
        total: &OpResult,
        length_ns: u64,
    ) -> Result<(f64, IntervalOp), Wrong> {
        let side = if op == Op::Read { "Read" } else { "Write" };
        let rate: f64 = self.attribute(bucket, side)?;
        let ios = (rate * length_ns as f64 / 1e9).round() as u64;
        let bytes_each = total.bytes as f64 / total.ios.max(1) as f64;
        let time = |what: &str| -> Result<f64, Wrong> {
            let name = format!("{side}{what}");
            if bucket.value(&name).is_none() {
                return Ok(0.0);
            }
            Ok(self.attribute::<f64>(bucket, &name)? * 1e6)
        };
        let service_ns = LatencySummary {
            count: if total.service_ns.count > 0 { ios } else { 0 },
            mean: time("AvgLatencyMilliseconds")?,
            stddev: time("LatencyStdDev")?,
            min: time("MinLatencyMilliseconds")?.round() as u64,
            max: time("MaxLatencyMilliseconds")?.round() as u64,
            ..LatencySummary::default()
        };
        let found = IntervalOp {
            ios,
            bytes: (ios as f64 * bytes_each).round() as u64,
            service_ns,
            ..IntervalOp::default()
        };
        Ok((rate, found))
    }
}

//! The numbers of one job out of its logs.

use super::line::Entry;
use super::timeline::Timeline;
use super::{Draft, Logs, Quantity};
use fathom_core::result::{EncodedHistogram, JobResult, OpResult, ResultField};
use fathom_core::summary::{LatencySummary, Spread};
use fathom_core::{Histogram, Op};
use std::collections::BTreeMap;

const MILLISECOND: u64 = 1_000_000;
const KIB: f64 = 1024.0;
const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

/// The lines of one operation in one log.
type LogEntries = Vec<Entry>;

/// Fills in a job; returns what is worth a note.
pub(super) fn job(
    index: u32,
    logs: &Logs,
    timeline: &mut Timeline,
    job: &mut JobResult,
    draft: &mut Draft,
) -> Vec<String> {
    let mut notes = Vec::new();
    let all = logs.values().flatten();
    // A line for a request is written in the millisecond of its completion.
    let end = |entry: &Entry| entry.time_ms.saturating_add(u64::from(entry.bytes > 0));
    job.active_ns = all.map(end).max().unwrap_or(0).saturating_mul(MILLISECOND);
    let latency = if logs.contains_key(&Quantity::Completion) {
        Quantity::Completion
    } else {
        if logs.contains_key(&Quantity::Total) {
            notes.push("there is no clat log, so times are those of lat: with submission".into());
        }
        Quantity::Total
    };
    for op in OPS {
        let of = |quantity: Quantity| -> LogEntries {
            let lines = logs.get(&quantity).into_iter().flatten();
            lines.filter(|entry| entry.op == op).copied().collect()
        };
        let lines = [latency, Quantity::Iops, Quantity::Bandwidth].map(of);
        if lines.iter().all(Vec::is_empty) {
            continue;
        }
        let mut one = One {
            job: index,
            op,
            timeline,
            draft,
        };
        let result = one.operation(&lines, job.active_ns);
        job.completed = job.completed.saturating_add(result.ios);
        job.ops[op] = Some(result);
    }
    notes
}

/// One operation of one job.
struct One<'a> {
    job: u32,
    op: Op,
    timeline: &'a mut Timeline,
    draft: &'a mut Draft,
}

impl One<'_> {
    /// From lines of latency, requests a second and KiB/s.
    fn operation(&mut self, lines: &[LogEntries; 3], active_ns: u64) -> OpResult {
        let mut result = OpResult::default();
        let single = lines
            .iter()
            .find(|lines| lines.iter().any(|line| line.bytes > 0));
        if let Some(single) = single {
            self.count(single, &mut result);
        } else {
            self.rates(&lines[1], &lines[2], &mut result);
        }
        self.latency(&lines[0], &mut result);
        let seconds = active_ns as f64 / 1e9;
        if single.is_some() && seconds > 0.0 {
            result.iops = result.ios as f64 / seconds;
            result.bytes_per_second = result.bytes as f64 / seconds;
        }
        result
    }

    /// Counts lines that are a request each.
    fn count(&mut self, lines: &[Entry], result: &mut OpResult) {
        for line in lines.iter().filter(|line| line.bytes > 0) {
            result.ios += 1;
            result.bytes = result.bytes.saturating_add(line.bytes);
            let index = self.timeline.at(line.time_ms);
            let cell = self.timeline.cell(index, self.job, self.op);
            cell.ios += 1;
            cell.bytes = cell.bytes.saturating_add(line.bytes);
        }
    }

    /// Adds up means over spans of time.
    fn rates(&mut self, iops: &[Entry], bandwidth: &[Entry], result: &mut OpResult) {
        if iops.is_empty() {
            self.draft.unknown([ResultField::Ios, ResultField::Iops]);
        }
        if bandwidth.is_empty() {
            self.draft
                .unknown([ResultField::Bytes, ResultField::BytesPerSecond]);
        }
        let seconds = self.timeline.seconds();
        for line in iops {
            let ios = (line.value as f64 * seconds).round() as u64;
            result.ios = result.ios.saturating_add(ios);
            let index = self.timeline.ending_at(line.time_ms);
            let cell = self.timeline.cell(index, self.job, self.op);
            cell.ios = cell.ios.saturating_add(ios);
        }
        for line in bandwidth {
            let bytes = (line.value as f64 * KIB * seconds).round() as u64;
            result.bytes = result.bytes.saturating_add(bytes);
            let index = self.timeline.ending_at(line.time_ms);
            let cell = self.timeline.cell(index, self.job, self.op);
            cell.bytes = cell.bytes.saturating_add(bytes);
        }
        // fio drops the last span of these logs now and then, so the rate is over those it has.
        let covered = |lines: &[Entry]| {
            let last = lines
                .iter()
                .map(|line| self.timeline.ending_at(line.time_ms))
                .max();
            last.map_or(0.0, |last| (last.saturating_add(1)) as f64 * seconds)
        };
        let rate = |amount: u64, seconds: f64| {
            if seconds > 0.0 {
                amount as f64 / seconds
            } else {
                0.0
            }
        };
        result.iops = rate(result.ios, covered(iops));
        result.bytes_per_second = rate(result.bytes, covered(bandwidth));
        let spread = |lines: &[Entry], factor: f64| {
            let rates: Vec<f64> = lines
                .iter()
                .map(|line| line.value as f64 * factor)
                .collect();
            Spread::of(&rates)
        };
        result.iops_by_interval = spread(iops, 1.0);
        result.bytes_per_second_by_interval = spread(bandwidth, KIB);
    }

    fn latency(&mut self, lines: &[Entry], result: &mut OpResult) {
        if lines.is_empty() {
            return;
        }
        if lines.iter().all(|line| line.bytes > 0) {
            self.values(lines, result);
        } else {
            self.means(lines, result);
        }
    }

    /// Each line is the time of a request.
    fn values(&mut self, lines: &[Entry], result: &mut OpResult) {
        let mut all = Histogram::new();
        let mut by_interval: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for line in lines {
            all.record(line.value);
            by_interval
                .entry(self.timeline.at(line.time_ms))
                .or_default()
                .push(line.value);
        }
        let mut part = Histogram::new();
        for (index, values) in by_interval {
            part.clear();
            for value in values {
                part.record(value);
            }
            self.timeline.cell(index, self.job, self.op).service_ns = part.summary();
        }
        result.service_ns = all.summary();
        result.service_histogram = Some(EncodedHistogram::of(&all));
    }

    /// Each line is a mean over a span of time; weighed by the requests in it, if they are known.
    fn means(&mut self, lines: &[Entry], result: &mut OpResult) {
        self.draft.unknown([
            ResultField::ServiceNsMax,
            ResultField::ServiceNsMin,
            ResultField::ServiceNsStddev,
        ]);
        let (mut sum, mut count) = (0.0, 0_u64);
        for line in lines {
            let index = self.timeline.ending_at(line.time_ms);
            let cell = self.timeline.cell(index, self.job, self.op);
            cell.service_ns = LatencySummary {
                count: cell.ios,
                mean: line.value as f64,
                ..LatencySummary::default()
            };
            sum += line.value as f64 * cell.ios as f64;
            count = count.saturating_add(cell.ios);
        }
        if count > 0 {
            result.service_ns.count = count;
            result.service_ns.mean = sum / count as f64;
        }
    }
}

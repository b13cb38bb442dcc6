//! The intervals that the lines of all logs fall into.

use super::Logs;
use super::line::Entry;
use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::result::{IntervalJob, IntervalOp, IntervalResult};
use fathom_core::units::Nanos;
use std::collections::BTreeMap;

const MILLISECOND: u64 = 1_000_000;

/// Length of intervals of logs that have a line for each request.
const DEFAULT_MS: u64 = 1000;

/// Most intervals; in longer runs they are longer.
const MOST: u64 = 100_000;

/// Intervals by their number, and in each the operations of each job.
#[derive(Debug)]
pub(super) struct Timeline {
    length_ms: u64,
    cells: BTreeMap<(u64, u32, u8), IntervalOp>,
}

const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

impl Timeline {
    /// Without entries; the length of its intervals is that of the means, if there are any.
    pub(super) fn of(jobs: &BTreeMap<u32, Logs>) -> Self {
        let logs = || jobs.values().flat_map(BTreeMap::values);
        let last = logs()
            .flatten()
            .map(|entry| entry.time_ms)
            .max()
            .unwrap_or(0);
        let spans: Vec<u64> = logs().flat_map(|entries| spans(entries)).collect();
        let length_ms = median(spans).unwrap_or(DEFAULT_MS);
        let least = last / MOST + 1;
        Self {
            length_ms: length_ms.max(least).max(1),
            cells: BTreeMap::new(),
        }
    }

    pub(super) fn interval(&self) -> Nanos {
        Nanos::from_millis(self.length_ms)
    }

    pub(super) fn seconds(&self) -> f64 {
        self.length_ms as f64 / 1e3
    }

    /// The number of the interval that a request completed in.
    pub(super) fn at(&self, time_ms: u64) -> u64 {
        time_ms / self.length_ms
    }

    /// The number of the interval that a mean is over: it is logged at its end, or a little later.
    pub(super) fn ending_at(&self, time_ms: u64) -> u64 {
        (time_ms.saturating_add(self.length_ms / 2) / self.length_ms).saturating_sub(1)
    }

    pub(super) fn cell(&mut self, index: u64, job: u32, op: Op) -> &mut IntervalOp {
        self.cells.entry((index, job, op as u8)).or_default()
    }

    /// The intervals from the first to the last that has anything to say.
    pub(super) fn finish(self) -> Vec<IntervalResult> {
        let length_ns = self.length_ms.saturating_mul(MILLISECOND);
        let mut intervals: Vec<IntervalResult> = Vec::new();
        for ((index, job, op), cell) in self.cells {
            let start_ns = index.saturating_mul(length_ns);
            if intervals
                .last()
                .is_none_or(|last| last.start_ns != start_ns)
            {
                intervals.push(IntervalResult {
                    part: Part::Measure,
                    start_ns,
                    length_ns,
                    jobs: Vec::new(),
                });
            }
            let Some(interval) = intervals.last_mut() else {
                continue;
            };
            if interval.jobs.last().is_none_or(|last| last.job != job) {
                interval.jobs.push(IntervalJob::default());
            }
            if let Some(entry) = interval.jobs.last_mut() {
                entry.job = job;
                let op = OPS.into_iter().find(|known| *known as u8 == op);
                if let Some(op) = op {
                    entry.ops[op] = Some(cell);
                }
            }
        }
        intervals
    }
}

/// The distances in time between the means of one direction.
fn spans(entries: &[Entry]) -> Vec<u64> {
    let mut last: BTreeMap<u8, u64> = BTreeMap::new();
    let mut spans = Vec::new();
    for entry in entries.iter().filter(|entry| entry.bytes == 0) {
        let before = last.insert(entry.op as u8, entry.time_ms).unwrap_or(0);
        if let Some(span) = entry.time_ms.checked_sub(before).filter(|span| *span > 0) {
            spans.push(span);
        }
    }
    spans
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

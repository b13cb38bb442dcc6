//! The time series of a phase, in bounded memory however long the run is.
//!
//! Every interval keeps its histograms until they take too much; then neighbours share one. An
//! interval count beyond any chart is bounded too: neighbours are then merged whole.

use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::result::{EncodedHistogram, IntervalJob, IntervalOp, IntervalResult};

/// Bytes that the encoded histograms of a series may take.
const HISTOGRAM_BYTES: usize = 64 << 20;
/// Intervals that a series may have: a day of seconds, and some.
const INTERVALS: usize = 100_000;

/// Intervals in order.
#[derive(Debug)]
pub struct Series {
    intervals: Vec<IntervalResult>,
    /// Intervals of one part that share histograms.
    group: usize,
    /// Position within the part of the next interval.
    position: usize,
    histogram_bytes: usize,
    max_histogram_bytes: usize,
    max_intervals: usize,
}

impl Default for Series {
    fn default() -> Self {
        Self::with_limits(HISTOGRAM_BYTES, INTERVALS)
    }
}

impl Series {
    /// A series with limits of its own.
    pub fn with_limits(max_histogram_bytes: usize, max_intervals: usize) -> Self {
        Self {
            intervals: Vec::new(),
            group: 1,
            position: 0,
            histogram_bytes: 0,
            max_histogram_bytes,
            max_intervals: max_intervals.max(2),
        }
    }

    /// Appends the next interval.
    pub fn push(&mut self, mut interval: IntervalResult) {
        if self
            .intervals
            .last()
            .is_none_or(|last| last.part != interval.part)
        {
            self.position = 0;
        }
        if !self.position.is_multiple_of(self.group) {
            let leader = self.intervals.len() - self.position % self.group;
            self.histogram_bytes -= bytes_of(&self.intervals[leader]);
            move_histograms(&mut interval, &mut self.intervals[leader]);
            self.histogram_bytes += bytes_of(&self.intervals[leader]);
        }
        self.position += 1;
        self.histogram_bytes += bytes_of(&interval);
        self.intervals.push(interval);
        if self.intervals.len() > self.max_intervals {
            self.merge_neighbours();
        }
        while self.histogram_bytes > self.max_histogram_bytes && self.group < 1 << 16 {
            self.share_histograms();
        }
    }

    /// The intervals, and how many neighbours share histograms.
    pub fn into_parts(self) -> (Vec<IntervalResult>, u32) {
        (self.intervals, self.group as u32)
    }

    /// The intervals so far.
    pub fn intervals_mut(&mut self) -> &mut [IntervalResult] {
        &mut self.intervals
    }

    /// Doubles the number of intervals that share histograms.
    fn share_histograms(&mut self) {
        self.group *= 2;
        let mut begin = 0;
        while begin < self.intervals.len() {
            let part = self.intervals[begin].part;
            let same = self.intervals[begin..]
                .iter()
                .take_while(|i| i.part == part)
                .count();
            for leader in (begin..begin + same).step_by(self.group) {
                let other = leader + self.group / 2;
                if other < begin + same {
                    let (left, right) = self.intervals.split_at_mut(other);
                    move_histograms(&mut right[0], &mut left[leader]);
                }
            }
            begin += same;
        }
        self.histogram_bytes = self.intervals.iter().map(bytes_of).sum();
    }

    /// Halves the number of intervals by merging each with its neighbour of the same part.
    fn merge_neighbours(&mut self) {
        let mut merged: Vec<IntervalResult> = Vec::with_capacity(self.intervals.len() / 2 + 1);
        let mut open = false;
        for interval in self.intervals.drain(..) {
            match merged.last_mut() {
                Some(last) if open && last.part == interval.part => {
                    merge(last, interval);
                    open = false;
                }
                _ => {
                    merged.push(interval);
                    open = true;
                }
            }
        }
        self.intervals = merged;
        self.group = (self.group / 2).max(1);
        let part = self.intervals.last().map(|last| last.part);
        let last = self
            .intervals
            .iter()
            .rev()
            .take_while(|i| Some(i.part) == part);
        self.position = last.count();
        self.histogram_bytes = self.intervals.iter().map(bytes_of).sum();
    }
}

fn merge(into: &mut IntervalResult, mut from: IntervalResult) {
    move_histograms(&mut from, into);
    let (first, second) = (into.length_ns as f64, from.length_ns as f64);
    into.length_ns = from.start_ns + from.length_ns - into.start_ns;
    for theirs in from.jobs {
        let Some(mine) = into.jobs.iter_mut().find(|mine| mine.job == theirs.job) else {
            into.jobs.push(theirs);
            continue;
        };
        let weighted = mine.queue_depth_held * first + theirs.queue_depth_held * second;
        mine.queue_depth_held = weighted / (first + second);
        for (op, theirs) in theirs.ops.present() {
            let mine = mine.ops[op].get_or_insert_default();
            mine.ios += theirs.ios;
            mine.bytes += theirs.bytes;
            mine.errors += theirs.errors;
            resummarise(mine, theirs);
        }
    }
}

/// Summaries of a merged interval come from its merged histogram; percentiles that rest on a
/// group of other intervals as well are left out rather than guessed.
fn resummarise(mine: &mut IntervalOp, theirs: &IntervalOp) {
    let decode = |encoded: &Option<EncodedHistogram>| encoded.as_ref()?.decode().ok();
    let both = mine.service_ns.count + theirs.service_ns.count;
    match decode(&mine.service_histogram) {
        Some(histogram) if histogram.len() == both => mine.service_ns = histogram.summary(),
        _ => {
            let (a, b) = (mine.service_ns.count as f64, theirs.service_ns.count as f64);
            let mean = (mine.service_ns.mean * a + theirs.service_ns.mean * b) / (a + b).max(1.0);
            mine.service_ns.mean = mean;
            mine.service_ns.count = both;
            mine.service_ns.max = mine.service_ns.max.max(theirs.service_ns.max);
            mine.service_ns.percentiles.clear();
        }
    }
    if let Some(response) = decode(&mine.response_histogram) {
        mine.response_ns = Some(response.summary());
    }
}

/// Adds the histograms of `from` to those of `into` and takes them away from `from`.
fn move_histograms(from: &mut IntervalResult, into: &mut IntervalResult) {
    for theirs in &mut from.jobs {
        for op in Op::ALL {
            let Some(theirs_op) = theirs.ops[op].as_mut() else {
                continue;
            };
            let service = theirs_op.service_histogram.take();
            let response = theirs_op.response_histogram.take();
            if service.is_none() && response.is_none() {
                continue;
            }
            let mine = job_of(&mut into.jobs, theirs.job).ops[op].get_or_insert_default();
            add(&mut mine.service_histogram, service);
            add(&mut mine.response_histogram, response);
        }
    }
}

fn job_of(jobs: &mut Vec<IntervalJob>, job: u32) -> &mut IntervalJob {
    let index = jobs
        .iter()
        .position(|entry| entry.job == job)
        .unwrap_or_else(|| {
            jobs.push(IntervalJob {
                job,
                ..IntervalJob::default()
            });
            jobs.len() - 1
        });
    &mut jobs[index]
}

fn add(mine: &mut Option<EncodedHistogram>, theirs: Option<EncodedHistogram>) {
    let Some(theirs) = theirs else { return };
    let Some(encoded) = mine else {
        *mine = Some(theirs);
        return;
    };
    let mut sum = Histogram::new();
    for histogram in [encoded.decode(), theirs.decode()] {
        sum.add(&histogram.expect("the series encoded it itself"));
    }
    *mine = Some(EncodedHistogram::of(&sum));
}

fn bytes_of(interval: &IntervalResult) -> usize {
    let ops = interval.jobs.iter().flat_map(|job| job.ops.present());
    ops.flat_map(|(_, op)| [&op.service_histogram, &op.response_histogram])
        .flatten()
        .map(|encoded| encoded.0.len())
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::interval::Part;

    fn interval(part: Part, index: u64) -> IntervalResult {
        let mut histogram = Histogram::new();
        histogram.record(1000 + index);
        let read = IntervalOp {
            ios: 1,
            bytes: 4096,
            service_ns: histogram.summary(),
            service_histogram: Some(EncodedHistogram::of(&histogram)),
            ..IntervalOp::default()
        };
        let mut jobs = Vec::new();
        job_of(&mut jobs, 0).ops[Op::Read] = Some(read);
        IntervalResult {
            part,
            start_ns: index * 10,
            length_ns: 10,
            jobs,
        }
    }

    fn counts(intervals: &[IntervalResult]) -> Vec<(u64, u64, u64)> {
        let entry = |interval: &IntervalResult| {
            let read = interval.jobs[0]
                .ops
                .get(Op::Read)
                .expect("every interval has reads");
            let encoded = read.service_histogram.as_ref();
            let held = encoded.map_or(0, |encoded| encoded.decode().expect("own bytes").len());
            (interval.length_ns, read.ios, held)
        };
        intervals.iter().map(entry).collect()
    }

    fn fill(series: &mut Series) {
        for index in 0..11 {
            series.push(interval(
                if index < 3 {
                    Part::WarmUp
                } else {
                    Part::Measure
                },
                index,
            ));
        }
    }

    #[test]
    fn histograms_are_shared_when_they_take_too_much() {
        let one = bytes_of(&interval(Part::Measure, 0));
        let mut series = Series::with_limits(one * 5, 100);
        fill(&mut series);
        let (intervals, group) = series.into_parts();
        assert_eq!(group, 4);
        let held: Vec<u64> = counts(&intervals)
            .into_iter()
            .map(|(_, _, held)| held)
            .collect();
        assert_eq!(held, [3, 0, 0, 4, 0, 0, 0, 4, 0, 0, 0]);
    }

    #[test]
    fn neighbours_are_merged_when_there_are_too_many() {
        let mut series = Series::with_limits(1 << 20, 8);
        fill(&mut series);
        let (intervals, group) = series.into_parts();
        assert_eq!(group, 1);
        assert_eq!(
            counts(&intervals),
            [
                (20, 2, 2),
                (10, 1, 1),
                (20, 2, 2),
                (20, 2, 2),
                (20, 2, 2),
                (10, 1, 1),
                (10, 1, 1)
            ]
        );
    }
}

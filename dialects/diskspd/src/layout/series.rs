//! The buckets of `-D`: requests by the time of their completion.

use super::moments::Moments;
use fathom_core::Op;
use fathom_core::interval::Part;
use fathom_core::result::{PhaseResult, TargetShare};

/// Shortest bucket that there can be, milliseconds.
const LEAST_MS: u64 = 100;

/// What completed in one bucket.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Bucket {
    pub(super) read: Moments,
    pub(super) write: Moments,
    pub(super) reads: u64,
    pub(super) writes: u64,
}

/// Buckets of one length over the measured time.
#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    pub(super) list: Vec<Bucket>,
    pub(super) length_ms: u64,
}

impl Buckets {
    /// The buckets of a thread at a target, up to the last one reached; none without its series.
    pub(super) fn of_share(
        phase: &PhaseResult,
        asked_ms: u32,
        share: &TargetShare,
    ) -> Option<Self> {
        let measured = phase.intervals.iter().find(|i| i.part == Part::Measure);
        let begin = measured.map(|interval| interval.start_ns);
        let first = share.intervals.first()?.start_ns;
        let mut buckets = Self::empty(asked_ms);
        for interval in &share.intervals {
            let begin = begin.unwrap_or(first);
            let bucket = buckets.at(begin, interval.start_ns, interval.length_ns);
            if let Some(read) = interval.ops.get(Op::Read) {
                bucket.reads += read.ios;
                bucket.read = bucket.read.and(Moments::of_spread(&read.service_ns));
            }
            if let Some(write) = interval.ops.get(Op::Write) {
                bucket.writes += write.ios;
                bucket.write = bucket.write.and(Moments::of_spread(&write.service_ns));
            }
        }
        Some(buckets)
    }

    fn empty(asked_ms: u32) -> Self {
        Self {
            list: Vec::new(),
            length_ms: u64::from(asked_ms).max(LEAST_MS),
        }
    }

    /// The bucket of an interval; `begin` is that of the first.
    fn at(&mut self, begin: u64, start_ns: u64, length_ns: u64) -> &mut Bucket {
        // The middle decides, since an interval may begin a little early or late.
        let middle = start_ns.saturating_sub(begin) + length_ns / 2;
        let index = (middle / (self.length_ms * 1_000_000)) as usize;
        if index >= self.list.len() {
            self.list.resize(index + 1, Bucket::default());
        }
        &mut self.list[index]
    }

    /// The buckets of the jobs that are wanted, up to the last one reached.
    pub(super) fn of(phase: &PhaseResult, asked_ms: u32, wanted: impl Fn(usize) -> bool) -> Self {
        let measured = phase.intervals.iter().filter(|i| i.part == Part::Measure);
        let mut buckets = Self::empty(asked_ms);
        let mut begin = None;
        for interval in measured {
            let begin = *begin.get_or_insert(interval.start_ns);
            let bucket = buckets.at(begin, interval.start_ns, interval.length_ns);
            for job in interval.jobs.iter().filter(|job| wanted(job.job as usize)) {
                if let Some(read) = job.ops.get(Op::Read) {
                    bucket.reads += read.ios;
                    bucket.read = bucket.read.and(Moments::of_summary(&read.service_ns));
                }
                if let Some(write) = job.ops.get(Op::Write) {
                    bucket.writes += write.ios;
                    bucket.write = bucket.write.and(Moments::of_summary(&write.service_ns));
                }
            }
        }
        buckets
    }

    pub(super) fn seconds(&self) -> f64 {
        self.length_ms as f64 / 1000.0
    }

    /// Population standard deviation of requests a second, over all buckets: all, reads, writes.
    pub(super) fn stddevs(&self) -> [f64; 3] {
        let of = |count: fn(&Bucket) -> u64| {
            let counts: Vec<f64> = self
                .list
                .iter()
                .map(|bucket| count(bucket) as f64)
                .collect();
            fathom_core::summary::Spread::of(&counts).stddev / self.seconds()
        };
        [
            of(|bucket| bucket.reads + bucket.writes),
            of(|bucket| bucket.reads),
            of(|bucket| bucket.writes),
        ]
    }
}

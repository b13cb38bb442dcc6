//! Latency distributions, as DISKSPD's charts show them.

use super::moments::Moments;
use fathom_core::Op;
use fathom_core::histogram::Histogram;
use fathom_core::result::{EncodedHistogram, JobResult, TargetLatency};
use fathom_core::summary::LatencySummary;
use std::collections::BTreeMap;

/// The rows of a chart between the smallest and the largest value: label and share.
pub(super) const ROWS: [(&str, f64); 13] = [
    ("   25th", 0.25),
    ("   50th", 0.5),
    ("   75th", 0.75),
    ("   90th", 0.9),
    ("   95th", 0.95),
    ("   99th", 0.99),
    ("3-nines", 0.999),
    ("4-nines", 0.9999),
    ("5-nines", 0.99999),
    ("6-nines", 0.999_999),
    ("7-nines", 0.999_999_9),
    ("8-nines", 0.999_999_99),
    ("9-nines", 0.999_999_999),
];

/// The rows that need many values.
pub(super) const NINES: [(&str, f64); 8] = [
    ("99th", 0.99),
    ("3-nines", 0.999),
    ("4-nines", 0.9999),
    ("5-nines", 0.99999),
    ("6-nines", 0.999_999),
    ("7-nines", 0.999_999_9),
    ("8-nines", 0.999_999_99),
    ("9-nines", 0.999_999_999),
];

/// Requests whose service times are known.
#[derive(Clone, Copy, Debug)]
pub(super) enum Served<'a> {
    /// All of a job.
    Job(&'a JobResult),
    /// Those of a job to one of its targets.
    Target(&'a TargetLatency),
}

impl<'a> Served<'a> {
    /// What is known of an operation.
    fn of(self, op: Op) -> Option<(&'a LatencySummary, Option<&'a EncodedHistogram>)> {
        match self {
            Self::Job(job) => {
                let found = job.ops.get(op)?;
                Some((&found.service_ns, found.service_histogram.as_ref()))
            }
            Self::Target(target) => {
                let found = target.ops.get(op)?;
                Some((&found.service_ns, Some(&found.service_histogram)))
            }
        }
    }

    /// Percentiles of reads and writes together that the source of an import has printed.
    const fn total(self) -> Option<&'a LatencySummary> {
        match self {
            Self::Job(job) => job.total_service_ns.as_ref(),
            Self::Target(_) => None,
        }
    }
}

/// One side of a chart: reads, writes or both.
#[derive(Clone, Debug, Default)]
pub(super) struct Side {
    histogram: Option<Histogram>,
    /// Percentiles that the source of an import has printed, where it has no histogram.
    printed: BTreeMap<String, u64>,
    pub(super) moments: Moments,
}

impl Side {
    /// The requests of one operation in all of these.
    fn of<'a>(parts: impl Iterator<Item = Served<'a>>, op: Op) -> Self {
        let mut side = Self::default();
        for (summary, stored) in parts.filter_map(|part| part.of(op)) {
            side.add(&Self {
                histogram: stored.and_then(|stored| stored.decode().ok()),
                printed: summary.percentiles.clone(),
                moments: Moments::of_summary(summary),
            });
        }
        side
    }

    /// Adds requests. Of two parts without a histogram no percentile of the whole is known.
    fn add(&mut self, other: &Self) {
        if other.moments.count == 0 {
            return;
        }
        if self.moments.count == 0 {
            *self = other.clone();
            return;
        }
        self.printed.clear();
        self.histogram = match (self.histogram.take(), &other.histogram) {
            (Some(mut all), Some(more)) => {
                all.add(more);
                Some(all)
            }
            _ => None,
        };
        self.moments = self.moments.and(other.moments);
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.moments.count == 0
    }

    /// Number of different values that are distinguished.
    pub(super) fn buckets(&self) -> usize {
        self.histogram
            .as_ref()
            .map_or(0, |all| all.buckets().count())
    }

    /// The value in milliseconds that a share of the requests does not exceed; 0 the smallest,
    /// 1 the largest. None when that is not known.
    pub(super) fn value_ms(&self, share: f64) -> Option<f64> {
        let (min, max) = (self.moments.min, self.moments.max);
        let value = match &self.histogram {
            _ if share <= 0.0 => min,
            _ if share >= 1.0 => max,
            Some(histogram) => (histogram.quantile_ns(share) as f64).clamp(min, max),
            None => {
                let mut printed = self.printed.iter();
                let (_, value) = printed.find(|(name, _)| {
                    let percent = name.parse::<f64>().unwrap_or(f64::NAN);
                    (percent / 100.0 - share).abs() < 1e-10
                })?;
                *value as f64
            }
        };
        Some(value / 1e6)
    }
}

/// Reads, writes and both.
#[derive(Clone, Debug, Default)]
pub(super) struct Chart {
    /// Whether requests were counted at all, so that none means none.
    pub(super) is_known: bool,
    pub(super) read: Side,
    pub(super) write: Side,
    pub(super) total: Side,
}

impl Chart {
    pub(super) fn of<'a>(parts: impl Iterator<Item = Served<'a>> + Clone, is_known: bool) -> Self {
        let read = Side::of(parts.clone(), Op::Read);
        let write = Side::of(parts.clone(), Op::Write);
        let mut total = read.clone();
        total.add(&write);
        let mut parts = parts;
        // Of several jobs no percentile of all is known without their histograms.
        if let (Some(only), None) = (parts.next(), parts.next())
            && let Some(told) = only.total()
        {
            total.printed.clone_from(&told.percentiles);
        }
        Self {
            is_known,
            read,
            write,
            total,
        }
    }
}

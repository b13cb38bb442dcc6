//! Adding up: what one job did over any number of threads and intervals.

use crate::worker::Late;
use fathom_core::histogram::Histogram;
use fathom_core::interval::{Interval, OpInterval};
use fathom_core::moments::Moments;
use fathom_core::op::PerOp;
use fathom_core::result::{
    EncodedHistogram, IntervalJob, IntervalOp, LateRequests, OpResult, SlowRequest, SplitResult,
};
use fathom_core::slowest::Slowest;
use fathom_core::summary::{LatencySummary, Spread};
use fathom_core::{Nanos, Op};

/// Percentiles kept for each interval of the series; the histogram has all.
const INTERVAL_PERCENTILES: [&str; 4] = ["50", "90", "99", "99.9"];

/// One operation, added up.
#[derive(Clone, Debug, Default)]
pub struct OpBook {
    /// Completed with all their bytes.
    pub ios: u64,
    /// Bytes that these moved.
    pub bytes: u64,
    /// Completed with an error.
    pub errors: u64,
    /// Completed with fewer bytes than asked.
    pub short: u64,
    /// Bytes that these moved.
    pub short_bytes: u64,
    generation: Moments,
    service: Histogram,
    response: Option<Histogram>,
    split: Option<Box<SplitBook>>,
    slowest: Slowest,
    late: Option<LateRequests>,
    iops: SpreadBook,
    bytes_per_second: SpreadBook,
}

/// What of the requests was the generator's time, and all of it.
#[derive(Clone, Debug, Default)]
struct SplitBook {
    generation: Histogram,
    total: Histogram,
}

impl SplitBook {
    fn result(&self) -> SplitResult {
        SplitResult {
            generation_ns: self.generation.summary(),
            total_ns: self.total.summary(),
            generation_histogram: EncodedHistogram::of(&self.generation),
            total_histogram: EncodedHistogram::of(&self.total),
        }
    }
}

/// One job, added up.
#[derive(Clone, Debug, Default)]
pub struct JobBook {
    /// Requests in flight at the start, where anything was added.
    pub in_flight_before: Option<u64>,
    /// Requests issued.
    pub issued: u64,
    /// Arrivals due.
    pub due: u64,
    /// Integral of the outstanding requests over time.
    pub in_flight_ns: u128,
    /// By operation, those that the job can issue.
    pub ops: PerOp<Option<Box<OpBook>>>,
}

/// Mean and deviation of a series that is not kept (Welford, Technometrics 1962).
#[derive(Clone, Copy, Debug, Default)]
pub struct SpreadBook {
    count: u64,
    mean: f64,
    squares: f64,
    min: f64,
    max: f64,
}

impl SpreadBook {
    /// The book of values that were added up.
    pub fn of(spread: &Spread) -> Self {
        Self {
            count: spread.count,
            mean: spread.mean,
            squares: spread.stddev.powi(2) * spread.count as f64,
            min: spread.min,
            max: spread.max,
        }
    }

    /// Adds one value.
    pub fn add(&mut self, value: f64) {
        if self.count == 0 {
            (self.min, self.max) = (value, value);
        }
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
        self.min = self.min.min(value);
        self.max = self.max.max(value);
    }

    /// Adds another series (Chan, Golub, LeVeque 1979).
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        if self.count == 0 {
            *self = *other;
            return;
        }
        let (mine, theirs) = (self.count as f64, other.count as f64);
        let distance = other.mean - self.mean;
        self.squares += other.squares + distance * distance * mine * theirs / (mine + theirs);
        self.mean += distance * theirs / (mine + theirs);
        self.count += other.count;
        self.min = self.min.min(other.min);
        self.max = self.max.max(other.max);
    }

    /// What goes into a result.
    pub fn spread(&self) -> Spread {
        if self.count == 0 {
            return Spread::default();
        }
        Spread {
            count: self.count,
            mean: self.mean,
            stddev: (self.squares / self.count as f64).sqrt(),
            min: self.min,
            max: self.max,
        }
    }
}

impl OpBook {
    fn add_interval(&mut self, interval: &OpInterval) {
        self.ios += interval.ios;
        self.bytes += interval.bytes;
        self.errors += interval.errors;
        self.short += interval.short;
        self.short_bytes += interval.short_bytes;
        self.generation.merge(&interval.generation);
        self.service.add_counts(&interval.service);
        if let Some(response) = &interval.response {
            self.response
                .get_or_insert_with(Histogram::new)
                .add_counts(response);
        }
        if let Some(split) = &interval.split {
            let book = self.split.get_or_insert_default();
            book.generation.add_counts(&split.generation);
            book.total.add_counts(&split.total);
        }
        self.slowest.merge(&interval.slowest);
    }

    fn merge(&mut self, other: &Self) {
        self.ios += other.ios;
        self.bytes += other.bytes;
        self.errors += other.errors;
        self.short += other.short;
        self.short_bytes += other.short_bytes;
        self.generation.merge(&other.generation);
        self.service.add(&other.service);
        if let Some(response) = &other.response {
            self.response
                .get_or_insert_with(Histogram::new)
                .add(response);
        }
        if let Some(split) = &other.split {
            let book = self.split.get_or_insert_default();
            book.generation.add(&split.generation);
            book.total.add(&split.total);
        }
        self.slowest.merge(&other.slowest);
        self.iops.merge(&other.iops);
        self.bytes_per_second.merge(&other.bytes_per_second);
    }

    /// The same with requests that were in flight at the end of the measured time: those that had
    /// not ended when the wait for them did, and those that took longer than all that completed.
    #[must_use]
    pub fn with_late<'a>(&self, late: impl Iterator<Item = &'a Late>) -> Self {
        let mut all = self.clone();
        let longest_ns = self.service.max_ns();
        for one in late {
            let service = one.io.service();
            if one.has_returned && service.0 <= longest_ns {
                continue;
            }
            all.service.record(service.0);
            if let Some(response) = &mut all.response {
                let response_ns = one.io.completed.saturating_sub(one.io.intended).0;
                response.record(response_ns);
            }
            all.slowest.add(one.io);
            let sums = all.late.get_or_insert_default();
            sums.completed_longest_ns = longest_ns;
            sums.add(one.has_returned, service.0);
        }
        all
    }

    /// The result of the operation over `time`; instants are relative to `begin`, the start of the
    /// phase.
    pub fn result(&self, time: Nanos, begin: Nanos) -> OpResult {
        let seconds = time.as_secs_f64();
        let rate = |amount: u64| {
            if seconds > 0.0 {
                amount as f64 / seconds
            } else {
                0.0
            }
        };
        let service_ns = self.service.summary();
        let response_ns = self
            .response
            .as_ref()
            .map_or_else(|| service_ns.clone(), Histogram::summary);
        OpResult {
            ios: self.ios,
            bytes: self.bytes,
            iops: rate(self.ios),
            bytes_per_second: rate(self.bytes),
            errors: self.errors,
            short: self.short,
            short_bytes: self.short_bytes,
            late: self.late,
            generation_ns: self.generation.spread(),
            iops_by_interval: self.iops.spread(),
            bytes_per_second_by_interval: self.bytes_per_second.spread(),
            service_ns,
            response_ns,
            service_histogram: Some(EncodedHistogram::of(&self.service)),
            response_histogram: self.response.as_ref().map(EncodedHistogram::of),
            split: self.split.as_deref().map(SplitBook::result).map(Box::new),
            slowest: self.slow_requests(begin),
        }
    }

    fn slow_requests(&self, begin: Nanos) -> Vec<SlowRequest> {
        let is_open = self.response.is_some();
        let slow = self.slowest.sorted().into_iter().map(|io| SlowRequest {
            issued_ns: io.issued.saturating_sub(begin).0,
            service_ns: io.service().0,
            lag_ns: is_open.then(|| io.issued.saturating_sub(io.intended).0),
            target: io.target,
            offset: io.offset,
            bytes: io.len,
        });
        slow.collect()
    }

    fn interval(&self) -> IntervalOp {
        let brief = |histogram: &Histogram| {
            let mut summary = histogram.summary();
            summary
                .percentiles
                .retain(|name, _| INTERVAL_PERCENTILES.contains(&name.as_str()));
            summary
        };
        let some = |histogram: &Histogram| !histogram.is_empty();
        IntervalOp {
            ios: self.ios,
            bytes: self.bytes,
            errors: self.errors,
            service_ns: brief(&self.service),
            response_ns: self.response.as_ref().map(brief),
            service_histogram: some(&self.service).then(|| EncodedHistogram::of(&self.service)),
            response_histogram: self
                .response
                .as_ref()
                .filter(|response| some(response))
                .map(EncodedHistogram::of),
        }
    }

    /// Service times, in brief.
    pub fn service(&self) -> LatencySummary {
        self.service.summary()
    }
}

impl JobBook {
    /// Adds what one worker saw.
    pub fn add_interval(&mut self, interval: &Interval) {
        *self.in_flight_before.get_or_insert_default() += interval.in_flight_before;
        self.issued += interval.issued;
        self.due += interval.due;
        self.in_flight_ns += interval.in_flight_ns;
        for (op, seen) in interval.ops.iter() {
            if let Some(seen) = seen {
                self.ops[op].get_or_insert_default().add_interval(seen);
            }
        }
    }

    /// Adds a later book of the same job.
    pub fn merge(&mut self, other: &Self) {
        self.in_flight_before = self.in_flight_before.or(other.in_flight_before);
        self.issued += other.issued;
        self.due += other.due;
        self.in_flight_ns += other.in_flight_ns;
        for (op, book) in other.ops.iter() {
            if let Some(book) = book {
                self.ops[op].get_or_insert_default().merge(book);
            }
        }
    }

    /// Takes the rates of one whole interval into the spreads.
    pub fn note_rates(&mut self, length: Nanos) {
        let seconds = length.as_secs_f64();
        for (_, book) in self.ops.iter_mut() {
            if let Some(book) = book {
                book.iops.add(book.ios as f64 / seconds);
                book.bytes_per_second.add(book.bytes as f64 / seconds);
            }
        }
    }

    /// Sum over all operations.
    pub fn sum(&self, of: impl Fn(&OpBook) -> u64) -> u64 {
        self.ops
            .iter()
            .filter_map(|(_, book)| book.as_deref())
            .map(of)
            .sum()
    }

    /// Sum of all service times, and their number.
    pub fn service_total(&self) -> (u128, u64) {
        let books = || self.ops.iter().filter_map(|(_, book)| book.as_deref());
        (
            books().map(|b| b.service.sum_ns()).sum(),
            books().map(|b| b.service.len()).sum(),
        )
    }

    /// The entry of an interval of the series.
    pub fn interval(&self, job: u32, length: Nanos) -> IntervalJob {
        let mut entry = IntervalJob {
            job,
            queue_depth_held: held(self.in_flight_ns, length),
            ..IntervalJob::default()
        };
        for op in Op::ALL {
            entry.ops[op] = self.ops[op].as_ref().map(|book| book.interval());
        }
        entry
    }
}

/// Mean number of outstanding requests.
pub fn held(in_flight_ns: u128, time: Nanos) -> f64 {
    if time == Nanos::ZERO {
        0.0
    } else {
        in_flight_ns as f64 / time.0 as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spreads_of_parts_add_up_to_the_spread_of_the_whole() {
        let values = [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0];
        let book = |values: &[f64]| {
            let mut book = SpreadBook::default();
            for &value in values {
                book.add(value);
            }
            book
        };
        let mut parts = book(&values[..3]);
        parts.merge(&book(&values[3..]));
        parts.merge(&SpreadBook::default());
        assert_eq!(parts.spread(), Spread::of(&values));
        assert_eq!(book(&values).spread(), Spread::of(&values));
    }
}

//! The latency histogram: HDR, three significant digits, with exact moments.
//!
//! Values are nanoseconds from 1 ns to 2^42 - 1 ns (73 minutes); what is longer is counted in
//! the last bucket and in `clamped`. With three significant digits a bucket of the upper half
//! spans 1/1024 of its value at most, so a reported value is at most 0.098 % above the true one
//! (HdrHistogram: 2,048 sub-buckets a power of two). Minimum, maximum, sum and sum of squares
//! are kept exactly, so mean and standard deviation carry no bucket error.

mod cells;
mod counts;
mod paged;
pub mod summary;

pub use cells::{Cells, Numbers, Packed};
pub use counts::Counts;

use hdrhistogram::serialization::{Deserializer, Serializer, V2DeflateSerializer};
use paged::{Paged, cell_of, edge_of};
use summary::LatencySummary;

/// Longest value with a bucket of its own, in nanoseconds.
pub const HIGHEST_NS: u64 = (1 << 42) - 1;

/// Lower edge, in nanoseconds, of the bucket that holds `value_ns`: buckets of the upper half of
/// a power of two are 1/2048 of it wide, below 2,048 ns each nanosecond has its own.
pub const fn lower_edge_ns(value_ns: u64) -> u64 {
    let bits = u64::BITS - value_ns.leading_zeros();
    let shift = bits.saturating_sub(11);
    value_ns >> shift << shift
}

/// Why stored histogram bytes could not be read.
#[derive(Debug, thiserror::Error)]
#[error("stored histogram is damaged: {reason}")]
pub struct HistogramError {
    reason: String,
}

impl HistogramError {
    pub(crate) fn damaged(cause: &dyn std::fmt::Display) -> Self {
        Self {
            reason: cause.to_string(),
        }
    }
}

/// Counts of latencies.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    cells: Paged<u64>,
    count: u64,
    sum_ns: u128,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
    clamped: u64,
}

impl Default for Histogram {
    fn default() -> Self {
        Self::new()
    }
}

impl Histogram {
    /// An empty histogram. Memory is allocated for what is counted.
    pub fn new() -> Self {
        Self::with_room(0)
    }

    /// An empty histogram with memory for this number of pages; see [`Counts::with_room`].
    pub fn with_room(pages: usize) -> Self {
        Self {
            cells: Paged::with_room(pages),
            count: 0,
            sum_ns: 0,
            sum_squares: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            clamped: 0,
        }
    }

    /// Counts one value.
    #[inline]
    pub fn record(&mut self, value_ns: u64) {
        self.record_n(value_ns, 1);
    }

    /// Counts one value `count` times, as the bins of other programs state it.
    pub fn record_n(&mut self, value_ns: u64, count: u64) {
        if count == 0 {
            return;
        }
        self.count_in(value_ns.min(HIGHEST_NS), count);
        let times = u128::from(count);
        let square = u128::from(value_ns) * u128::from(value_ns);
        let sum = u128::from(value_ns).saturating_mul(times);
        self.sum_ns = self.sum_ns.saturating_add(sum);
        self.sum_squares = self
            .sum_squares
            .saturating_add(square.saturating_mul(times));
        self.min_ns = self.min_ns.min(value_ns);
        self.max_ns = self.max_ns.max(value_ns);
        if value_ns > HIGHEST_NS {
            self.clamped = self.clamped.saturating_add(count);
        }
    }

    /// Counts in the cell of a value that has one.
    #[inline]
    fn count_in(&mut self, value_ns: u64, count: u64) {
        let cell = self.cells.at(cell_of(value_ns));
        *cell = cell.saturating_add(count);
        self.count = self.count.saturating_add(count);
    }

    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        if self.is_empty() {
            return;
        }
        self.cells.clear();
        self.count = 0;
        self.sum_ns = 0;
        self.sum_squares = 0;
        self.min_ns = u64::MAX;
        self.max_ns = 0;
        self.clamped = 0;
    }

    /// Number of values.
    #[inline]
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Sum of all values in nanoseconds, exact.
    pub const fn sum_ns(&self) -> u128 {
        self.sum_ns
    }

    /// Smallest value in nanoseconds, exact; 0 when empty.
    pub const fn min_ns(&self) -> u64 {
        if self.is_empty() { 0 } else { self.min_ns }
    }

    /// Largest value in nanoseconds, exact; 0 when empty.
    pub const fn max_ns(&self) -> u64 {
        self.max_ns
    }

    /// Values longer than [`HIGHEST_NS`].
    pub const fn clamped(&self) -> u64 {
        self.clamped
    }

    /// Mean in nanoseconds, exact; 0 when empty.
    pub fn mean_ns(&self) -> f64 {
        if self.is_empty() {
            0.0
        } else {
            self.sum_ns as f64 / self.len() as f64
        }
    }

    /// Population standard deviation in nanoseconds; 0 when empty.
    pub fn stddev_ns(&self) -> f64 {
        if self.is_empty() {
            return 0.0;
        }
        let mean = self.mean_ns();
        (self.sum_squares as f64 / self.len() as f64 - mean * mean)
            .max(0.0)
            .sqrt()
    }

    /// The value in nanoseconds that a share `quantile` (0 to 1) of all values does not exceed.
    pub fn quantile_ns(&self, quantile: f64) -> u64 {
        let rank = (quantile.min(1.0) * self.len() as f64).ceil() as u64;
        let mut below = 0_u64;
        let reaches = |(_, count): &(u64, u64)| {
            below = below.saturating_add(*count);
            below >= rank
        };
        let found = self.buckets().find(reaches);
        found.map_or(0, |(edge_ns, _)| {
            let value_ns = if quantile == 0.0 { 0 } else { edge_ns };
            value_ns.clamp(self.min_ns, self.max_ns)
        })
    }

    /// Number of values at or below `value_ns`, to bucket precision.
    pub fn count_up_to(&self, value_ns: u64) -> u64 {
        let last = cell_of(value_ns.min(HIGHEST_NS));
        let cells = self.cells.filled().take_while(|(cell, _)| *cell <= last);
        cells.fold(0, |sum, (_, count)| sum.saturating_add(count))
    }

    /// Non-empty buckets as (upper edge in nanoseconds, count), rising.
    pub fn buckets(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        let filled = self.cells.filled();
        filled.map(|(cell, count)| (edge_of(cell), count))
    }

    /// Mean, deviation, extremes and the percentiles that the sample supports.
    pub fn summary(&self) -> LatencySummary {
        LatencySummary::of(self)
    }

    /// Adds all values of `other`; exact, whatever the number of threads or intervals.
    pub fn add(&mut self, other: &Self) {
        for (edge_ns, count) in other.buckets() {
            self.count_in(edge_ns, count);
        }
        self.sum_ns += other.sum_ns;
        self.sum_squares += other.sum_squares;
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.clamped += other.clamped;
    }

    /// Adds what was counted in cells; exact.
    pub fn add_counts(&mut self, counts: &Counts) {
        for (value_ns, count) in counts.cells() {
            self.count_in(value_ns, u64::from(count));
        }
        self.sum_ns += counts.sum_ns;
        self.sum_squares += counts.sum_squares;
        self.min_ns = self.min_ns.min(counts.min_ns);
        self.max_ns = self.max_ns.max(counts.max_ns);
        self.clamped += counts.clamped;
    }

    /// The buckets in HdrHistogram's compressed V2 form, as other tools read it.
    pub fn to_v2(&self) -> Vec<u8> {
        let mut whole = hdrhistogram::Histogram::<u64>::new_with_bounds(1, HIGHEST_NS, 3)
            .expect("the bounds are constants inside the crate's limits");
        for (edge_ns, count) in self.buckets() {
            whole.saturating_record_n(edge_ns, count);
        }
        let mut bytes = Vec::new();
        V2DeflateSerializer::new()
            .serialize(&whole, &mut bytes)
            .expect("writing to memory does not fail");
        bytes
    }

    /// Reads what [`Self::to_v2`] wrote. The moments are recomputed from the buckets, so they carry
    /// the bucket error; the result document has the exact ones.
    pub fn from_v2(bytes: &[u8]) -> Result<Self, HistogramError> {
        let stored: hdrhistogram::Histogram<u64> = Deserializer::new()
            .deserialize(&mut std::io::Cursor::new(bytes))
            .map_err(|error| HistogramError::damaged(&error))?;
        let mut read = Self::new();
        for bucket in stored.iter_recorded() {
            let (value, count) = (
                bucket.value_iterated_to(),
                bucket.count_since_last_iteration(),
            );
            read.count_in(value.min(HIGHEST_NS), count);
            let middle = stored.median_equivalent(value);
            let square = u128::from(middle) * u128::from(middle);
            let sum = u128::from(middle) * u128::from(count);
            read.sum_ns = read.sum_ns.saturating_add(sum);
            let squares = square.saturating_mul(u128::from(count));
            read.sum_squares = read.sum_squares.saturating_add(squares);
            read.min_ns = read.min_ns.min(stored.lowest_equivalent(value));
            read.max_ns = read.max_ns.max(value);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_known_answer_has_its_equivalent_range() {
        let mut histogram = Histogram::new();
        histogram.record(100_000_000);
        histogram.record(1);
        let edges: Vec<_> = histogram.buckets().collect();
        assert_eq!(edges, [(1, 1), (100_007_935, 1)]);
        assert_eq!(histogram.max_ns(), 100_000_000);
        assert_eq!(histogram.quantile_ns(1.0), 100_000_000);
    }

    #[test]
    fn moments_are_exact() {
        let mut histogram = Histogram::new();
        for value in [100, 200, 300, 400] {
            histogram.record(value);
        }
        assert_eq!(histogram.mean_ns().to_bits(), 250.0_f64.to_bits());
        assert_eq!(
            histogram.stddev_ns().to_bits(),
            12_500.0_f64.sqrt().to_bits()
        );
        assert_eq!(
            (histogram.min_ns(), histogram.max_ns(), histogram.len()),
            (100, 400, 4)
        );
    }

    #[test]
    fn counting_many_times_is_counting_often() {
        let (mut often, mut at_once) = (Histogram::new(), Histogram::new());
        for (value, count) in [(700, 3), (90_001, 5), (HIGHEST_NS + 7, 2), (5, 0)] {
            (0..count).for_each(|_| often.record(value));
            at_once.record_n(value, count);
        }
        assert_eq!(at_once, often);
        at_once.record_n(u64::MAX, u64::MAX);
        assert_eq!(at_once.max_ns(), u64::MAX);
    }

    #[test]
    fn longer_than_the_range_is_counted_and_kept_as_maximum() {
        let mut histogram = Histogram::new();
        histogram.record(HIGHEST_NS + 5);
        assert_eq!((histogram.clamped(), histogram.len()), (1, 1));
        assert_eq!(histogram.max_ns(), HIGHEST_NS + 5);
    }

    proptest! {
        #[test]
        fn quantiles_are_within_the_stated_error(
            mut values in prop::collection::vec(1_u64..1 << 41, 1..300),
            quantile in 0.0..=1.0_f64,
        ) {
            let mut histogram = Histogram::new();
            for &value in &values {
                histogram.record(value);
            }
            values.sort_unstable();
            let rank = ((quantile * values.len() as f64).ceil() as usize).clamp(1, values.len());
            let exact = values[rank - 1];
            let reported = histogram.quantile_ns(quantile);
            prop_assert!(reported >= exact && reported - exact <= exact / 1024 + 1);
        }

        #[test]
        fn buckets_and_quantiles_are_those_of_hdr_histogram(
            values in prop::collection::vec((0_u64..1 << 43, 0_u32..43, 1_u64..9), 0..100),
            quantile in 0.0..=1.0_f64,
        ) {
            let mut ours = Histogram::new();
            let mut theirs = hdrhistogram::Histogram::<u64>::new_with_bounds(1, HIGHEST_NS, 3)
                .expect("the bounds are good");
            for (value, shift, times) in values {
                ours.record_n(value >> shift, times);
                theirs.saturating_record_n(value >> shift, times);
            }
            let buckets: Vec<_> = theirs.iter_recorded().collect();
            let buckets = buckets.iter().map(|bucket| {
                let edge = bucket.value_iterated_to();
                (theirs.lowest_equivalent(edge), edge, bucket.count_since_last_iteration())
            });
            let own = ours.buckets().map(|(edge, count)| (lower_edge_ns(edge), edge, count));
            prop_assert_eq!(own.collect::<Vec<_>>(), buckets.collect::<Vec<_>>());
            for quantile in [0.0, quantile, 1.0] {
                let value = theirs.value_at_quantile(quantile);
                let value = value.clamp(ours.min_ns(), ours.max_ns());
                prop_assert_eq!(ours.quantile_ns(quantile), value);
                prop_assert_eq!(ours.count_up_to(value), theirs.count_between(0, value));
            }
        }

        #[test]
        fn merging_is_recording(a in prop::collection::vec(1_u64..1 << 41, 0..100),
                                b in prop::collection::vec(1_u64..1 << 41, 0..100)) {
            let fill = |values: &[u64]| {
                let mut histogram = Histogram::new();
                for &value in values {
                    histogram.record(value);
                }
                histogram
            };
            let mut merged = fill(&a);
            merged.add(&fill(&b));
            prop_assert_eq!(merged, fill(&[a, b].concat()));
        }

        #[test]
        fn buckets_survive_the_v2_form(values in prop::collection::vec(1_u64..1 << 41, 0..200)) {
            let mut histogram = Histogram::new();
            for &value in &values {
                histogram.record(value);
            }
            let read = Histogram::from_v2(&histogram.to_v2()).expect("own bytes");
            prop_assert_eq!(read.buckets().collect::<Vec<_>>(),
                            histogram.buckets().collect::<Vec<_>>());
        }
    }
}

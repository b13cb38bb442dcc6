//! The cells that a worker counts latencies in: the same as the histogram's, found directly.
//!
//! Recording through the histogram library costs some 65 instructions a value, more than all the
//! rest of a synchronous request's book-keeping; the bare cells cost 20. They are HdrHistogram's
//! own cells for 1 ns and three significant digits, one for one, so nothing is lost when they
//! are added to a [`Histogram`](super::Histogram). A property test holds the two together.

use super::HIGHEST_NS;
use super::paged::{PAGES, Paged, cell_of, value_of};
use super::summary::Spread;

/// Counts of latencies in one interval, with exact moments.
#[derive(Clone, PartialEq)]
pub struct Counts {
    cells: Paged<u32>,
    pub(super) count: u64,
    pub(super) sum_ns: u128,
    pub(super) sum_squares: u128,
    pub(super) min_ns: u64,
    pub(super) max_ns: u64,
    pub(super) clamped: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.cells()).finish()
    }
}

impl Counts {
    /// Pages of all cells.
    pub const PAGES: usize = PAGES;

    /// Nothing counted. Memory is allocated for what is.
    pub fn new() -> Self {
        Self::with_room(0)
    }

    /// Nothing counted, and memory for this number of pages: with all of [`Self::PAGES`], counting
    /// neither allocates nor meets a page fault; with fewer, until these hold a count.
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

    /// Counts one value `times` times.
    #[inline]
    pub fn record(&mut self, value_ns: u64, times: u32) {
        let cell = if value_ns > HIGHEST_NS {
            self.clamped(times)
        } else {
            self.cells.at(cell_of(value_ns))
        };
        *cell = cell.saturating_add(times);
        let (value, times) = (u128::from(value_ns), u64::from(times));
        self.count += times;
        let sum = value * u128::from(times);
        self.sum_ns += sum;
        self.sum_squares += sum * value;
        self.min_ns = self.min_ns.min(value_ns);
        self.max_ns = self.max_ns.max(value_ns);
    }

    /// The cell of all values above the highest one, which are counted apart as well.
    #[cold]
    #[inline(never)]
    fn clamped(&mut self, times: u32) -> &mut u32 {
        self.clamped += u64::from(times);
        self.cells.at(cell_of(HIGHEST_NS))
    }

    /// Number of values.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether there is no value.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Mean, population standard deviation and extremes in nanoseconds; all zero when empty.
    pub fn spread(&self) -> Spread {
        if self.is_empty() {
            return Spread::default();
        }
        let count = self.count as f64;
        let mean = self.sum_ns as f64 / count;
        Spread {
            count: self.count,
            mean,
            stddev: (self.sum_squares as f64 / count - mean * mean)
                .max(0.0)
                .sqrt(),
            min: self.min_ns as f64,
            max: self.max_ns as f64,
        }
    }

    /// Cells that are not empty: their smallest value and their count, rising.
    pub fn cells(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let filled = self.cells.filled();
        filled.map(|(cell, count)| (value_of(cell), count))
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
}

#[cfg(test)]
mod tests {
    use super::super::Histogram;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn counting_in_cells_is_recording_in_the_histogram(
            values in prop::collection::vec((0_u64..1 << 43, 1_u32..5), 0..100),
        ) {
            let mut counts = Counts::new();
            let mut whole = Histogram::new();
            for &(value, times) in &values {
                counts.record(value, times);
                for _ in 0..times {
                    whole.record(value);
                }
            }
            let mut added = Histogram::new();
            added.add_counts(&counts);
            prop_assert_eq!(added, whole);
            counts.clear();
            prop_assert_eq!(counts, Counts::new());
        }
    }
}

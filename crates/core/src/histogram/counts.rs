//! The cells that a worker counts latencies in: the same as the histogram's, found directly.
//!
//! Recording through the histogram library costs some 65 instructions a value, more than all the
//! rest of a synchronous request's book-keeping; the bare cells cost 20. They are HdrHistogram's
//! own cells for 1 ns and three significant digits, one for one, so nothing is lost when they
//! are added to a [`Histogram`](super::Histogram). A property test holds the two together.

use super::HIGHEST_NS;
use crate::summary::Spread;

/// Binary digits that a cell keeps: 2,048 sub-buckets a power of two.
const DIGITS: u32 = 11;
const HALF: u64 = 1 << (DIGITS - 1);
/// Cells of a page of memory.
const PAGE_CELLS: usize = 4096 / size_of::<u32>();
pub(super) const CELLS: usize = cell_of(HIGHEST_NS) + 1;

/// Counts of latencies in one interval, with exact moments. All memory is there from the start.
#[derive(Clone, PartialEq)]
pub struct Counts {
    cells: Box<[u32; CELLS]>,
    pub(super) count: u64,
    pub(super) sum_ns: u128,
    pub(super) sum_squares: u128,
    pub(super) min_ns: u64,
    pub(super) max_ns: u64,
    pub(super) clamped: u64,
}

/// The cell of a value that is not above [`HIGHEST_NS`].
#[inline]
pub(super) const fn cell_of(value_ns: u64) -> usize {
    let bucket = (u64::BITS - DIGITS) - (value_ns | (2 * HALF - 1)).leading_zeros();
    ((bucket as u64 * HALF) + (value_ns >> bucket)) as usize
}

/// The smallest value of a cell.
pub(super) const fn value_of(cell: usize) -> u64 {
    let cell = cell as u64;
    let bucket = if cell < 2 * HALF { 0 } else { cell / HALF - 1 };
    (cell - bucket * HALF) << bucket
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
    /// Nothing counted.
    pub fn new() -> Self {
        // By way of a vector, so that the kernel gives the zeros and the stack is not used.
        let cells = vec![0; CELLS].into_boxed_slice();
        Self {
            cells: cells.try_into().expect("the vector has this length"),
            count: 0,
            sum_ns: 0,
            sum_squares: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            clamped: 0,
        }
    }

    /// Nothing counted, and all of the memory present: what counts in it meets no page fault.
    pub fn present() -> Self {
        let mut counts = Self::new();
        for cell in counts.cells.iter_mut().step_by(PAGE_CELLS) {
            // The compiler knows that these are zeros; the kernel has not got them yet.
            *std::hint::black_box(cell) = 0;
        }
        counts
    }

    /// Counts one value `times` times. Never allocates.
    #[inline]
    pub fn record(&mut self, value_ns: u64, times: u32) {
        let known = value_ns.min(HIGHEST_NS);
        let cell = &mut self.cells[cell_of(known)];
        *cell = cell.saturating_add(times);
        let (value, times) = (u128::from(value_ns), u64::from(times));
        self.count += times;
        let sum = value * u128::from(times);
        self.sum_ns += sum;
        self.sum_squares += sum * value;
        self.min_ns = self.min_ns.min(value_ns);
        self.max_ns = self.max_ns.max(value_ns);
        if value_ns > HIGHEST_NS {
            self.clamped += times;
        }
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

    /// The cells that can hold anything.
    fn span(&self) -> std::ops::Range<usize> {
        if self.is_empty() {
            return 0..0;
        }
        cell_of(self.min_ns.min(HIGHEST_NS))..cell_of(self.max_ns.min(HIGHEST_NS)) + 1
    }

    /// Cells that are not empty: their smallest value and their count, rising.
    pub fn cells(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        let span = self.span();
        let first = span.start;
        self.cells[span]
            .iter()
            .enumerate()
            .filter(|(_, count)| **count > 0)
            .map(move |(index, count)| (value_of(first + index), *count))
    }

    /// Forgets all values and keeps the memory.
    pub fn clear(&mut self) {
        let span = self.span();
        self.cells[span].fill(0);
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

    #[test]
    fn cells_follow_each_other_without_a_gap() {
        let edges = [0, 1, 2047, 2048, 2049, 2050, 4095, 4096, 4100, HIGHEST_NS];
        let cells = edges.map(cell_of);
        assert_eq!(
            cells,
            [0, 1, 2047, 2048, 2048, 2049, 3071, 3072, 3073, CELLS - 1]
        );
        for cell in 0..CELLS {
            assert_eq!(cell_of(value_of(cell)), cell);
        }
    }

    proptest! {
        #[test]
        fn counting_in_cells_is_recording_in_the_histogram(
            values in prop::collection::vec((0_u64..1 << 43, 1_u32..5), 0..100),
        ) {
            let mut counts = Counts::new();
            let mut whole = Histogram::<u64>::new();
            for &(value, times) in &values {
                counts.record(value, times);
                for _ in 0..times {
                    whole.record(value);
                }
            }
            let mut added = Histogram::<u64>::new();
            added.add_counts(&counts);
            prop_assert_eq!(added, whole);
            counts.clear();
            prop_assert_eq!(counts, Counts::new());
        }
    }
}

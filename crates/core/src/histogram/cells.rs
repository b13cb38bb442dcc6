//! Histograms on their way between processes: a compact form of the cells that are not empty, and
//! one array of cells into which any number of them is added without a histogram for each.
//!
//! The packed form is, for each cell that is not empty and rising, the distance from the cell after
//! the one before, and its count, both as LEB128 numbers. The exact moments are sent with it.

use super::paged::{CELLS, cell_of, value_of};
use super::summary::LatencySummary;
use super::{Counts, Histogram, HistogramError};
use serde::{Deserialize, Serialize};

/// The values of a histogram in few bytes, with exact moments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Packed {
    count: u64,
    sum_ns: u128,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
    clamped: u64,
    cells: Vec<u8>,
}

/// Counts of latencies from any number of histograms, exact. All memory is there from the start.
#[derive(Clone, PartialEq, Eq)]
pub struct Cells {
    by_number: Box<[u64]>,
    count: u64,
    sum_ns: u128,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
    clamped: u64,
}

/// Numbers of a 128-bit sum, each of which has room for 2^32 of its kind.
const LIMBS: usize = 4;
/// The largest number with a sign.
const SIGNED: u64 = i64::MAX as u64;

/// Counts of latencies as numbers that can be added up by somebody who knows nothing of histograms:
/// position by position, over no more than 2^32 of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// Those of which the sum is wanted.
    pub sums: Vec<u64>,
    /// Those of which the largest is wanted: below 2^63, since MPI libraries compare them as if
    /// they had a sign.
    pub largest: Vec<u64>,
}

impl Numbers {
    /// How many sums there are of one array of cells.
    pub const SUMS: usize = CELLS + 2 + 2 * LIMBS;
    /// How many largest.
    pub const LARGEST: usize = 2;

    fn put(&mut self, sum: u128) {
        let limbs = (0..LIMBS).map(|limb| (sum >> (32 * limb)) as u64 & 0xffff_ffff);
        self.sums.extend(limbs);
    }

    /// What some limbs come to, as far as it can be counted.
    fn sum_of(limbs: &[u64]) -> u128 {
        let shifted = |(limb, number): (usize, &u64)| {
            let number = u128::from(*number);
            number.saturating_mul(1 << (32 * limb))
        };
        let each = limbs.iter().enumerate().map(shifted);
        each.fold(0, u128::saturating_add)
    }
}

/// Appends a number in seven bits a byte, the lowest first.
fn put(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number that [`put`] wrote; none where the bytes end within it or it is too long.
fn take(bytes: &mut std::slice::Iter<'_, u8>) -> Option<u64> {
    let mut number = 0_u64;
    for shift in (0..64).step_by(7) {
        let byte = *bytes.next()?;
        let part = u64::from(byte & 0x7f);
        if shift == 63 && part > 1 {
            return None;
        }
        number |= part << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn pack(cells: impl Iterator<Item = (usize, u64)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut next = 0;
    for (cell, count) in cells {
        put(&mut bytes, (cell - next) as u64);
        put(&mut bytes, count);
        next = cell + 1;
    }
    bytes
}

impl Packed {
    /// What was counted in an interval.
    pub fn of(counts: &Counts) -> Self {
        if counts.is_empty() {
            return Self::default();
        }
        let cells = counts.cells();
        let cells = cells.map(|(value_ns, count)| (cell_of(value_ns), u64::from(count)));
        Self {
            count: counts.count,
            sum_ns: counts.sum_ns,
            sum_squares: counts.sum_squares,
            min_ns: counts.min_ns,
            max_ns: counts.max_ns,
            clamped: counts.clamped,
            cells: pack(cells),
        }
    }

    /// What a histogram holds.
    pub fn of_histogram(histogram: &Histogram) -> Self {
        if histogram.is_empty() {
            return Self::default();
        }
        Self {
            count: histogram.len(),
            sum_ns: histogram.sum_ns,
            sum_squares: histogram.sum_squares,
            min_ns: histogram.min_ns,
            max_ns: histogram.max_ns,
            clamped: histogram.clamped,
            cells: pack(histogram.cells.filled()),
        }
    }

    /// With mean, deviation and extremes from where they are exact: a histogram that was read from
    /// its stored form has only those of its buckets.
    #[must_use]
    pub fn with_moments(mut self, exact: &LatencySummary) -> Self {
        let count = self.count as f64;
        if self.count > 0 && exact.count == self.count {
            self.sum_ns = (exact.mean * count).round() as u128;
            let square = exact.stddev.powi(2) + exact.mean.powi(2);
            self.sum_squares = (square * count).round() as u128;
            (self.min_ns, self.max_ns) = (exact.min, exact.max);
        }
        self
    }

    /// Number of values that it says it holds.
    pub const fn len(&self) -> u64 {
        self.count
    }

    /// Whether it says that it holds no value.
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Bytes of its cells.
    pub const fn size_bytes(&self) -> usize {
        self.cells.len()
    }

    /// Reads the cells; the number of values must equal the number that was sent with them.
    fn each(&self, mut told: impl FnMut(usize, u64)) -> Result<(), HistogramError> {
        let damaged = |reason: &str| HistogramError::damaged(&reason);
        let mut bytes = self.cells.iter();
        let (mut next, mut sum) = (0_u64, 0_u64);
        while !bytes.as_slice().is_empty() {
            let gap = take(&mut bytes).ok_or_else(|| damaged("a number is cut short"))?;
            let count = take(&mut bytes).ok_or_else(|| damaged("a number is cut short"))?;
            let cell = next.saturating_add(gap);
            if cell >= CELLS as u64 {
                return Err(damaged("a cell is beyond the last one"));
            }
            sum = sum.saturating_add(count);
            told(cell as usize, count);
            next = cell + 1;
        }
        if sum != self.count {
            return Err(damaged("the cells do not add up to the number of values"));
        }
        Ok(())
    }

    /// Whether the bytes can be read.
    ///
    /// # Errors
    ///
    /// [`HistogramError`] if they are damaged.
    pub fn check(&self) -> Result<(), HistogramError> {
        self.each(|_, _| ())
    }

    /// Adds the values of another; exact.
    ///
    /// # Errors
    ///
    /// [`HistogramError`] if the bytes of either are damaged.
    pub fn merge(&mut self, other: &Self) -> Result<(), HistogramError> {
        let mut merged = std::collections::BTreeMap::new();
        for part in [&*self, other] {
            part.each(|cell, count| *merged.entry(cell).or_insert(0_u64) += count)?;
        }
        self.cells = pack(merged.into_iter());
        self.min_ns = if self.is_empty() {
            other.min_ns
        } else if other.is_empty() {
            self.min_ns
        } else {
            self.min_ns.min(other.min_ns)
        };
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_squares = self.sum_squares.saturating_add(other.sum_squares);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.clamped += other.clamped;
        Ok(())
    }

    /// The histogram that was packed.
    ///
    /// # Errors
    ///
    /// [`HistogramError`] if the bytes are damaged.
    pub fn histogram(&self) -> Result<Histogram, HistogramError> {
        let mut histogram = Histogram::new();
        self.each(|cell, count| {
            histogram.count_in(value_of(cell), count);
        })?;
        if !self.is_empty() {
            histogram.sum_ns = self.sum_ns;
            histogram.sum_squares = self.sum_squares;
            histogram.min_ns = self.min_ns;
            histogram.max_ns = self.max_ns;
            histogram.clamped = self.clamped;
        }
        Ok(histogram)
    }
}

impl Default for Cells {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Cells {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.filled()).finish()
    }
}

impl Cells {
    /// Nothing counted.
    pub fn new() -> Self {
        Self {
            by_number: vec![0; CELLS].into_boxed_slice(),
            count: 0,
            sum_ns: 0,
            sum_squares: 0,
            min_ns: u64::MAX,
            max_ns: 0,
            clamped: 0,
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

    /// Adds all values of a packed histogram; exact. If it is damaged nothing is added.
    ///
    /// # Errors
    ///
    /// [`HistogramError`] if its bytes are damaged.
    pub fn add(&mut self, packed: &Packed) -> Result<(), HistogramError> {
        packed.check()?;
        if packed.is_empty() {
            return Ok(());
        }
        packed.each(|cell, count| {
            self.by_number[cell] = self.by_number[cell].saturating_add(count);
        })?;
        self.count = self.count.saturating_add(packed.count);
        self.sum_ns = self.sum_ns.saturating_add(packed.sum_ns);
        self.sum_squares = self.sum_squares.saturating_add(packed.sum_squares);
        self.min_ns = self.min_ns.min(packed.min_ns);
        self.max_ns = self.max_ns.max(packed.max_ns);
        self.clamped = self.clamped.saturating_add(packed.clamped);
        Ok(())
    }

    /// All of it as numbers.
    pub fn to_numbers(&self) -> Numbers {
        let mut numbers = Numbers {
            sums: self.by_number.to_vec(),
            largest: vec![SIGNED.saturating_sub(self.min_ns), self.max_ns.min(SIGNED)],
        };
        numbers.sums.extend([self.count, self.clamped]);
        numbers.put(self.sum_ns);
        numbers.put(self.sum_squares);
        numbers
    }

    /// What numbers of several have come to; none where they are not as many as there must be.
    pub fn of_numbers(sums: &[u64], largest: &[u64]) -> Option<Self> {
        if sums.len() != Numbers::SUMS {
            return None;
        }
        let (cells, moments) = sums.split_at(CELLS);
        let (counts, limbs) = moments.split_at(2);
        let (sum_ns, sum_squares) = limbs.split_at(LIMBS);
        let [below, max_ns] = *largest else {
            return None;
        };
        // Nothing is below that of which there is none.
        let min_ns = (below > 0).then(|| SIGNED.saturating_sub(below));
        Some(Self {
            by_number: cells.into(),
            count: counts[0],
            clamped: counts[1],
            sum_ns: Numbers::sum_of(sum_ns),
            sum_squares: Numbers::sum_of(sum_squares),
            min_ns: min_ns.unwrap_or(u64::MAX),
            max_ns,
        })
    }

    fn filled(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        let cells = self.by_number.iter().copied().enumerate();
        cells.filter(|(_, count)| *count > 0)
    }

    /// All values in few bytes.
    pub fn pack(&self) -> Packed {
        if self.is_empty() {
            return Packed::default();
        }
        Packed {
            count: self.count,
            sum_ns: self.sum_ns,
            sum_squares: self.sum_squares,
            min_ns: self.min_ns,
            max_ns: self.max_ns,
            clamped: self.clamped,
            cells: pack(self.filled()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn counts(values: &[u64]) -> Counts {
        let mut counts = Counts::new();
        for &value in values {
            counts.record(value, 1);
        }
        counts
    }

    fn histogram(values: &[u64]) -> Histogram {
        let mut histogram = Histogram::new();
        for &value in values {
            histogram.record(value);
        }
        histogram
    }

    #[test]
    fn numbers_come_back() {
        for number in [0, 1, 127, 128, 300, 1 << 42, u64::MAX] {
            let mut bytes = Vec::new();
            put(&mut bytes, number);
            assert_eq!(take(&mut bytes.iter()), Some(number));
            assert_eq!(take(&mut bytes[..bytes.len() - 1].iter()), None);
        }
        assert_eq!(take(&mut [0xff; 12].iter()), None);
    }

    #[test]
    fn damage_is_found_and_adds_nothing() {
        let whole = Packed::of(&counts(&[700, 90_000]));
        let mut cells = Cells::new();
        for (reason, cut) in [
            ("a number is cut short", whole.cells.len() - 1),
            ("the cells do not add up to the number of values", 3),
        ] {
            let mut damaged = whole.clone();
            damaged.cells.truncate(cut);
            let error = cells.add(&damaged).expect_err("damaged");
            assert_eq!(
                error.to_string(),
                format!("stored histogram is damaged: {reason}")
            );
        }
        let beyond = Packed {
            count: 1,
            cells: pack([(CELLS, 1)].into_iter()),
            ..Packed::default()
        };
        let error = cells.add(&beyond).expect_err("damaged").to_string();
        assert_eq!(
            error,
            "stored histogram is damaged: a cell is beyond the last one"
        );
        assert_eq!(cells, Cells::new());
    }

    proptest! {
        #[test]
        fn packed_histograms_add_up_to_the_one_of_all_values(
            a in prop::collection::vec(0_u64..1 << 43, 0..80),
            b in prop::collection::vec(0_u64..1 << 43, 0..80),
        ) {
            let whole = histogram(&[a.as_slice(), b.as_slice()].concat());
            let mut cells = Cells::new();
            cells.add(&Packed::of(&counts(&a))).expect("own bytes");
            cells.add(&Packed::of_histogram(&histogram(&b))).expect("own bytes");
            prop_assert_eq!(&cells.pack().histogram().expect("own bytes"), &whole);
            let mut merged = Packed::of(&counts(&a));
            merged.merge(&Packed::of(&counts(&b))).expect("own bytes");
            prop_assert_eq!(&merged, &cells.pack());
            prop_assert_eq!(merged.histogram().expect("own bytes"), whole);
        }

        #[test]
        fn numbers_that_are_added_up_are_those_of_all(
            values in prop::collection::vec(prop::collection::vec(0_u64..1 << 43, 0..20), 1..5),
        ) {
            let mut whole = Cells::new();
            let mut sums = vec![0; Numbers::SUMS];
            let mut largest = vec![0; Numbers::LARGEST];
            for values in &values {
                let packed = Packed::of(&counts(values));
                whole.add(&packed).expect("own bytes");
                let mut own = Cells::new();
                own.add(&packed).expect("own bytes");
                let own = own.to_numbers();
                for (sum, one) in sums.iter_mut().zip(own.sums) {
                    *sum += one;
                }
                for (most, one) in largest.iter_mut().zip(own.largest) {
                    *most = one.max(*most);
                }
            }
            prop_assert_eq!(Cells::of_numbers(&sums, &largest), Some(whole));
            prop_assert_eq!(Cells::of_numbers(&sums[1..], &largest), None);
        }

        #[test]
        fn any_bytes_are_read_or_refused(
            count in 0_u64..50, cells in prop::collection::vec(any::<u8>(), 0..40),
        ) {
            let packed = Packed { count, cells, ..Packed::default() };
            let mut sum = Cells::new();
            let read = sum.add(&packed).is_ok();
            prop_assert_eq!(sum.len(), if read { count } else { 0 });
        }
    }
}

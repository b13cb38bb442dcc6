//! Completions of all workers in slices of the measured time, in bounded memory.

use fathom_core::Nanos;
use fathom_core::interval::{Interval, slices_of};
use fathom_core::result::Pace;

/// Slices that are kept at most. From there on two neighbours become one.
const MOST: usize = 1200;

/// Adds up the slices of all workers.
#[derive(Clone, Debug)]
pub struct PaceBook {
    /// Slices of an interval, and the length of one.
    slices: (u64, Nanos),
    /// Slices of the workers in one of `ios`.
    group: u64,
    ios: Vec<u64>,
    most: usize,
}

impl PaceBook {
    /// A book of intervals of this length.
    pub fn new(interval: Nanos) -> Self {
        Self {
            slices: slices_of(interval),
            group: 1,
            ios: Vec::new(),
            most: MOST,
        }
    }

    /// Adds an interval of the measured time.
    pub fn add(&mut self, interval: &Interval) {
        let first = interval.index * self.slices.0;
        for (number, ios) in (first..).zip(&interval.slices) {
            while number / self.group >= self.most as u64 {
                self.halve();
            }
            let at = (number / self.group) as usize;
            if self.ios.len() <= at {
                self.ios.resize(at + 1, 0);
            }
            self.ios[at] += u64::from(*ios);
        }
    }

    fn halve(&mut self) {
        self.ios = self.ios.chunks(2).map(|two| two.iter().sum()).collect();
        self.group *= 2;
    }

    /// The slices that lie between two instants after the start of the measured time; none without
    /// a completion.
    pub fn between(&self, begin: Nanos, end: Nanos) -> Option<Pace> {
        let slice_ns = self.slices.1.0 * self.group;
        let first = (begin.0.div_ceil(slice_ns) as usize).min(self.ios.len());
        let last = ((end.0 / slice_ns) as usize).clamp(first, self.ios.len());
        let ios = self.ios[first..last].to_vec();
        ios.iter().any(|ios| *ios > 0).then(|| Pace {
            start_ns: first as u64 * slice_ns,
            slice_ns,
            ios,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(index: u64, slices: &[u32]) -> Interval {
        Interval {
            index,
            slices: slices.to_vec(),
            ..Interval::default()
        }
    }

    #[test]
    fn workers_add_up_and_long_runs_have_longer_slices() {
        let second = Nanos::from_secs(1);
        let mut book = PaceBook::new(Nanos::from_millis(100));
        book.most = 4;
        book.add(&interval(0, &[1, 2]));
        book.add(&interval(0, &[3, 4]));
        book.add(&interval(1, &[5]));
        let pace = |start_ns, slice_ns, ios: &[u64]| Pace {
            start_ns,
            slice_ns,
            ios: ios.to_vec(),
        };
        let found = book.between(Nanos::ZERO, second);
        assert_eq!(found, Some(pace(0, 50_000_000, &[4, 6, 5])));
        book.add(&interval(2, &[7, 8]));
        let found = book.between(Nanos::ZERO, second);
        assert_eq!(found, Some(pace(0, 100_000_000, &[10, 5, 15])));
        let found = book.between(Nanos(1), Nanos::from_millis(299));
        assert_eq!(found, Some(pace(100_000_000, 100_000_000, &[5])));
        assert_eq!(book.between(second, second), None);
    }
}

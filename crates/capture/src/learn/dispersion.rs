//! How bursty arrivals are: the index of dispersion of counts.

/// Counts of arrivals in intervals of one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct Dispersion {
    interval_ns: u64,
    start_ns: u64,
    /// The interval that is being counted, from the start.
    current: u64,
    count: u64,
    intervals: u64,
    sum: u64,
    squares: f64,
}

/// Intervals without which no index is given.
const LEAST_INTERVALS: u64 = 5;

impl Dispersion {
    pub(super) const fn new(start_ns: u64, interval_ns: u64) -> Self {
        Self {
            interval_ns,
            start_ns,
            current: 0,
            count: 0,
            intervals: 0,
            sum: 0,
            squares: 0.0,
        }
    }

    /// Adds an arrival. Instants must not go back.
    pub(super) fn add(&mut self, at_ns: u64) {
        self.reach(at_ns);
        self.count += 1;
    }

    /// Ends all intervals up to an instant.
    fn reach(&mut self, at_ns: u64) {
        let interval = at_ns.saturating_sub(self.start_ns) / self.interval_ns;
        if interval > self.current {
            // Those between are empty.
            self.intervals += interval - self.current;
            self.sum += self.count;
            self.squares += (self.count as f64).powi(2);
            self.current = interval;
            self.count = 0;
        }
    }

    /// Variance over mean of the counts up to `end_ns`: 1 of a Poisson process, 0 of equal gaps.
    /// None with fewer than five intervals, or without arrivals.
    pub(super) fn index(mut self, end_ns: u64) -> Option<f64> {
        self.reach(end_ns);
        if self.intervals < LEAST_INTERVALS || self.sum == 0 {
            return None;
        }
        let mean = self.sum as f64 / self.intervals as f64;
        let variance = self.squares / self.intervals as f64 - mean * mean;
        Some(variance.max(0.0) / mean)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_gaps_have_none_and_pairs_have_some() {
        let mut even = Dispersion::new(0, 10);
        let mut bursts = Dispersion::new(0, 10);
        for number in 0..100 {
            even.add(number * 5);
            bursts.add(number / 4 * 20);
        }
        assert_eq!(even.index(500), Some(0.0));
        // 4 in every second interval.
        assert_eq!(bursts.index(500), Some(2.0));
        assert_eq!(Dispersion::new(0, 10).index(500), None);
        assert_eq!(bursts.index(40), Some(2.0));
        assert_eq!(Dispersion::new(0, 1000).index(4000), None);
    }
}

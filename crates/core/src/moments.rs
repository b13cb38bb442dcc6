//! Count, mean, deviation and extremes of times, added up in integers: what a worker can afford to
//! keep of each batch.

use crate::summary::Spread;

/// Moments of some times in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum_ns: u64,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
}

impl Default for Moments {
    fn default() -> Self {
        Self {
            count: 0,
            sum_ns: 0,
            sum_squares: 0,
            min_ns: u64::MAX,
            max_ns: 0,
        }
    }
}

impl Moments {
    /// Adds one time of `count` requests. Never allocates. The sum has room for the times of an
    /// interval: 585 years, shared by the requests of a batch.
    #[inline]
    pub fn record(&mut self, time_ns: u64, count: u32) {
        let times = u64::from(count);
        let sum = time_ns.wrapping_mul(times);
        self.count += times;
        self.sum_ns = self.sum_ns.wrapping_add(sum);
        self.sum_squares += u128::from(time_ns) * u128::from(sum);
        self.min_ns = self.min_ns.min(time_ns);
        self.max_ns = self.max_ns.max(time_ns);
    }

    /// How many times there are.
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Adds those of others.
    pub fn merge(&mut self, other: &Self) {
        self.min_ns = self.min_ns.min(other.min_ns);
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_squares = self.sum_squares.saturating_add(other.sum_squares);
    }

    /// What goes into a result; none if there were no times.
    pub fn spread(&self) -> Option<Spread> {
        if self.count == 0 {
            return None;
        }
        let count = self.count as f64;
        let mean = self.sum_ns as f64 / count;
        Some(Spread {
            count: self.count,
            mean,
            stddev: (self.sum_squares as f64 / count - mean * mean)
                .max(0.0)
                .sqrt(),
            min: self.min_ns as f64,
            max: self.max_ns as f64,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_to_the_moments_of_the_whole() {
        let of = |times: &[(u64, u32)]| {
            let mut moments = Moments::default();
            for (time_ns, count) in times {
                moments.record(*time_ns, *count);
            }
            moments
        };
        let mut parts = of(&[(2, 1), (4, 3)]);
        parts.merge(&of(&[(5, 2), (7, 1), (9, 1)]));
        parts.merge(&Moments::default());
        let expected = Spread::of(&[2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0]);
        assert_eq!(parts.spread(), Some(expected));
        assert_eq!(Moments::default().spread(), None);
    }
}

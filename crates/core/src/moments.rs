//! Count, mean, deviation and extremes of times, added up in integers: what a worker can afford to
//! keep of each batch.

use crate::summary::Spread;

/// Moments of some times in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    count: u64,
    sum_ns: u64,
    sum_squares: u128,
    min_ns: u64,
    max_ns: u64,
}

impl Moments {
    /// Adds one time of `count` requests. Never allocates; a sum stays at the largest number rather
    /// than going over it (585 years).
    #[inline]
    pub const fn record(&mut self, time_ns: u64, count: u32) {
        let is_first = self.count == 0;
        if is_first || time_ns < self.min_ns {
            self.min_ns = time_ns;
        }
        if time_ns > self.max_ns {
            self.max_ns = time_ns;
        }
        let times = count as u64;
        let sum = time_ns.saturating_mul(times);
        self.count += times;
        self.sum_ns = self.sum_ns.saturating_add(sum);
        self.sum_squares = self.sum_squares.wrapping_add(time_ns as u128 * sum as u128);
    }

    /// Adds those of others.
    pub fn merge(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min_ns = if self.count == 0 {
            other.min_ns
        } else {
            self.min_ns.min(other.min_ns)
        };
        self.max_ns = self.max_ns.max(other.max_ns);
        self.count += other.count;
        self.sum_ns = self.sum_ns.saturating_add(other.sum_ns);
        self.sum_squares = self.sum_squares.wrapping_add(other.sum_squares);
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

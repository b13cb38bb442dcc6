//! A token bucket kept as time: the instant at which it would be full again.
//!
//! This is the generic cell rate algorithm (ITU-T I.371): taking tokens moves one instant into
//! the future, waiting does nothing at all. So there is no refill tick, nothing drifts, and the
//! level at any instant is a subtraction. Time is kept in picoseconds, in which the spacing of
//! 3,000 tokens a second is off by less than one part in 10^11; every rounding is up, so that
//! the limit is never exceeded.

use crate::units::Nanos;

const PS_PER_NS: u128 = 1_000;
const PS_PER_SECOND: u128 = 1_000_000_000_000;
/// Rates are kept in thousandths of a token a second.
const RATE_SCALE: u128 = 1_000;

/// A token bucket: tokens a second, and how many a full one holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Gcra {
    /// Tokens a second, times [`RATE_SCALE`].
    rate: u128,
    /// Tokens of a full bucket.
    capacity: u128,
    /// The instant at which the bucket is full, in picoseconds.
    full_at: u128,
}

impl Gcra {
    /// A full bucket that gains `rate` tokens a second up to `capacity`.
    ///
    /// A rate is kept to a thousandth of a token a second, and is never below one.
    pub fn new(rate: f64, capacity: u64) -> Self {
        Self {
            rate: ((rate * RATE_SCALE as f64) as u128).max(1),
            capacity: u128::from(capacity),
            full_at: 0,
        }
    }

    /// Tokens a second.
    pub fn rate(&self) -> f64 {
        self.rate as f64 / RATE_SCALE as f64
    }

    /// Tokens of a full bucket.
    pub const fn capacity(&self) -> u64 {
        self.capacity as u64
    }

    /// The first instant, not before `at`, at which `tokens` can be taken. A request of more than
    /// a bucket holds has to find it full.
    pub fn earliest(&self, at: Nanos, tokens: u64) -> Nanos {
        let spare = self.capacity.saturating_sub(u128::from(tokens));
        let ready_ps = self.full_at.saturating_sub(self.time_of(spare, false));
        let ready = ready_ps.div_ceil(PS_PER_NS);
        at.max(Nanos(u64::try_from(ready).unwrap_or(u64::MAX)))
    }

    /// Takes `tokens` at an instant that [`Self::earliest`] gave; earlier, the bucket goes into
    /// debt, which later requests have to wait for.
    pub fn take(&mut self, at: Nanos, tokens: u64) {
        let at_ps = u128::from(at.0) * PS_PER_NS;
        self.full_at = self.full_at.max(at_ps) + self.time_of(u128::from(tokens), true);
    }

    /// Tokens in the bucket at an instant, none while it is in debt.
    pub fn level(&self, at: Nanos) -> f64 {
        let missing_ps = self.full_at.saturating_sub(u128::from(at.0) * PS_PER_NS);
        let missing = missing_ps as f64 / PS_PER_SECOND as f64 * self.rate();
        (self.capacity as f64 - missing).max(0.0)
    }

    /// Sets the level at an instant, for a bucket that does not begin full or was followed by
    /// other means for a while.
    pub fn set_level(&mut self, at: Nanos, tokens: f64) {
        let missing = (self.capacity as f64 - tokens).clamp(0.0, self.capacity as f64);
        let missing_ps = (missing / self.rate() * PS_PER_SECOND as f64).ceil() as u128;
        self.full_at = u128::from(at.0) * PS_PER_NS + missing_ps;
    }

    /// Time in which `tokens` are gained, in picoseconds.
    fn time_of(&self, tokens: u128, round_up: bool) -> u128 {
        let scaled = tokens * PS_PER_SECOND * RATE_SCALE;
        if round_up {
            scaled.div_ceil(self.rate)
        } else {
            scaled / self.rate
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Instants at which requests of these sizes start, asked for as early as possible.
    fn starts(bucket: &mut Gcra, tokens: &[u64]) -> Vec<u64> {
        let mut at = Nanos::ZERO;
        let start = |&tokens: &u64| {
            at = bucket.earliest(at, tokens);
            bucket.take(at, tokens);
            at.0
        };
        tokens.iter().map(start).collect()
    }

    #[test]
    fn a_bucket_of_one_spaces_requests() {
        let mut bucket = Gcra::new(1_000.0, 1);
        assert_eq!(starts(&mut bucket, &[1, 1, 1]), [0, 1_000_000, 2_000_000]);
    }

    #[test]
    fn a_full_bucket_is_spent_at_once_and_gains_while_idle() {
        let mut bucket = Gcra::new(100.0, 3);
        let expected = [0, 0, 0, 10_000_000, 20_000_000];
        assert_eq!(starts(&mut bucket, &[1; 5]), expected);
        assert_eq!(
            bucket.level(Nanos::from_millis(20)).to_bits(),
            0.0_f64.to_bits()
        );
        assert_eq!(
            bucket.level(Nanos::from_millis(40)).to_bits(),
            2.0_f64.to_bits()
        );
        assert_eq!(
            bucket.level(Nanos::from_secs(9)).to_bits(),
            3.0_f64.to_bits()
        );
    }

    #[test]
    fn more_than_a_bucket_holds_waits_for_a_full_one() {
        let mut bucket = Gcra::new(10.0, 2);
        assert_eq!(starts(&mut bucket, &[5, 1]), [0, 400_000_000]);
    }

    #[test]
    fn a_bucket_of_gp2_lasts_forty_minutes_and_fills_in_two_hours() {
        let mut bucket = Gcra::new(750.0, 5_400_000);
        // 3,000 a second for 2,400 s.
        for second in 0..2_400 {
            bucket.take(Nanos::from_secs(second), 3_000);
        }
        let end = Nanos::from_secs(2_400);
        assert_eq!(bucket.level(end).round() as u64, 0);
        assert_eq!(
            bucket.level(end + Nanos::from_secs(3_600)).round() as u64,
            2_700_000
        );
        assert_eq!(
            bucket.level(end + Nanos::from_secs(7_200)).round() as u64,
            5_400_000
        );
    }

    proptest! {
        #[test]
        fn no_window_holds_more_than_rate_and_bucket(
            rate in 1.0..100_000.0_f64,
            capacity in 1..1_000_u64,
            tokens in proptest::collection::vec(1..50_u64, 1..200),
        ) {
            let mut bucket = Gcra::new(rate, capacity);
            let starts = starts(&mut bucket, &tokens);
            for first in 0..starts.len() {
                let mut sum = 0;
                for last in first..starts.len() {
                    sum += tokens[last];
                    let seconds = (starts[last] - starts[first]) as f64 / 1e9;
                    // A request larger than the bucket counts as if the bucket were as large.
                    let room = capacity.max(tokens[last]) + 1;
                    prop_assert!(
                        sum as f64 <= rate * seconds + room as f64 + 1e-6,
                        "{sum} tokens in {seconds} s"
                    );
                }
            }
        }

        #[test]
        fn a_level_that_was_set_is_there(
            rate in 1.0..1e9_f64,
            capacity in 1..1_u64 << 50,
            share in 0.0..=1.0_f64,
            at in 0..1_u64 << 50,
        ) {
            let mut bucket = Gcra::new(rate, capacity);
            let level = capacity as f64 * share;
            bucket.set_level(Nanos(at), level);
            let found = bucket.level(Nanos(at));
            prop_assert!(found >= 0.0 && found <= capacity as f64);
            prop_assert!((found - level).abs() <= 1e-9 * capacity as f64 + rate * 1e-11 + 1e-6);
        }
    }
}

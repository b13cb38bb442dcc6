//! How far the clock of a member is from the coordinator's, and how well that is known.
//!
//! A reading asks the member for its clock and takes the middle of the round trip as the moment
//! at which it answered (Cristian 1989): the true offset is within half the round trip of it. From
//! then on clocks drift apart, by [`DRIFT_PPM`] at most, and a later reading takes the place of
//! the first as soon as it knows better than that.

use fathom_core::Nanos;

/// Drift of two clocks against each other that is reckoned with, parts per million: twice what a
/// quartz oscillator of a computer is specified for.
pub const DRIFT_PPM: u64 = 200;

/// How much faster or slower than the coordinator's a clock may run, percent: far beyond what drift
/// and the slewing of a time service do, and little enough to matter to no rate.
pub const PACE_PERCENT: u64 = 1;

/// How fast a clock runs, by two readings of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Pace {
    /// As fast as the coordinator's.
    Same,
    /// The readings are too close together to tell.
    Unknown,
    /// Times as fast, as near to 1 as the readings allow: at least this if it is above 1, at most
    /// this if it is below.
    Off(f64),
}

/// The offset of a clock: what is to be added to the coordinator's to come to the member's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockOffset {
    offset_ns: i64,
    error_ns: u64,
    read: Nanos,
}

impl ClockOffset {
    /// From one reading: asked at `asked` and answered by `answered` on the coordinator's clock,
    /// when the member's showed `clock_ns`.
    pub const fn read(asked: Nanos, answered: Nanos, clock_ns: u64) -> Self {
        let trip = answered.0.saturating_sub(asked.0);
        let middle = asked.0 + trip / 2;
        Self {
            offset_ns: clock_ns.wrapping_sub(middle) as i64,
            error_ns: trip.div_ceil(2),
            read: answered,
        }
    }

    /// The offset in nanoseconds.
    pub const fn offset_ns(&self) -> i64 {
        self.offset_ns
    }

    /// Nanoseconds by which it may be wrong at `now`: half the round trip, and the drift since.
    pub const fn error_ns(&self, now: Nanos) -> u64 {
        let age = now.0.saturating_sub(self.read.0);
        let drift = age as u128 * DRIFT_PPM as u128 / 1_000_000;
        self.error_ns.saturating_add(drift as u64)
    }

    /// How fast the clock ran from this reading to a later one.
    pub fn pace(&self, later: &Self) -> Pace {
        let elapsed = later.read.0.saturating_sub(self.read.0);
        let moved = i128::from(later.offset_ns) - i128::from(self.offset_ns);
        let error = i128::from(self.error_ns) + i128::from(later.error_ns);
        let allowed = i128::from(elapsed / 100 * PACE_PERCENT);
        if moved.abs() > allowed + error {
            let least = (moved.abs() - error) * moved.signum();
            Pace::Off(1.0 + least as f64 / elapsed.max(1) as f64)
        } else if moved.abs() + error <= allowed {
            Pace::Same
        } else {
            Pace::Unknown
        }
    }

    /// Takes another reading, if it knows better.
    pub fn refine(&mut self, other: Self) {
        if other.error_ns <= self.error_ns(other.read) {
            *self = other;
        }
    }

    /// An instant of the coordinator's on the member's clock.
    pub const fn theirs(&self, own: Nanos) -> u64 {
        own.0.wrapping_add_signed(self.offset_ns)
    }

    /// An instant of the member's on the coordinator's clock.
    pub const fn own(&self, theirs_ns: u64) -> Nanos {
        Nanos(theirs_ns.wrapping_sub(self.offset_ns as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_shorter_trip_counts_until_drift_has_made_it_worse() {
        let mut offset = ClockOffset::read(Nanos(1_000), Nanos(3_000), 102_000);
        assert_eq!(
            (offset.offset_ns(), offset.error_ns(Nanos(3_000))),
            (100_000, 1_000)
        );
        offset.refine(ClockOffset::read(Nanos(4_000), Nanos(9_000), 200_000));
        assert_eq!(offset.offset_ns(), 100_000);
        // After 10 s the first may be wrong by 2 ms more.
        let late = Nanos::from_secs(10);
        offset.refine(ClockOffset::read(
            late,
            late + Nanos(5_000),
            late.0 + 102_500,
        ));
        assert_eq!(
            (offset.offset_ns(), offset.error_ns(late)),
            (100_000, 2_500)
        );
    }

    #[test]
    fn a_clock_that_runs_faster_is_told_from_one_that_is_only_ahead() {
        let at = |seconds: u64, trip: u64, clock_ns: u64| {
            let asked = Nanos::from_secs(seconds);
            ClockOffset::read(asked, asked + Nanos(trip), clock_ns)
        };
        let first = at(10, 0, 100_000_000_000);
        let cases = [
            (at(12, 0, 102_000_000_000), Pace::Same),
            (at(12, 0, 103_000_000_000), Pace::Off(1.5)),
            (at(12, 0, 101_000_000_000), Pace::Off(0.5)),
            // The answer took 0.1 s, half of which either way: at least 0.95 s in 2.1 s.
            (
                at(12, 100_000_000, 103_050_000_000),
                Pace::Off(1.0 + 0.95e9 / 2.1e9),
            ),
            // Within a hundredth.
            (at(12, 0, 102_015_000_000), Pace::Same),
            // An answer that took two seconds tells nothing.
            (at(12, 2_000_000_000, 103_500_000_000), Pace::Unknown),
        ];
        for (later, pace) in cases {
            assert_eq!(first.pace(&later), pace, "{later:?}");
        }
    }

    proptest! {
        #[test]
        fn the_true_offset_is_within_the_stated_error(
            skew in -1_000_000_000_i64..1_000_000_000,
            drift_ppm in -200_i64..200,
            trips in prop::collection::vec(
                (0_u64..500_000_000, 0_u64..3_000_000, 0_u64..3_000_000),
                1..12,
            ),
        ) {
            let clock = |now: u64| {
                let drift = i128::from(now) * i128::from(drift_ppm) / 1_000_000;
                (now + 2_000_000_000).wrapping_add_signed(skew + drift as i64)
            };
            let mut now = 0;
            let mut offset: Option<ClockOffset> = None;
            for (pause, there, back) in trips {
                now += pause;
                let answered = Nanos(now + there + back);
                let reading = ClockOffset::read(Nanos(now), answered, clock(now + there));
                offset.get_or_insert(reading).refine(reading);
                now = answered.0;
                let known = offset.expect("just set");
                let truth = clock(now).wrapping_sub(now) as i64;
                let wrong = known.offset_ns().abs_diff(truth);
                let slack = (there + back) * DRIFT_PPM / 1_000_000 + 2;
                prop_assert!(wrong <= known.error_ns(answered) + slack, "{wrong}");
            }
        }
    }
}

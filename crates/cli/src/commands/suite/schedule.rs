//! When the passes of a suite start: at a fixed interval.

use super::{WAIT_SLICE, note};
use crate::error::Error;
use crate::stop::Stop;
use fathom_core::{Nanos, figure};
use fathom_engine::Clock;

/// The time in which passes begin.
pub(super) trait Time {
    /// Since some instant.
    fn now(&mut self) -> Nanos;
    /// Waits until then; false if the user wished to leave.
    fn wait_until(&mut self, due: Nanos) -> Result<bool, Error>;
}

/// The machine's own.
pub(super) struct WallTime {
    clock: Clock,
    stop: Stop,
}

impl WallTime {
    /// Waits end when `stop` is asked.
    pub(super) fn new(stop: Stop) -> Self {
        Self {
            clock: Clock::monotonic(),
            stop,
        }
    }
}

impl Time for WallTime {
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    fn wait_until(&mut self, due: Nanos) -> Result<bool, Error> {
        while self.clock.now() < due {
            if self.stop.is_asked() {
                return Ok(false);
            }
            let slice = self.clock.latest() + WAIT_SLICE;
            self.clock.wait_until(due.min(slice), Nanos(0));
        }
        Ok(true)
    }
}

/// Starts each pass at a fixed interval after the start of the one before, or at once where that
/// took longer.
pub(super) struct Schedule<'a, T> {
    every: Option<Nanos>,
    /// The name in messages about the next start.
    suite: Option<&'a str>,
    time: T,
    last_began: Option<Nanos>,
}

impl<'a, T: Time> Schedule<'a, T> {
    /// Passes with the interval `every`, or one right after the other; messages about waits name
    /// `suite`.
    pub(super) fn new(every: Option<Nanos>, suite: Option<&'a str>, time: T) -> Self {
        Self {
            every,
            suite,
            time,
            last_began: None,
        }
    }

    /// Waits until a pass is due, and notes that it begins; false if the user wished to leave.
    pub(super) fn begin(&mut self, pass: u32) -> Result<bool, Error> {
        let due = self.last_began.zip(self.every);
        let due = due.map(|(began, every)| Nanos(began.0.saturating_add(every.0)));
        let now = self.time.now();
        if let Some(due) = due.filter(|due| *due > now) {
            if let Some(suite) = self.suite {
                let left = figure::duration((due - now).0);
                note(&format!("suite {suite}: pass {pass} begins in {left}"));
            }
            if !self.time.wait_until(due)? {
                return Ok(false);
            }
        }
        self.last_began = Some(due.map_or(now, |due| due.max(now)));
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: u64 = 3_600_000_000_000;
    const MINUTE: u64 = 60_000_000_000;

    /// Time that passes when it is told to.
    struct Virtual<'a> {
        now: &'a std::cell::Cell<u64>,
        /// When the user wishes to leave.
        leaves: u64,
    }

    impl Time for Virtual<'_> {
        fn now(&mut self) -> Nanos {
            Nanos(self.now.get())
        }

        fn wait_until(&mut self, due: Nanos) -> Result<bool, Error> {
            self.now.set(due.0.min(self.leaves));
            Ok(due.0 <= self.leaves)
        }
    }

    /// The minutes at which passes begin that take so many minutes each.
    fn begun(every: Option<u64>, takes: &[u64], leaves: u64) -> Vec<u64> {
        let now = std::cell::Cell::new(7 * MINUTE);
        let time = Virtual {
            now: &now,
            leaves: leaves.saturating_mul(MINUTE),
        };
        let mut schedule = Schedule::new(every.map(Nanos), None, time);
        let mut begun = Vec::new();
        for (pass, minutes) in (1..).zip(takes) {
            if !schedule.begin(pass).expect("time that passes") {
                break;
            }
            begun.push(now.get() / MINUTE);
            now.set(now.get() + minutes * MINUTE);
        }
        begun
    }

    #[test]
    fn twelve_passes_begin_on_the_hour_however_long_they_take() {
        let hours: Vec<u64> = (0..12).map(|hour| 7 + 60 * hour).collect();
        let takes = [1, 59, 60, 13, 2, 2, 31, 4, 5, 6, 7, 8];
        assert_eq!(begun(Some(HOUR), &takes, u64::MAX), hours);
    }

    #[test]
    fn a_pass_that_took_too_long_is_followed_at_once_and_the_next_an_hour_after_that() {
        let takes = [90, 10, 200, 1];
        assert_eq!(begun(Some(HOUR), &takes, u64::MAX), [7, 97, 157, 357]);
    }

    #[test]
    fn without_an_hour_there_is_no_wait_and_whoever_leaves_does_not_begin() {
        assert_eq!(begun(None, &[5, 5, 5], 0), [7, 12, 17]);
        assert_eq!(begun(Some(HOUR), &[5, 5, 5], 100), [7, 67]);
    }
}

//! The only clock.
//!
//! Its time base is the kernel's `CLOCK_MONOTONIC`, so the clocks of several threads agree. Where
//! the processor's time-stamp counter is what the kernel itself counts with, the clock reads the
//! counter directly and converts by multiply and shift, which costs less than half of a
//! `clock_gettime`; it looks at `CLOCK_MONOTONIC` again about once a second, corrects its rate
//! and lets a small error flow away over the next second. Elsewhere each reading is a
//! `clock_gettime` without a system call (vDSO).
//!
//! The rate needs no long calibration: it is measured over some tens of microseconds, used for
//! as long as it was measured, measured again over all the time since, and so on. The error stays
//! that of one reading, some tens of nanoseconds, while the span doubles up to a second.

mod counter;

use counter::{Anchor, Pair};
use fathom_core::Nanos;

pub(crate) use crate::platform::sharpen_sleep;
use crate::platform::{
    KERNEL_CLOCK, NANOS_PER_SEC, monotonic_ns, monotonic_seconds, sleep_until, utc,
};
use crate::spin::Spin;
use std::sync::OnceLock;

/// Set to `clock_monotonic` to keep away from the time-stamp counter.
pub const CLOCK_VARIABLE: &str = "FATHOM_CLOCK";

/// A reader of monotonic time for one thread.
#[derive(Clone, Debug)]
pub struct Clock {
    anchor: Anchor,
    last_ns: u64,
    uses_counter: bool,
}

impl Default for Clock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock {
    /// The cheapest trustworthy clock of this machine. The first call in a process takes about
    /// 0.1 ms for calibration, later ones less than a microsecond.
    pub fn new() -> Self {
        match calibration() {
            Some(origin) => Self {
                anchor: Anchor::first(*origin, counter::read_pair()),
                last_ns: 0,
                uses_counter: true,
            },
            None => Self::monotonic(),
        }
    }

    /// The kernel's clock, whatever the processor offers.
    pub fn monotonic() -> Self {
        Self {
            anchor: Anchor::NEVER,
            last_ns: 0,
            uses_counter: false,
        }
    }

    /// `tsc`, or that of the kernel: `clock_monotonic`, on Windows `query_performance_counter`.
    pub fn name(&self) -> &'static str {
        if self.uses_counter {
            "tsc"
        } else {
            KERNEL_CLOCK
        }
    }

    /// The present instant, never before an earlier answer of this clock.
    #[inline]
    pub fn now(&mut self) -> Nanos {
        let ns = if self.uses_counter {
            let ticks = counter::read();
            match self.anchor.convert(ticks) {
                Some(ns) => ns,
                None => self.anchor_again(),
            }
        } else {
            monotonic_ns()
        };
        self.last_ns = self.last_ns.max(ns);
        Nanos(self.last_ns)
    }

    /// The last answer of [`now`](Self::now): not later than the present, for a limit that need
    /// not be exact.
    #[inline]
    pub fn latest(&self) -> Nanos {
        Nanos(self.last_ns)
    }

    /// Waits until `until`: sleeps as long as more than `spin` is left, then looks at the clock
    /// without pause. Interruptions by signals do not end the wait.
    pub fn wait_until(&mut self, until: Nanos, spin: Nanos) -> Nanos {
        self.wait_and_learn(until, &mut Spin::fixed(spin))
    }

    /// The same with what `spin` has learned, which learns from this sleep too.
    pub fn wait_and_learn(&mut self, until: Nanos, spin: &mut Spin) -> Nanos {
        let mut now = self.now();
        if let Some(sleep) = spin.sleep(until.saturating_sub(now)) {
            let wake = now.saturating_add(sleep);
            while now < wake {
                // A signal ends the sleep early; the loop goes on with it. Both outcomes are
                // covered by looking at the clock.
                sleep_until(wake.0);
                now = self.now();
            }
            spin.woke(wake, now);
        }
        while now < until {
            std::hint::spin_loop();
            now = self.now();
        }
        now
    }

    /// What one reading costs: the median of some batches, in nanoseconds.
    pub fn median_cost_ns(&mut self) -> f64 {
        const CALLS: u32 = 32;
        let mut costs = [0_u64; 31];
        for cost in &mut costs {
            let start = self.now();
            for _ in 0..CALLS {
                std::hint::black_box(self.now());
            }
            *cost = (self.now() - start).0;
        }
        costs.sort_unstable();
        costs[costs.len() / 2] as f64 / f64::from(CALLS + 1)
    }

    /// The smallest step that it was seen to make, in nanoseconds; none if it made none.
    pub fn step_ns(&mut self) -> Option<u64> {
        const CALLS: u32 = 1_000;
        let mut last = self.now();
        let steps = (0..CALLS).map(|_| {
            let now = self.now();
            let step = now.saturating_sub(last).0;
            last = now;
            step
        });
        steps.filter(|step| *step > 0).min()
    }

    #[cold]
    #[inline(never)]
    fn anchor_again(&mut self) -> u64 {
        let pair = counter::read_pair();
        self.anchor = self.anchor.next(pair, self.last_ns);
        self.anchor.base_ns()
    }
}

/// The wall clock, in nanoseconds since 1970 (UTC): for run ids and timestamps, never for
/// measuring. A clock that stands before 1970 counts as one that begins there.
pub fn utc_now_ns() -> u64 {
    since_1970(utc())
}

/// Negative seconds are no time far ahead.
fn since_1970((seconds, nanos): (i64, u64)) -> u64 {
    u64::try_from(seconds).map_or(0, |seconds| {
        seconds.saturating_mul(NANOS_PER_SEC).saturating_add(nanos)
    })
}

/// Whether the clock that everything is measured with is the kernel's, which starts at 0. A library
/// that moves the time of a program into the past makes it negative, and waits would never end.
pub fn is_sound() -> bool {
    monotonic_seconds() >= 0
}

/// The pair from which all clocks of the process measure the counter's rate; none when the
/// counter is not to be used.
fn calibration() -> Option<&'static Pair> {
    static ORIGIN: OnceLock<Option<Pair>> = OnceLock::new();
    ORIGIN
        .get_or_init(|| {
            let forced = std::env::var_os(CLOCK_VARIABLE).is_some_and(|v| v == "clock_monotonic");
            (!forced && counter::is_trusted()).then(counter::calibrate)
        })
        .as_ref()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far a reading may be from `CLOCK_MONOTONIC`, in nanoseconds.
    const AGREEMENT_NS: u64 = 50_000;

    fn clocks() -> [Clock; 2] {
        [Clock::new(), Clock::monotonic()]
    }

    #[test]
    fn time_never_goes_back() {
        for mut clock in clocks() {
            let mut last = Nanos::ZERO;
            for _ in 0..200_000 {
                let now = clock.now();
                assert!(now >= last, "{}: {now} after {last}", clock.name());
                last = now;
            }
        }
    }

    #[test]
    fn readings_agree_with_the_kernel() {
        for mut clock in clocks() {
            for _ in 0..20_000 {
                // The kernel's readings before and after bracket ours, however long the thread
                // was held up between them.
                let before = monotonic_ns();
                let now = clock.now().0;
                let after = monotonic_ns();
                assert!(
                    before <= now + AGREEMENT_NS && now <= after + AGREEMENT_NS,
                    "{}: {now} outside {before}..{after}",
                    clock.name()
                );
            }
        }
    }

    #[test]
    fn clocks_of_two_threads_agree() {
        let mut here = Clock::new();
        let before = here.now();
        let there = std::thread::spawn(|| Clock::new().now())
            .join()
            .expect("the thread ends");
        let after = here.now();
        assert!(before.0 <= there.0 + AGREEMENT_NS && there.0 <= after.0 + AGREEMENT_NS);
    }

    #[test]
    fn a_wait_ends_at_or_after_its_instant() {
        for mut clock in clocks() {
            for spin in [Nanos::ZERO, Nanos::from_micros(50), Nanos::MAX] {
                let until = clock.now() + Nanos::from_micros(200);
                assert!(clock.wait_until(until, spin) >= until);
            }
        }
    }

    #[test]
    fn an_instant_in_the_past_does_not_wait() {
        for mut clock in clocks() {
            let now = clock.now();
            assert!(clock.wait_until(Nanos::ZERO, Nanos::ZERO) >= now);
        }
    }

    #[test]
    fn a_wall_clock_before_1970_stands_at_1970() {
        for (seconds, nanos, expected) in [
            (-1, 999_999_999, 0),
            (i64::MIN, 0, 0),
            (0, 7, 7),
            (2, 5, 2_000_000_005),
            (i64::MAX, 1, u64::MAX),
        ] {
            assert_eq!(since_1970((seconds, nanos)), expected);
        }
        assert!(is_sound());
    }

    #[test]
    fn the_wall_clock_is_after_this_was_written() {
        assert!(utc_now_ns() > 1_750_000_000 * NANOS_PER_SEC);
    }
}

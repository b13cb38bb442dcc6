//! How long before its instant a wait stops sleeping and looks at the clock without pause.
//!
//! A sleep ends late: the kernel takes some microseconds to wake a thread, and more where the CPU
//! has gone to sleep as well. A wait that sleeps until its instant would add this to the start of
//! the request that it waits for. One that never sleeps burns a core. So a thread learns from each
//! of its sleeps how late it ended, and wakes by that much earlier.
//!
//! The length follows a quantile of the lateness: a sleep that ended later than expected raises it
//! by 1/8, one that ended earlier lowers it by 1/64. The two balance where one sleep in nine is
//! later. A single sleep of some milliseconds, of a thread that had to wait for a CPU, raises it by
//! no more than any other. A thread whose waits are all shorter than the length does not sleep and
//! learns nothing, so each such wait lowers it a little: it finds out when wake-ups become faster.

use fathom_core::Nanos;

/// Before anything is learned.
const START: Nanos = Nanos::from_micros(50);
/// A sleep shorter than this costs more CPU time than it saves.
const LEAST: Nanos = Nanos::from_micros(4);
/// Wake-ups that are later than this are not waited for: the start is late instead.
const MOST: Nanos = Nanos::from_micros(100);
/// Shifts: what a late wake-up adds, an early one takes away, and a wait without a sleep.
const LATE: u32 = 3;
const EARLY: u32 = 6;
const AWAKE: u32 = 14;

/// The time at the end of each wait that a thread does not sleep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin {
    length: Nanos,
    learns: bool,
}

impl Spin {
    /// Learned from the thread's own sleeps.
    pub const LEARNED: Self = Self {
        length: START,
        learns: true,
    };

    /// Of this length, whatever is seen.
    pub const fn fixed(length: Nanos) -> Self {
        Self {
            length,
            learns: false,
        }
    }

    /// The present length.
    #[inline]
    pub const fn length(self) -> Nanos {
        self.length
    }

    /// The same, where it is learned.
    pub fn learned(self) -> Option<Nanos> {
        self.learns.then_some(self.length)
    }

    /// How long a thread with `left` until its instant sleeps; none if it does not.
    #[inline]
    pub fn sleep(&mut self, left: Nanos) -> Option<Nanos> {
        if left > self.length {
            return Some(left.saturating_sub(self.length));
        }
        if self.learns && left > LEAST {
            let less = (self.length.0 >> AWAKE).max(1);
            self.length = LEAST.max(self.length.saturating_sub(Nanos(less)));
        }
        None
    }

    /// A sleep that was to end at `due` ended at `now` by itself; earlier, it was interrupted, and
    /// nothing is learned.
    #[inline]
    pub fn woke(&mut self, due: Nanos, now: Nanos) {
        if !self.learns || now < due {
            return;
        }
        let length = self.length.0;
        let next = if now.saturating_sub(due) > self.length {
            length + (length >> LATE)
        } else {
            length - (length >> EARLY)
        };
        self.length = Nanos(next).clamp(LEAST, MOST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lengths after each of these sleeps, in nanoseconds.
    fn after(late_ns: impl IntoIterator<Item = u64>) -> Vec<u64> {
        let mut spin = Spin::LEARNED;
        let due = Nanos::from_secs(1);
        let mut woke = |late: u64| {
            spin.woke(due, due + Nanos(late));
            spin.length().0
        };
        late_ns.into_iter().map(&mut woke).collect()
    }

    #[test]
    fn the_length_follows_the_lateness_of_one_sleep_in_nine() {
        // Evenly from 10 to 20 us, in a scattered order: 18.9 us are exceeded by one in nine.
        let late = (0..20_000_u64).map(|n| 10_000 + n * 7_919 % 10_007);
        let lengths = after(late);
        let settled = &lengths[2_000..];
        let mean = settled.iter().sum::<u64>() / settled.len() as u64;
        assert!((18_000..20_500).contains(&mean), "{mean} ns");
    }

    #[test]
    fn a_few_sleeps_learn_a_fast_machine_and_none_forgets_it() {
        let lengths = after((0..400).map(|n| if n == 300 { 4_000_000 } else { 2_000 }));
        let at = [0, 1, 99, 199, 299, 300, 305, 399].map(|n| lengths[n]);
        assert_eq!(
            at,
            [49_219, 48_450, 10_378, 4_000, 4_000, 4_500, 4_160, 4_000]
        );
    }

    #[test]
    fn the_length_has_bounds() {
        assert_eq!(after([4_000_000; 50]).last(), Some(&100_000));
        assert_eq!(after([0; 1_000]).last(), Some(&4_000));
    }

    #[test]
    fn a_fixed_length_and_an_interrupted_sleep_teach_nothing() {
        let due = Nanos::from_secs(1);
        let mut fixed = Spin::fixed(Nanos(7));
        fixed.woke(due, due + Nanos::from_millis(4));
        assert_eq!(fixed.sleep(Nanos(7)), None);
        assert_eq!(fixed, Spin::fixed(Nanos(7)));
        let mut learned = Spin::LEARNED;
        learned.woke(due, Nanos(due.0 - 1));
        assert_eq!(learned, Spin::LEARNED);
    }

    #[test]
    fn waits_too_short_for_a_sleep_lower_the_length_until_one_sleeps() {
        let mut spin = Spin::LEARNED;
        let gap = Nanos::from_micros(33);
        let waits = (0..10_000).find(|_| spin.sleep(gap).is_some());
        assert_eq!((waits, spin.length()), (Some(8_359), Nanos(32_999)));
        // Nor is a sleep tried that no machine wakes from in time.
        let mut spin = Spin::LEARNED;
        for _ in 0..1_000_000 {
            assert_eq!(spin.sleep(LEAST), None);
        }
        assert_eq!(spin, Spin::LEARNED);
    }
}

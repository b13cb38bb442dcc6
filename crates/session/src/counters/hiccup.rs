//! A thread that only sleeps and measures how late it wakes up: what keeps it from running also
//! keeps the workers from seeing their completions.

use fathom_core::Nanos;
use fathom_core::histogram::Histogram;
use fathom_core::result::{Hiccups, Pause};
use fathom_engine::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

/// Length of a sleep at first: a stall of this length or more is always met, and a phase of eight
/// seconds comes to the thousand wake-ups on which a p99.9 rests. Of 4 ms it took 0.46 to 0.66 % of
/// a processor on a virtual machine that was full of work, a wake-up up to 36 microseconds.
const FINE: Nanos = Nanos::from_millis(8);
/// Their number.
const FINE_SLEEPS: u64 = 1_000;
/// Length of a sleep after that, at a quarter of the cost.
const COARSE: Nanos = Nanos(Pause::EDGE_NS);

/// Lateness from which a wake-up is kept by itself.
const PAUSE: Nanos = Nanos(Pause::LEAST_NS);
/// The number of pauses that are kept, the longest.
const PAUSES: usize = 64;

/// The watcher.
#[derive(Debug)]
pub(crate) struct HiccupWatch {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Seen>>,
}

/// What it saw.
#[derive(Debug, Default)]
struct Seen {
    late: Histogram,
    /// In their order, the longest of those of [`PAUSE`] and more.
    pauses: Vec<Pause>,
}

impl Seen {
    /// A wake-up that was `due` came at `now`, nanoseconds after the start of the phase.
    fn woke(&mut self, due: Nanos, now: Nanos) {
        let late = now.saturating_sub(due);
        self.late.record(late.0);
        if late < PAUSE {
            return;
        }
        self.pauses.push(Pause {
            start_ns: due.0,
            length_ns: late.0,
        });
        if self.pauses.len() > PAUSES {
            let shortest = (0..self.pauses.len()).min_by_key(|one| self.pauses[*one].length_ns);
            self.pauses.remove(shortest.unwrap_or_default());
        }
    }
}

impl HiccupWatch {
    /// Starts it for a phase that begins at `begin`; without a thread for it nothing is watched.
    pub(crate) fn start(begin: Nanos) -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let thread = std::thread::Builder::new()
            .name("hiccups".to_owned())
            .spawn(move || {
                let mut clock = Clock::new();
                watch(begin, &seen, || clock.now())
            })
            .ok();
        Self { stop, thread }
    }

    /// Ends it without waiting for the rest of its sleep. Returns how late it woke up, if it ever
    /// did, and the longest pauses.
    pub(crate) fn finish(mut self) -> (Option<Hiccups>, Vec<Pause>) {
        self.stop();
        let joined = self.thread.take().and_then(|thread| thread.join().ok());
        let Seen { late, pauses } = joined.unwrap_or_default();
        let hiccups = (!late.is_empty()).then(|| Hiccups {
            count: late.len(),
            p25_ns: late.quantile_ns(0.25),
            p999_ns: late.quantile_ns(0.999),
            max_ns: late.summary().max,
        });
        (hiccups, pauses)
    }

    fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for HiccupWatch {
    fn drop(&mut self) {
        self.stop();
    }
}

fn watch(begin: Nanos, stop: &AtomicBool, mut clock: impl FnMut() -> Nanos) -> Seen {
    // Without this the kernel may wake the thread 50 µs late on purpose.
    let _ = fathom_platform::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    let mut seen = Seen::default();
    let mut due = clock() + FINE;
    loop {
        // Read before the clock: the last look sees a pause that outlasted the phase.
        let is_over = stop.load(Ordering::Relaxed);
        let now = clock();
        if now >= due {
            seen.woke(due.saturating_sub(begin), now.saturating_sub(begin));
            due = now + pause(seen.late.len());
        }
        if is_over {
            return seen;
        }
        // Ends early when the watch is over.
        std::thread::park_timeout(Duration::from_nanos(due.saturating_sub(now).0));
    }
}

/// The next sleep after `sleeps`.
const fn pause(sleeps: u64) -> Nanos {
    if sleeps < FINE_SLEEPS { FINE } else { COARSE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_pauses_are_kept_in_their_order() {
        let mut seen = Seen::default();
        let second = Nanos::from_secs(1);
        for number in 0..100 {
            let due = Nanos(number * second.0);
            // The first ones are the shorter ones; one is too short for any.
            seen.woke(due, due + Nanos::from_millis(9 + number));
        }
        assert_eq!(seen.late.len(), 100);
        let expected: Vec<Pause> = (36..100)
            .map(|number| Pause {
                start_ns: number * second.0,
                length_ns: (9 + number) * 1_000_000,
            })
            .collect();
        assert_eq!(seen.pauses, expected);
    }

    /// The worker may run first after a pause, and end the phase.
    #[test]
    fn a_pause_that_outlasts_the_phase_is_seen() {
        let mut times = [0, 2_000_000_000].map(Nanos).into_iter();
        let clock = || times.next().expect("two looks");
        let seen = watch(Nanos::ZERO, &AtomicBool::new(true), clock);
        let pause = Pause {
            start_ns: FINE.0,
            length_ns: 2_000_000_000 - FINE.0,
        };
        assert_eq!(seen.pauses, [pause]);
    }

    /// Of a processor, at the dearest wake-up that was measured.
    #[test]
    fn a_minute_of_watching_costs_less_than_a_fifth_of_a_percent() {
        const WAKE_NS: u64 = 36_000;
        let minute = Nanos::from_secs(60);
        let mut passed = Nanos::ZERO;
        let mut sleeps = 0;
        while passed < minute {
            passed = passed + pause(sleeps);
            sleeps += 1;
        }
        assert_eq!(sleeps, 1_000 + 1_625);
        assert!(sleeps * WAKE_NS * 500 <= minute.0, "{sleeps}");
    }
}

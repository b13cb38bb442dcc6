//! A thread that only sleeps and looks how late it wakes up: what keeps it from running keeps the
//! workers from seeing their completions as well.

use fathom_core::Nanos;
use fathom_core::histogram::Histogram;
use fathom_core::result::Hiccups;
use fathom_engine::Clock;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;

/// Length of a sleep. With the millisecond that is often used for it the watcher itself costs
/// half a percent of a processor; at four it is hardly seen, and a stall of four milliseconds or
/// more is still always met.
const SLEEP: Nanos = Nanos::from_millis(4);

/// The watcher.
#[derive(Debug)]
pub(crate) struct HiccupWatch {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<Histogram>>,
}

impl HiccupWatch {
    /// Starts it; without a thread for it nothing is watched.
    pub(crate) fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let seen = stop.clone();
        let thread = std::thread::Builder::new()
            .name("hiccups".to_owned())
            .spawn(move || watch(&seen))
            .ok();
        Self { stop, thread }
    }

    /// Ends it, and what it saw; none when it never woke up.
    pub(crate) fn finish(mut self) -> Option<Hiccups> {
        self.stop.store(true, Ordering::Relaxed);
        let late = self.thread.take()?.join().ok()?;
        (!late.is_empty()).then(|| Hiccups {
            count: late.len(),
            p999_ns: late.quantile_ns(0.999),
            max_ns: late.summary().max,
        })
    }
}

impl Drop for HiccupWatch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

fn watch(stop: &AtomicBool) -> Histogram {
    // Without this the kernel may wake the thread 50 µs late on purpose.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
    let mut clock = Clock::new();
    let mut late = Histogram::new();
    let mut due = clock.now() + SLEEP;
    while !stop.load(Ordering::Relaxed) {
        let now = clock.wait_until(due, Nanos::ZERO);
        late.record(now.saturating_sub(due).0);
        due = now + SLEEP;
    }
    late
}

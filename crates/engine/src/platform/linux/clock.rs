//! The clocks of Linux.

use rustix::time::{ClockId, Timespec};

use crate::platform::NANOS_PER_SEC;

/// What the monotonic clock is called.
pub(crate) const KERNEL_CLOCK: &str = "clock_monotonic";

/// Makes this thread's sleeps end close to their instant, where the kernel otherwise takes the
/// freedom of 50 microseconds to wake several sleepers at once.
pub(crate) fn sharpen_sleep() {
    // Without it sleeps are merely less exact.
    let _ = rustix::thread::set_current_timer_slack(std::num::NonZeroU64::new(1));
}

/// Sleeps until the monotonic clock shows this many nanoseconds, or a signal ends the sleep.
pub(crate) fn sleep_until(wake_ns: u64) {
    let request = Timespec {
        tv_sec: (wake_ns / NANOS_PER_SEC) as i64,
        tv_nsec: (wake_ns % NANOS_PER_SEC) as i64,
    };
    let _ = rustix::thread::clock_nanosleep_absolute(ClockId::Monotonic, &request);
}

/// Seconds since 1970 (UTC), and nanoseconds.
pub(crate) fn utc() -> (i64, u64) {
    let time = gettime(libc::CLOCK_REALTIME);
    (time.tv_sec, time.tv_nsec as u64)
}

/// Seconds of the monotonic clock, which begins with the machine.
pub(crate) fn monotonic_seconds() -> i64 {
    gettime(libc::CLOCK_MONOTONIC).tv_sec
}

/// Nanoseconds of the monotonic clock.
#[inline]
pub(crate) fn monotonic_ns() -> u64 {
    let time = gettime(libc::CLOCK_MONOTONIC);
    time.tv_sec as u64 * NANOS_PER_SEC + time.tv_nsec as u64
}

/// Through the C library, which copes with a missing vDSO, as under valgrind.
#[inline]
fn gettime(clock: libc::clockid_t) -> libc::timespec {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: the call writes one `timespec`, which is there. It cannot fail for these clocks.
    unsafe { libc::clock_gettime(clock, &raw mut time) };
    time
}

//! Systems but Linux: what std has of clock and memory.

use std::alloc::Layout;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::time::{Duration, Instant, SystemTime};

use fathom_core::spec::Priority;
use fathom_platform::io::Errno;

use super::{NANOS_PER_SEC, PAGE_BYTES};
use crate::error::EngineError;

/// What the clock of `std` is called.
pub(crate) const KERNEL_CLOCK: &str = if cfg!(windows) {
    "query_performance_counter"
} else {
    "clock_monotonic"
};

/// What to try where permission to open a target is missing.
pub(crate) const MORE_RIGHTS: &str = "run fathom as administrator, or use a file of your own";

/// Gives the requests of the calling thread a priority.
///
/// # Errors
///
/// Always: this system is not asked for one.
pub fn set_io_priority(_: Priority) -> Result<(), EngineError> {
    Err(EngineError::Unavailable {
        engine: "the priority of requests",
        cause: "made for Linux, and this is another system".to_owned(),
        remedy: "leave it out".to_owned(),
    })
}

pub(crate) fn map(bytes: usize, _huge_pages: bool) -> Result<NonNull<u8>, Errno> {
    let layout = Layout::from_size_align(bytes, PAGE_BYTES).map_err(|_| Errno::NOMEM)?;
    // SAFETY: the caller asks for a page at least.
    let base = NonNull::new(unsafe { std::alloc::alloc_zeroed(layout) }).ok_or(Errno::NOMEM)?;
    for offset in (0..bytes).step_by(PAGE_BYTES) {
        // The page is there from now on.
        // SAFETY: the address lies in the region, which nobody else knows yet.
        unsafe { base.as_ptr().wrapping_add(offset).write_volatile(0) };
    }
    Ok(base)
}

/// # Safety
///
/// The region is from [`map`] with this length, and nobody uses it any more.
pub(crate) unsafe fn unmap(base: NonNull<u8>, bytes: usize) {
    if let Ok(layout) = Layout::from_size_align(bytes, PAGE_BYTES) {
        // SAFETY: `map` allocated it with this layout.
        unsafe { std::alloc::dealloc(base.as_ptr(), layout) };
    }
}

pub(crate) fn sharpen_sleep() {}

#[expect(clippy::disallowed_methods, reason = "the clock itself")]
pub(crate) fn sleep_until(wake_ns: u64) {
    std::thread::sleep(Duration::from_nanos(wake_ns.saturating_sub(monotonic_ns())));
}

#[expect(clippy::disallowed_methods, reason = "the clock itself")]
pub(crate) fn utc() -> (i64, u64) {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let since = since.unwrap_or_default();
    (since.as_secs() as i64, u64::from(since.subsec_nanos()))
}

pub(crate) fn monotonic_seconds() -> i64 {
    (monotonic_ns() / NANOS_PER_SEC) as i64
}

/// Nanoseconds since the first question; on Windows by `QueryPerformanceCounter`.
#[expect(clippy::disallowed_methods, reason = "the clock itself")]
pub(crate) fn monotonic_ns() -> u64 {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

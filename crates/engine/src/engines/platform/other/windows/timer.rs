//! A timer that ends an alertable wait of this thread. The times of other waits are counted in
//! periods of the system's clock, some 15 ms.

use std::ffi::c_void;
use std::io::{Error, Result};
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::ptr::null;

use fathom_core::Nanos;
use windows_sys::Win32::System::Threading::{
    CREATE_WAITABLE_TIMER_HIGH_RESOLUTION, CreateWaitableTimerExW, SetWaitableTimer,
    TIMER_ALL_ACCESS,
};

use super::handle::owned;

/// Units of the system's times.
const UNIT: Nanos = Nanos(100);

#[derive(Debug)]
pub(super) struct Timer(OwnedHandle);

impl Timer {
    /// One of high resolution, which Windows has since 10 (1803); else one that is less exact.
    pub(super) fn new() -> Result<Self> {
        let make = |flags| {
            // SAFETY: without attributes and name the call reads no memory.
            owned(unsafe { CreateWaitableTimerExW(null(), null(), flags, TIMER_ALL_ACCESS) })
        };
        let timer = make(CREATE_WAITABLE_TIMER_HIGH_RESOLUTION).or_else(|_| make(0));
        timer.map(Self)
    }

    /// Ends a wait of this thread after that time. It replaces what was set before; what comes
    /// late from that ends a wait without reason, so the waiter looks at the clock.
    pub(super) fn set(&self, after: Nanos) -> Result<()> {
        let due = -i64::try_from(after.0.div_ceil(UNIT.0)).unwrap_or(i64::MAX);
        // SAFETY: the handle is ours, `due` is borrowed for the call, and the routine takes no
        // argument.
        let answer = unsafe {
            SetWaitableTimer(
                self.0.as_raw_handle(),
                &raw const due,
                0,
                Some(rung),
                null(),
                0,
            )
        };
        if answer == 0 {
            Err(Error::last_os_error())
        } else {
            Ok(())
        }
    }
}

/// That it is called ends the wait.
unsafe extern "system" fn rung(_: *const c_void, _: u32, _: u32) {}

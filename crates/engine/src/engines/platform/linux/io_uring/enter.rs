//! The one system call of a turn.

use crate::platform::NANOS_PER_SEC;
use fathom_core::Nanos;
use io_uring::EnterFlags;
use std::os::fd::AsRawFd;

/// How a call ended that is no failure of the ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    /// Number of entries that were taken up; waiting has ended.
    Submitted(u32),
    /// Nothing was taken up, and enough has completed or the time is over.
    TimeIsUp,
    /// A signal came in between.
    Interrupted,
    /// The kernel wants completions taken away, or memory, before it takes up more.
    Busy,
}

/// Calls `io_uring_enter` for one ring.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gate {
    fd: i32,
    flags: u32,
    /// How long the kernel waits for all completions before it accepts fewer.
    min_wait_us: u32,
    registered: bool,
}

/// `struct io_uring_getevents_arg`.
#[repr(C)]
struct Extended {
    sigmask: u64,
    sigmask_sz: u32,
    min_wait_usec: u32,
    ts: u64,
}

/// A timeout as the ring takes it.
#[repr(C)]
struct KernelTimespec {
    tv_sec: i64,
    tv_nsec: i64,
}

/// `struct io_uring_rsrc_update`.
#[repr(C)]
struct RingFdUpdate {
    offset: u32,
    resv: u32,
    data: u64,
}

const REGISTER_RING_FDS: u32 = 20;
const UNREGISTER_RING_FDS: u32 = 21;

impl Gate {
    /// Registers the ring's file with this thread, which saves a look-up in each call; goes on
    /// without where the kernel cannot or this thread has 16 rings already.
    pub(super) fn open(ring: &impl AsRawFd) -> Self {
        let always = EnterFlags::GETEVENTS | EnterFlags::EXT_ARG;
        let mut gate = Self {
            fd: ring.as_raw_fd(),
            flags: always.bits(),
            min_wait_us: 0,
            registered: false,
        };
        let mut update = RingFdUpdate {
            offset: u32::MAX,
            resv: 0,
            data: gate.fd as u64,
        };
        if register(gate.fd, REGISTER_RING_FDS, &mut update) {
            gate.fd = update.offset as i32;
            gate.flags |= EnterFlags::REGISTERED_RING.bits();
            gate.registered = true;
        }
        gate
    }

    /// Lets the kernel accept fewer completions after a time; whether it can.
    pub(super) fn set_min_wait(&mut self, min_wait: Nanos) -> bool {
        self.min_wait_us = u32::try_from(min_wait.0.div_ceil(1000)).unwrap_or(u32::MAX);
        // A kernel without this has nothing but zeros there.
        let can = self.enter(0, 0, Nanos::ZERO, false).is_ok();
        if !can {
            self.min_wait_us = 0;
        }
        can
    }

    pub(super) fn is_registered(&self) -> bool {
        self.registered
    }

    /// Undoes the registration; the thread has room for 16 only.
    pub(super) fn close(self, ring: &impl AsRawFd) {
        if self.registered {
            let mut update = RingFdUpdate {
                offset: self.fd as u32,
                resv: 0,
                data: 0,
            };
            register(ring.as_raw_fd(), UNREGISTER_RING_FDS, &mut update);
        }
    }

    /// Submits `submit` entries, then waits until the completion queue holds `min` or `timeout`
    /// is over; runs the work that the kernel has put off for this thread. With `min` zero it
    /// does not wait. `wake` starts a sleeping submission thread.
    #[inline]
    pub(super) fn enter(
        self,
        submit: u32,
        min: u32,
        timeout: Nanos,
        wake: bool,
    ) -> Result<Entered, std::io::Error> {
        let time = KernelTimespec {
            tv_sec: (timeout.0 / NANOS_PER_SEC) as i64,
            tv_nsec: (timeout.0 % NANOS_PER_SEC) as i64,
        };
        let has_timeout = min > 0 && timeout < Nanos::MAX;
        let extended = Extended {
            sigmask: 0,
            sigmask_sz: 0,
            min_wait_usec: self.min_wait_us,
            ts: if has_timeout {
                &raw const time as u64
            } else {
                0
            },
        };
        let mut flags = self.flags;
        if wake {
            flags |= EnterFlags::SQ_WAKEUP.bits();
        }
        // SAFETY: the ring behind `fd` is open as long as the engine, the entries between its
        // indices are valid (`push` saw to it), and the two structures outlive the call.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_io_uring_enter,
                self.fd,
                submit,
                min,
                flags,
                &raw const extended,
                size_of::<Extended>(),
            )
        };
        if answer >= 0 {
            return Ok(Entered::Submitted(answer as u32));
        }
        let error = std::io::Error::last_os_error();
        match error.raw_os_error() {
            Some(libc::ETIME) => Ok(Entered::TimeIsUp),
            Some(libc::EINTR) => Ok(Entered::Interrupted),
            Some(libc::EAGAIN | libc::EBUSY) => Ok(Entered::Busy),
            _ => Err(error),
        }
    }
}

fn register(fd: i32, operation: u32, update: &mut RingFdUpdate) -> bool {
    let one = 1_u32;
    // SAFETY: both operations used here read, and the first also writes, one such structure.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_io_uring_register,
            fd,
            operation,
            std::ptr::from_mut(update),
            one,
        )
    };
    answer == 1
}

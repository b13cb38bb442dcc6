//! The kernel's interface (`linux/aio_abi.h`): two structures and four system calls.

use fathom_core::Nanos;
use std::io;

/// What a control block asks for.
pub(super) mod opcode {
    pub(crate) const PREAD: u16 = 0;
    pub(crate) const PWRITE: u16 = 1;
    pub(crate) const FSYNC: u16 = 2;
    pub(crate) const FDSYNC: u16 = 3;
    /// Known by its number alone: the kernel refuses it.
    pub(crate) const NOOP: u16 = 6;
}

/// A request: `struct iocb`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Iocb {
    /// Comes back in the event.
    pub(super) data: u64,
    /// Key (the kernel's) and flags for the operation, in an order that depends on the
    /// processor; both zero here.
    key_and_flags: [u32; 2],
    pub(super) opcode: u16,
    priority: i16,
    pub(super) fd: u32,
    pub(super) buffer: u64,
    pub(super) len: u64,
    pub(super) offset: i64,
    reserved: u64,
    flags: u32,
    eventfd: u32,
}

const _: () = assert!(size_of::<Iocb>() == 64);

impl Iocb {
    /// A request that comes back with `slot`.
    pub(super) fn new(slot: u32) -> Self {
        Self {
            data: u64::from(slot),
            ..Self::default()
        }
    }
}

/// A completion: `struct io_event`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub(super) struct Event {
    /// From the request.
    pub(super) data: u64,
    /// Address of the request.
    pub(super) request: u64,
    /// Bytes moved, or minus the error number.
    pub(super) result: i64,
    second_result: i64,
}

const _: () = assert!(size_of::<Event>() == 32);

/// A context, by its number, which is also the address of its ring of events.
#[derive(Debug)]
pub(super) struct Context {
    id: u64,
}

impl Context {
    /// A context for `requests` in flight at once.
    pub(super) fn new(requests: u32) -> io::Result<Self> {
        let mut id = 0_u64;
        // SAFETY: the kernel reads and writes one word at `id`, which lives through the call.
        let answer = unsafe { libc::syscall(libc::SYS_io_setup, requests, &raw mut id) };
        checked(answer).map(|_| Self { id })
    }

    pub(super) fn id(&self) -> u64 {
        self.id
    }

    /// Hands requests over; answers how many were taken.
    ///
    /// # Safety
    ///
    /// Each pointer leads to a valid request, whose buffer belongs to the kernel until its event
    /// has come.
    pub(super) unsafe fn submit(&self, requests: &[*mut Iocb]) -> io::Result<usize> {
        // SAFETY: the kernel reads as many pointers as the slice has; the rest is the caller's
        // promise.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_io_submit,
                self.id,
                requests.len(),
                requests.as_ptr(),
            )
        };
        checked(answer)
    }

    /// Waits for `min` events, or until `timeout` is over; answers how many of `events` were
    /// filled. No more than `events` has room for are waited for.
    pub(super) fn events(
        &self,
        min: usize,
        events: &mut [Event],
        timeout: Nanos,
    ) -> io::Result<usize> {
        let time = libc::timespec {
            tv_sec: (timeout.0 / 1_000_000_000) as libc::time_t,
            tv_nsec: (timeout.0 % 1_000_000_000) as libc::c_long,
        };
        // SAFETY: the kernel writes at most `events.len()` events and reads `time`, which lives
        // through the call.
        let answer = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.id,
                min.min(events.len()),
                events.len(),
                events.as_mut_ptr(),
                &raw const time,
            )
        };
        checked(answer)
    }
}

impl Drop for Context {
    fn drop(&mut self) {
        // SAFETY: the context is ours and nobody uses it after this; the kernel waits for what
        // is in flight.
        unsafe { libc::syscall(libc::SYS_io_destroy, self.id) };
    }
}

fn checked(answer: libc::c_long) -> io::Result<usize> {
    usize::try_from(answer).map_err(|_| io::Error::last_os_error())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::mem::offset_of;

    #[test]
    fn fields_are_where_the_kernel_has_them() {
        let request = [
            offset_of!(Iocb, data),
            offset_of!(Iocb, key_and_flags),
            offset_of!(Iocb, opcode),
            offset_of!(Iocb, priority),
            offset_of!(Iocb, fd),
            offset_of!(Iocb, buffer),
            offset_of!(Iocb, len),
            offset_of!(Iocb, offset),
            offset_of!(Iocb, reserved),
            offset_of!(Iocb, flags),
            offset_of!(Iocb, eventfd),
        ];
        assert_eq!(request, [0, 8, 16, 18, 20, 24, 32, 40, 48, 56, 60]);
        let event = [
            offset_of!(Event, data),
            offset_of!(Event, request),
            offset_of!(Event, result),
            offset_of!(Event, second_result),
        ];
        assert_eq!(event, [0, 8, 16, 24]);
    }
}

//! Overlapped requests, whose ends come in batches from a completion port of the thread.
//!
//! Windows takes each request by a call of its own. A turn makes these calls, and then one for all
//! that has completed. A flush has no overlapped call: it is performed within the turn.

use std::cell::UnsafeCell;
use std::fs::File;
use std::io::Error;
use std::os::windows::io::{AsRawHandle as _, OwnedHandle};
use std::ptr::null_mut;
use std::sync::Arc;

use fathom_core::{EngineKind, Nanos, Op};
use fathom_platform::io::Errno;
use windows_sys::Win32::Foundation::{
    ERROR_HANDLE_EOF, ERROR_IO_PENDING, INVALID_HANDLE_VALUE, RtlNtStatusToDosError,
    WAIT_IO_COMPLETION, WAIT_TIMEOUT,
};
use windows_sys::Win32::Storage::FileSystem::{FILE_FLAG_OVERLAPPED, ReadFile, WriteFile};
use windows_sys::Win32::System::IO::{
    CreateIoCompletionPort, GetQueuedCompletionStatusEx, OVERLAPPED, OVERLAPPED_0, OVERLAPPED_0_0,
    OVERLAPPED_ENTRY,
};
use windows_sys::Win32::System::Threading::INFINITE;

use super::handle;
use super::timer::Timer;
use crate::buffer::BufferPool;
use crate::clock::Clock;
use crate::config::EngineConfig;
use crate::delivered::Delivered;
use crate::engine::{Engine, OsEngine};
use crate::error::EngineError;
use crate::io::{Completion, Progress, Submission, Wait};
use crate::spin::Spin;
use crate::target::OpenTarget;

/// What the kernel writes to while it has a request; first, so that its address is that of the
/// request.
#[repr(C)]
struct Request {
    overlapped: OVERLAPPED,
    slot: u32,
}

/// The asynchronous engine of Windows.
#[expect(
    missing_debug_implementations,
    reason = "what the kernel writes to is not read"
)]
pub struct IocpEngine {
    port: OwnedHandle,
    timer: Timer,
    files: Box<[File]>,
    /// One per slot. The kernel has the addresses of those that it was given.
    requests: Box<[UnsafeCell<Request>]>,
    /// What the next turn gives to the kernel, with the start of its buffer.
    pushed: Vec<(Submission, *mut u8)>,
    /// What has ended and was not delivered yet.
    ended: Vec<Completion>,
    entries: Box<[OVERLAPPED_ENTRY]>,
    /// Pushed and not yet delivered.
    in_flight: u32,
    /// Of those, what the kernel has.
    in_kernel: u32,
    buffers: BufferPool,
    clock: Clock,
    spin: Spin,
}

impl OsEngine for IocpEngine {
    const KIND: EngineKind = EngineKind::Iocp;

    fn open(config: &EngineConfig, targets: &[Arc<OpenTarget>]) -> Result<Self, EngineError> {
        let slots = config.slots.max(1);
        let files: Box<[File]> = handle::reopen(targets, FILE_FLAG_OVERLAPPED)?;
        // SAFETY: no file is named, so the call only makes a port, for one thread.
        let port = unsafe { CreateIoCompletionPort(INVALID_HANDLE_VALUE, null_mut(), 0, 1) };
        let port = handle::owned(port).map_err(failed("CreateIoCompletionPort"))?;
        for file in &files {
            // SAFETY: both handles are ours and open.
            let joined =
                unsafe { CreateIoCompletionPort(file.as_raw_handle(), port.as_raw_handle(), 0, 1) };
            if joined.is_null() {
                return Err(failed("CreateIoCompletionPort")(Error::last_os_error()));
            }
        }
        let request = |slot| {
            let overlapped = OVERLAPPED::default();
            UnsafeCell::new(Request { overlapped, slot })
        };
        Ok(Self {
            port,
            timer: Timer::new().map_err(failed("CreateWaitableTimerExW"))?,
            files,
            requests: (0..slots).map(request).collect(),
            pushed: Vec::with_capacity(slots as usize),
            ended: Vec::with_capacity(slots as usize),
            entries: vec![OVERLAPPED_ENTRY::default(); slots as usize].into(),
            in_flight: 0,
            in_kernel: 0,
            buffers: BufferPool::new(slots, config.buffer_bytes, config.huge_pages)?,
            clock: Clock::new(),
            spin: config.spin,
        })
    }
}

fn failed(call: &'static str) -> impl Fn(Error) -> EngineError {
    move |error| EngineError::Call {
        call,
        cause: error.to_string(),
    }
}

impl IocpEngine {
    /// Gives what was pushed to the kernel, and performs requests of a kind that it does not take.
    fn submit(&mut self) {
        for (io, buffer) in self.pushed.drain(..) {
            let file = &self.files[usize::from(io.target)];
            let ended = match io.op {
                Op::Read | Op::Write => {
                    // SAFETY: a slot is pushed again only after it has completed, so the kernel
                    // does not have this request; the buffer is lent for it until then.
                    unsafe { issue(file, self.requests[io.slot as usize].get(), &io, buffer) }
                }
                Op::Flush => Some(file.sync_all().map_or_else(|error| refused(&error), |()| 0)),
                _ => Some(-Errno::OPNOTSUPP.raw_os_error()),
            };
            match ended {
                Some(result) => self.ended.push(Completion {
                    slot: io.slot,
                    result,
                }),
                None => self.in_kernel += 1,
            }
        }
    }

    /// Delivers what has ended; its number.
    #[inline]
    fn deliver(&mut self, done: &mut impl FnMut(Completion)) -> u32 {
        let mut delivered = Delivered::of(&mut self.in_flight);
        while let Some(completion) = self.ended.pop() {
            delivered.add(1);
            self.buffers.take_back(completion.slot);
            done(completion);
        }
        delivered.count()
    }

    /// Takes all that has completed from the port. It waits for something for `millis`, or until
    /// the timer rings.
    fn take(&mut self, millis: u32) -> Result<(), EngineError> {
        let mut count = 0;
        let room = self.entries.len() as u32;
        let (port, entries) = (self.port.as_raw_handle(), self.entries.as_mut_ptr());
        // SAFETY: the call fills no more than `room` entries, which are there, and `count`.
        let answer =
            unsafe { GetQueuedCompletionStatusEx(port, entries, room, &raw mut count, millis, 1) };
        if answer == 0 {
            let error = Error::last_os_error();
            return match error.raw_os_error().map(|code| code as u32) {
                Some(WAIT_TIMEOUT | WAIT_IO_COMPLETION) => Ok(()),
                _ => Err(failed("GetQueuedCompletionStatusEx")(error)),
            };
        }
        self.in_kernel -= count;
        for entry in &self.entries[..count as usize] {
            let request = entry.lpOverlapped.cast::<Request>();
            // SAFETY: the port has only ends of our requests, which are in `requests`, and the
            // kernel lets go of one when it puts it there.
            let request = unsafe { &*request };
            let result = match request.overlapped.Internal as i32 {
                0 => entry.dwNumberOfBytesTransferred as i32,
                status => {
                    // SAFETY: the call looks up a number.
                    let code = unsafe { RtlNtStatusToDosError(status) };
                    refused(&Error::from_raw_os_error(code as i32))
                }
            };
            self.ended.push(Completion {
                slot: request.slot,
                result,
            });
        }
        Ok(())
    }

    /// Waits at the port for an instant: until something comes, with the timer set for it, or not
    /// at all when it is near.
    fn pause(&mut self, until: Nanos) -> Result<(), EngineError> {
        if until == Nanos::MAX {
            return self.take(INFINITE);
        }
        let now = self.clock.now();
        let Some(sleep) = self.spin.sleep(until.saturating_sub(now)) else {
            return self.take(0);
        };
        let set = self.timer.set(sleep);
        set.map_err(failed("SetWaitableTimer"))?;
        self.take(INFINITE)?;
        if self.ended.is_empty() {
            self.spin.woke(now.saturating_add(sleep), self.clock.now());
        }
        Ok(())
    }
}

/// Starts a read or write; its result if the kernel does not take it.
///
/// # Safety
///
/// The kernel does not have the request, which lives until it has completed, and the buffer has the
/// bytes of the request and is used by nobody else until then.
#[inline]
unsafe fn issue(
    file: &File,
    request: *mut Request,
    io: &Submission,
    buffer: *mut u8,
) -> Option<i32> {
    let handle = file.as_raw_handle();
    let at = OVERLAPPED_0_0 {
        Offset: io.offset as u32,
        OffsetHigh: (io.offset >> 32) as u32,
    };
    let fresh = Request {
        overlapped: OVERLAPPED {
            Anonymous: OVERLAPPED_0 { Anonymous: at },
            ..OVERLAPPED::default()
        },
        slot: io.slot,
    };
    // SAFETY: by the contract the request is ours.
    unsafe { request.write(fresh) };
    let overlapped = request.cast();
    let answer = if io.op == Op::Read {
        // SAFETY: by the contract the buffer has this length, and both stay.
        unsafe { ReadFile(handle, buffer, io.len, null_mut(), overlapped) }
    } else {
        // SAFETY: by the contract the buffer has this length, and both stay.
        unsafe { WriteFile(handle, buffer, io.len, null_mut(), overlapped) }
    };
    if answer != 0 {
        // Done, and its end comes by the port like that of others.
        return None;
    }
    let error = Error::last_os_error();
    let is_pending = error.raw_os_error() == Some(ERROR_IO_PENDING as i32);
    (!is_pending).then(|| refused(&error))
}

/// The result of a request that failed. One beyond the end of the file reads nothing.
#[cold]
fn refused(error: &Error) -> i32 {
    if error.raw_os_error() == Some(ERROR_HANDLE_EOF as i32) {
        return 0;
    }
    -handle::errno(error).raw_os_error()
}

impl Engine for IocpEngine {
    #[inline]
    fn now(&mut self) -> Nanos {
        self.clock.now()
    }

    #[inline]
    fn push(&mut self, io: Submission) {
        self.in_flight += 1;
        let buffer = self.buffers.lend(io.slot, io.buffer_bytes());
        self.pushed.push((io, buffer));
    }

    #[inline]
    fn turn(
        &mut self,
        wait: Wait,
        done: &mut impl FnMut(Completion),
    ) -> Result<Progress, EngineError> {
        if self.in_flight == 0 {
            self.clock.wait_and_learn(wait.until, &mut self.spin);
            return Ok(Progress::Ready);
        }
        let want = if wait.min == 0 { u32::MAX } else { wait.min };
        self.submit();
        let mut delivered = self.deliver(done);
        loop {
            let is_enough = delivered >= want || wait.until == Nanos::ZERO;
            if is_enough {
                self.take(0)?;
            } else {
                self.pause(wait.until)?;
            }
            delivered += self.deliver(done);
            if delivered >= want || self.clock.now() >= wait.until {
                return Ok(Progress::Ready);
            }
        }
    }

    #[inline]
    fn buffer(&mut self, slot: u32) -> &mut [u8] {
        self.buffers.get(slot)
    }

    fn max_in_flight(&self) -> u32 {
        self.buffers.slots()
    }

    fn submits_batches(&self) -> bool {
        true
    }

    fn spin(&self) -> Option<Nanos> {
        self.spin.learned()
    }

    fn flags(&self) -> Vec<String> {
        Vec::new()
    }
}

impl Drop for IocpEngine {
    fn drop(&mut self) {
        while self.in_kernel > 0 {
            if self.take(INFINITE).is_err() {
                // Nobody says when the kernel lets go of them.
                self.buffers.keep_mapped();
                std::mem::forget(std::mem::take(&mut self.requests));
                return;
            }
            self.ended.clear();
        }
    }
}

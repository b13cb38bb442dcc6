//! Linux native asynchronous I/O: one call submits all free slots, and one waits for completions.

use crate::Setup;
use crate::slots::Slots;
use anyhow::{Context, Result, ensure};
use std::os::fd::AsRawFd as _;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicBool, Ordering};

/// `struct iocb` of `linux/aio_abi.h`, as far as a read needs it.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Request {
    slot: u64,
    key_and_flags: u64,
    opcode: u16,
    priority: i16,
    file: u32,
    buffer: u64,
    bytes: u64,
    offset: i64,
    reserved: [u64; 2],
}

/// `struct io_event`.
#[derive(Clone, Copy, Default)]
#[repr(C)]
struct Event {
    slot: u64,
    request: u64,
    result: i64,
    more: i64,
}

const _: () = assert!(size_of::<Request>() == 64 && size_of::<Event>() == 32);

/// The kernel's side of the requests; it ends with the process.
struct Queue(libc::c_ulong);

impl Queue {
    fn new(depth: usize) -> Result<Self> {
        let mut queue = Self(0);
        // SAFETY: the call writes the number of the context to the place given.
        let made = unsafe { libc::syscall(libc::SYS_io_setup, depth, &raw mut queue.0) };
        checked(made).context("io_setup")?;
        Ok(queue)
    }

    /// The requests are reads, and they and their buffers stay until they have completed.
    fn submit(&self, batch: &mut [*mut Request]) -> Result<()> {
        let (count, first) = (batch.len(), batch.as_mut_ptr());
        // SAFETY: there are this many requests, which stay in place with their buffers.
        let taken = unsafe { libc::syscall(libc::SYS_io_submit, self.0, count, first) };
        let taken = checked(taken).context("io_submit")?;
        ensure!(
            taken == count,
            "the kernel took {taken} of {count} requests"
        );
        Ok(())
    }

    fn wait<'a>(&self, events: &'a mut [Event]) -> Result<&'a [Event]> {
        let (room, first) = (events.len(), events.as_mut_ptr());
        let no_limit = null_mut::<libc::timespec>();
        // SAFETY: there is room for as many events, and the call waits without a time limit.
        let found = unsafe {
            libc::syscall(
                libc::SYS_io_getevents,
                self.0,
                1_usize,
                room,
                first,
                no_limit,
            )
        };
        let found = checked(found).context("io_getevents")?;
        Ok(&events[..found])
    }
}

/// The answer of a system call.
fn checked(answer: libc::c_long) -> std::io::Result<usize> {
    usize::try_from(answer).map_err(|_| std::io::Error::last_os_error())
}

pub(crate) fn run(mut setup: Setup, stop: &AtomicBool) -> Result<u64> {
    let depth = setup.queue_depth;
    let queue = Queue::new(depth)?;
    let mut slots = Slots::new(depth, setup.block_bytes);
    let mut requests: Vec<Request> = (0..depth)
        .map(|slot| Request {
            slot: slot as u64,
            file: setup.file.as_raw_fd() as u32,
            buffer: slots.buffer(slot).as_mut_ptr() as u64,
            bytes: setup.block_bytes as u64,
            ..Request::default()
        })
        .collect();
    let mut events = vec![Event::default(); depth];
    let mut free: Vec<usize> = (0..depth).collect();
    let mut batch: Vec<*mut Request> = Vec::with_capacity(depth);
    let mut ios = 0;
    loop {
        let is_over = stop.load(Ordering::Relaxed);
        if is_over && free.len() == depth {
            return Ok(ios);
        }
        if !is_over {
            batch.clear();
            for slot in free.drain(..) {
                requests[slot].offset = setup.offsets.next() as i64;
                batch.push(&raw mut requests[slot]);
            }
            queue.submit(&mut batch)?;
        }
        for event in queue.wait(&mut events)? {
            let bytes = event.result;
            ensure!(
                bytes == setup.block_bytes as i64,
                "a read ended with {bytes}"
            );
            ios += 1;
            free.push(event.slot as usize);
        }
    }
}

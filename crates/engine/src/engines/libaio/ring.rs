//! The ring of events that the kernel shares with the process: completions without a system call.
//!
//! The context's number is the ring's address. Its layout is not promised, but marked: with the
//! known magic number and no incompatible feature it can be read, and the kernel takes into
//! account that the process has moved the head. Otherwise events come by `io_getevents` alone.

use super::abi::{Context, Event};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, Ordering};

/// `struct aio_ring`, followed by the events.
#[repr(C)]
struct Header {
    id: u32,
    /// Number of events.
    count: u32,
    head: AtomicU32,
    tail: AtomicU32,
    magic: u32,
    compatible: u32,
    incompatible: u32,
    /// Bytes of this structure.
    length: u32,
}

const _: () = assert!(size_of::<Header>() == 32);

const MAGIC: u32 = 0xa10a_10a1;

/// The ring of a context.
#[derive(Debug)]
pub(super) struct Ring {
    header: NonNull<Header>,
    events: NonNull<Event>,
    count: u32,
}

impl Ring {
    /// The ring of `context`, if it is one that is known. It must not outlive the context.
    pub(super) fn of(context: &Context) -> Option<Self> {
        let header = NonNull::new(context.id() as *mut Header)?;
        // SAFETY: the kernel has mapped the ring, header first, at the context's number, for as
        // long as the context exists.
        let Header {
            count,
            magic,
            incompatible,
            length,
            ..
        } = unsafe { header.as_ref() };
        let known = *magic == MAGIC
            && *incompatible == 0
            && *length as usize == size_of::<Header>()
            && *count > 0;
        known.then(|| Self {
            header,
            // SAFETY: the events follow the header in the same mapping.
            events: unsafe { header.add(1) }.cast(),
            count: *count,
        })
    }

    /// Hands each event that is there to `done`; answers how many.
    #[inline]
    pub(super) fn reap(&mut self, mut done: impl FnMut(&Event)) -> u32 {
        // SAFETY: the mapping lives as long as the context; the fields that change are atomic.
        let header = unsafe { self.header.as_ref() };
        let mut head = header.head.load(Ordering::Relaxed);
        // Acquire: the events before the tail are written.
        let tail = header.tail.load(Ordering::Acquire);
        let mut reaped = 0;
        while head != tail {
            // SAFETY: the kernel keeps head and tail below the number of events.
            let slot = unsafe { self.events.add(head as usize) };
            // SAFETY: the event lies before the tail, so it is written, and is not written
            // again until the head has passed it.
            done(unsafe { slot.as_ref() });
            reaped += 1;
            head += 1;
            if head == self.count {
                head = 0;
            }
        }
        if reaped > 0 {
            // Release: the events have been read.
            header.head.store(head, Ordering::Release);
        }
        reaped
    }
}

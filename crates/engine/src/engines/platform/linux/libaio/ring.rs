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

    /// Hands each event that is there to `done`.
    #[inline]
    pub(super) fn reap(&mut self, mut done: impl FnMut(&Event)) {
        // SAFETY: the mapping lives as long as the context; the fields that change are atomic.
        let header = unsafe { self.header.as_ref() };
        let mut passed = Passed {
            head: header.head.load(Ordering::Relaxed),
            header,
        };
        // Acquire: the events before the tail are written.
        let tail = header.tail.load(Ordering::Acquire);
        while passed.head != tail {
            // SAFETY: the kernel keeps head and tail below the number of events.
            let slot = unsafe { self.events.add(passed.head as usize) };
            passed.head += 1;
            if passed.head == self.count {
                passed.head = 0;
            }
            // SAFETY: the event lies before the tail, so it is written, and is not written
            // again until the head of the mapping has passed it, which is after the loop.
            done(unsafe { slot.as_ref() });
        }
    }
}

/// The head up to which events were handed over; the kernel learns of it at the end, also when the
/// callback has panicked: no event is handed over twice.
struct Passed<'a> {
    header: &'a Header,
    head: u32,
}

impl Drop for Passed<'_> {
    #[inline]
    fn drop(&mut self) {
        // Release: the events have been read.
        self.header.head.store(self.head, Ordering::Release);
    }
}

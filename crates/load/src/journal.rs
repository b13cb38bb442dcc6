//! Every request of a worker, one by one, for logs of requests. Only jobs that are asked for it
//! keep one; entries travel through a ring, as intervals do, and the worker never waits.

use fathom_core::{Nanos, Op};
use rtrb::{Consumer, Producer, RingBuffer};

/// Room of a ring: what a thread completes between two looks of the watcher, up to a million
/// requests a second. 4 MiB.
const ENTRIES: usize = 1 << 17;

/// One completed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Entry {
    /// When it was handed to the engine, on the engine's clock.
    pub issued: Nanos,
    /// When it was found completed.
    pub completed: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes moved.
    pub len: u32,
    /// Number of its target among those of the job.
    pub target: u16,
    /// What it did.
    pub op: Op,
}

const _: () = assert!(size_of::<Entry>() == 32);

/// The worker's end.
#[derive(Debug)]
pub struct Journal {
    ring: Producer<Entry>,
    lost: u64,
}

impl Journal {
    /// An empty journal, and the observer's end of it.
    pub fn new() -> (Self, Consumer<Entry>) {
        let (ring, end) = RingBuffer::new(ENTRIES);
        (Self { ring, lost: 0 }, end)
    }

    /// Adds a request; counts it as lost when the observer is too late.
    #[inline(never)]
    pub(crate) fn add(&mut self, entry: Entry) {
        self.lost += u64::from(self.ring.push(entry).is_err());
    }

    /// Requests for which there was no room.
    pub(crate) const fn lost(&self) -> u64 {
        self.lost
    }
}

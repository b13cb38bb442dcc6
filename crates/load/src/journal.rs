//! Every request of a worker, one by one, for logs of requests. Only jobs that are asked for it
//! keep one; entries travel through a ring, as intervals do. No entry is lost: where the ring is
//! full, the worker waits until the watcher has emptied it, which it counts.

use crate::journal_event::as_number;
use fathom_core::interval::Part;
use fathom_core::{Nanos, Op};
use rtrb::{Consumer, Producer, PushError, RingBuffer};
use serde::{Deserialize, Serialize};
use std::thread::Thread;

/// Room of a ring: what a thread completes between two looks of the watcher, up to a million
/// requests a second. 6 MiB.
const ENTRIES: usize = 1 << 17;

/// One completed request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[repr(C)]
pub struct Entry {
    /// When the turn began that prepared it, on the engine's clock.
    #[serde(with = "as_number")]
    pub begun: Nanos,
    /// When it was handed to the engine, on the engine's clock.
    #[serde(with = "as_number")]
    pub issued: Nanos,
    /// When it was found completed.
    #[serde(with = "as_number")]
    pub completed: Nanos,
    /// Byte offset in its target.
    pub offset: u64,
    /// Bytes moved.
    pub len: u32,
    /// Number of its target among those of the job.
    pub target: u16,
    /// What it did.
    pub op: Op,
    /// The part of the phase that it is counted in.
    pub part: Part,
    /// Its priority as the kernel numbers it; 0 without one.
    pub priority: u16,
}

const _: () = assert!(size_of::<Entry>() == 48);

/// The worker's end.
#[derive(Debug)]
pub struct Journal {
    ring: Producer<Entry>,
    lost: u64,
    waits: u64,
    /// Of requests that have none of their own.
    priority: u16,
}

impl Journal {
    /// An empty journal, and the observer's end of it. `priority` is that of requests that have
    /// none of their own, as the kernel numbers it.
    pub fn new(priority: u16) -> (Self, Consumer<Entry>) {
        let (ring, end) = RingBuffer::new(ENTRIES);
        let journal = Self {
            ring,
            lost: 0,
            waits: 0,
            priority,
        };
        (journal, end)
    }

    /// Adds a request. Without room it wakes the watcher and waits; without a watcher, where
    /// nobody could make room meanwhile, the request is lost.
    #[inline(never)]
    pub(crate) fn add(&mut self, entry: Entry, watcher: Option<&Thread>) {
        let Err(PushError::Full(mut entry)) = self.ring.push(entry) else {
            return;
        };
        let Some(watcher) = watcher else {
            self.lost += 1;
            return;
        };
        self.waits += 1;
        // A reader that is gone empties it no more.
        while !self.ring.is_abandoned() {
            watcher.unpark();
            std::thread::yield_now();
            match self.ring.push(entry) {
                Ok(()) => return,
                Err(PushError::Full(again)) => entry = again,
            }
        }
        self.lost += 1;
    }

    /// The priority of requests that have none of their own.
    pub(crate) const fn priority(&self) -> u16 {
        self.priority
    }

    /// How often the worker has waited for room.
    pub(crate) const fn waits(&self) -> u64 {
        self.waits
    }

    /// Requests for which there was no room.
    pub(crate) const fn lost(&self) -> u64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(number: u64) -> Entry {
        Entry {
            begun: Nanos::ZERO,
            issued: Nanos::ZERO,
            completed: Nanos::ZERO,
            offset: number,
            len: 4096,
            target: 0,
            op: Op::Read,
            part: Part::Measure,
            priority: 0,
        }
    }

    #[test]
    fn a_full_journal_waits_for_its_watcher_and_loses_nothing() {
        let (mut journal, mut end) = Journal::new(0);
        let many = 3 * ENTRIES as u64;
        let mut seen = 0;
        std::thread::scope(|scope| {
            let watcher = std::thread::current();
            let worker = scope.spawn(move || {
                for number in 0..many {
                    journal.add(entry(number), Some(&watcher));
                }
                (journal.lost(), journal.waits() > 0)
            });
            // Nothing is read before the ring is full.
            while end.slots() < ENTRIES {
                std::thread::yield_now();
            }
            while seen < many {
                if let Ok(found) = end.pop() {
                    assert_eq!(found.offset, seen);
                    seen += 1;
                }
            }
            assert_eq!(worker.join().expect("it ends"), (0, true));
        });
        assert_eq!(seen, many);
    }

    #[test]
    fn without_a_watcher_what_has_no_room_is_counted() {
        let (mut journal, _end) = Journal::new(0);
        for number in 0..ENTRIES as u64 + 3 {
            journal.add(entry(number), None);
        }
        assert_eq!((journal.lost(), journal.waits()), (3, 0));
    }
}

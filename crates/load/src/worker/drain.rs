//! The end of the load: what is in flight is waited for, and what does not come back is counted
//! with its age. So storage that hangs past the end of a run leaves its trace in the times.

use super::Worker;
use crate::slots::Slot;
use fathom_core::slowest::SlowIo;
use fathom_core::{Nanos, Op};
use fathom_engine::Engine;

/// Requests in flight at the end that take less are of no interest: storage that completes them is
/// not hanging.
const LATE: Nanos = Nanos::from_millis(100);
/// How long a worker waits for what is in flight when nobody wants a result any more.
pub const ABORT_WAIT: Nanos = Nanos::from_secs(1);
/// How long it waits at a time, so that it sees that nobody does.
const LOOK: Nanos = Nanos::from_millis(100);

/// A request that was in flight at the end of the measured time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Late {
    /// What it does.
    pub op: Op,
    /// Its stamps; the last is that of the end of the wait where it has not completed.
    pub io: SlowIo,
    /// Whether it has completed.
    pub has_returned: bool,
}

impl<E: Engine> Worker<E> {
    /// Until when the engine may wait while no new requests are issued; `None` when the wait for
    /// those in flight is over, and with it the work.
    #[cold]
    pub(super) fn drain(&mut self, now: Nanos) -> Option<Nanos> {
        let is_over = now >= self.shared.load_end();
        if !is_over || self.slots.in_flight() == 0 {
            self.issue_owed(now);
            return Some(self.tally.boundary());
        }
        let end = self.drain_end(now);
        if now >= end {
            self.leave(now);
            return None;
        }
        self.issue_owed(now);
        let until = self.tally.boundary().min(end);
        Some(until.min(now.saturating_add(LOOK)))
    }

    /// When the wait for what is in flight ends.
    fn drain_end(&mut self, now: Nanos) -> Nanos {
        if self.shared.aborted() {
            return self.aborted.get_or_insert(now).saturating_add(ABORT_WAIT);
        }
        if self.end_flush.is_some() {
            // It writes back what the page cache holds, which takes as long as it takes.
            return Nanos::MAX;
        }
        self.shared.drain_end()
    }

    /// Ends without what is in flight, which is counted as it stands.
    fn leave(&mut self, now: Nanos) {
        for slot in 0..self.slots.count() {
            if self.slots.is_taken(slot) {
                let request = *self.slots.get(slot);
                self.note_late(&request, now, false);
                if self.payload.tracks() {
                    // Whether it is ever done is not known.
                    self.payload.end(slot, &request, -1);
                }
            }
        }
        self.leaves_requests = true;
        self.outcome.leaves_requests = true;
        self.finish(now);
    }

    /// Takes note of a request that was in flight at the end of the measured time, if it took long
    /// or has not completed.
    pub(super) fn note_late(&mut self, slot: &Slot, now: Nanos, has_returned: bool) {
        let is_of_before = slot.issued < self.tally.measure_end();
        let is_long = now.saturating_sub(slot.issued) >= LATE;
        let late = &mut self.outcome.late;
        // As many as there are slots at most: in the cool-down others take their place.
        let has_room = late.len() < late.capacity();
        if has_room && (is_of_before && is_long || !has_returned) {
            late.push(Late {
                op: slot.op,
                io: SlowIo {
                    intended: slot.intended,
                    issued: slot.issued,
                    completed: now,
                    offset: slot.offset,
                    len: slot.len,
                    target: slot.target,
                },
                has_returned,
            });
        }
    }
}

//! What goes out together: requests are chosen and their buffers filled first, and the batch is
//! stamped immediately before the engine submits it. So the service time holds nothing of the
//! generator's own work, which is a figure of its own.

use super::Worker;
use fathom_core::op::PerOp;
use fathom_core::{Nanos, Op};
use fathom_engine::Engine;

/// The requests pushed since the last turn of the engine.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many of each operation.
    counts: PerOp<u32>,
    count: u32,
    /// The operation of the first one, and whether another one has another.
    op: Op,
    is_mixed: bool,
    /// Their slots, unless they are the last ones of the only lane.
    slots: Box<[u32]>,
    listed: u32,
}

impl Batch {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            counts: PerOp::from_fn(|_| 0),
            count: 0,
            op: Op::Read,
            is_mixed: false,
            slots: vec![0; slots as usize].into(),
            listed: 0,
        }
    }

    /// How many there are.
    #[inline]
    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// A request in the slot that was taken last of the only lane.
    #[inline]
    pub(super) fn add_first(&mut self, op: Op) {
        if self.count == 0 {
            self.op = op;
        }
        self.is_mixed |= op as u8 != self.op as u8;
        self.counts[op] += 1;
        self.count += 1;
    }

    /// A request in this slot.
    #[inline]
    pub(super) fn add(&mut self, op: Op, slot: u32) {
        self.add_first(op);
        self.slots[self.listed as usize] = slot;
        self.listed += 1;
    }
}

impl<E: Engine> Worker<E> {
    /// Stamps what was pushed in the turn that began at `begun`: the engine gets it next. How many
    /// there were.
    #[inline]
    pub(super) fn send(&mut self, begun: Nanos) -> u32 {
        let batch = &mut self.batch;
        if batch.count == 0 {
            return 0;
        }
        let issued = self.engine.now();
        // Until now they were none of those in flight.
        self.tally
            .held(self.slots.in_flight() - batch.count, issued);
        if batch.listed == 0 {
            self.slots.stamp_first(batch.count, issued);
        } else {
            for slot in &batch.slots[..batch.listed as usize] {
                self.slots.stamp(*slot, issued);
            }
            batch.listed = 0;
        }
        let generation = issued.saturating_sub(begun);
        if batch.is_mixed {
            for (op, count) in batch.counts.iter_mut() {
                if *count > 0 {
                    self.tally.issued(op, *count, generation);
                    *count = 0;
                }
            }
            batch.is_mixed = false;
        } else {
            self.tally.issued(batch.op, batch.count, generation);
            batch.counts[batch.op] = 0;
        }
        self.outcome.issued += u64::from(batch.count);
        std::mem::take(&mut batch.count)
    }
}

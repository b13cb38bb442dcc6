//! What goes out together: requests are chosen and their buffers filled first, and the batch is
//! stamped immediately before the engine submits it. So the service time holds nothing of the
//! generator's own work, which is a figure of its own.

use super::Worker;
use fathom_core::interval::Part;
use fathom_core::op::PerOp;
use fathom_core::{Nanos, Op};
use fathom_engine::Engine;

/// The requests pushed since the last turn of the engine.
#[derive(Debug)]
pub(super) struct Batch {
    /// How many of each operation.
    counts: PerOp<u32>,
    count: u32,
    /// The operation of the last one: mostly that of all.
    op: Op,
    /// Their slots, unless they are the last ones of the only lane.
    slots: Box<[u32]>,
    listed: u32,
    /// When the first of those was due to start.
    intended: Nanos,
}

impl Batch {
    pub(super) fn new(slots: u32) -> Self {
        Self {
            counts: PerOp::from_fn(|_| 0),
            count: 0,
            op: Op::Read,
            slots: vec![0; slots as usize].into(),
            listed: 0,
            intended: Nanos::MAX,
        }
    }

    /// How many there are.
    #[inline]
    pub(super) const fn count(&self) -> u32 {
        self.count
    }

    /// One of the requests in the slots that are taken together of the only lane, of which
    /// [`add_first`](Self::add_first) says how many they were.
    #[inline]
    pub(super) fn note(&mut self, op: Op) {
        self.counts[op] += 1;
        self.op = op;
    }

    /// Counts requests in the slots that were taken last of the only lane, each noted.
    #[inline]
    pub(super) fn add_first(&mut self, count: u32) {
        self.count += count;
    }

    /// A request in this slot, meant to start at `intended`.
    #[inline]
    pub(super) fn add(&mut self, op: Op, slot: u32, intended: Nanos) {
        self.intended = self.intended.min(intended);
        self.note(op);
        self.count += 1;
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
            self.lateness.nothing(begun);
            return 0;
        }
        let issued = self.engine.now();
        self.tally.sent(batch.count, issued);
        if batch.listed == 0 {
            self.slots.stamp_first(batch.count, issued);
        } else {
            for slot in &batch.slots[..batch.listed as usize] {
                self.slots.stamp(*slot, issued);
                if let Some(noted) = self.begun.get_mut(*slot as usize) {
                    *noted = begun;
                }
            }
            let listed = &batch.slots[..std::mem::take(&mut batch.listed) as usize];
            let intended = std::mem::replace(&mut batch.intended, Nanos::MAX);
            let lag = issued.saturating_sub(intended);
            self.outcome.max_lag = self.outcome.max_lag.max(lag);
            let has_waited = self.lateness.batch(intended, begun, issued);
            if self.tally.part() == Part::Measure {
                self.outcome.queued += u64::from(has_waited) * u64::from(batch.count);
                if let Some(lags) = &mut self.outcome.replay {
                    for slot in listed {
                        let intended = self.slots.get(*slot).intended;
                        lags.record(issued.saturating_sub(intended), has_waited);
                    }
                }
            }
        }
        let generation = issued.saturating_sub(begun);
        let alike = &mut batch.counts[batch.op];
        if *alike == batch.count {
            *alike = 0;
            self.tally.issued(batch.op, batch.count, generation);
        } else {
            for (op, count) in batch.counts.iter_mut().filter(|(_, count)| **count > 0) {
                self.tally.issued(op, std::mem::take(count), generation);
            }
        }
        self.outcome.issued += u64::from(batch.count);
        std::mem::take(&mut batch.count)
    }
}

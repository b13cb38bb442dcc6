//! The flushes that a thread owes its targets when its load is over.

use super::Worker;
use fathom_core::{Nanos, Op};
use fathom_engine::Engine;

/// Flushes after the last request, one of each target.
#[derive(Debug)]
pub(super) struct EndFlush {
    /// Instant of the first.
    pub(super) begun: Nanos,
    /// Targets that have had theirs.
    targets: usize,
}

impl<E: Engine> Worker<E> {
    /// When nothing is in flight and nothing more will be: flushes what is still to be flushed, as
    /// far as there are slots. `false` when nothing is left to do.
    #[cold]
    pub(super) fn flush_at_end(&mut self, now: Nanos) -> bool {
        if !self.limits.sync_at_end {
            return false;
        }
        let mut flush = self.end_flush.take().unwrap_or(EndFlush {
            begun: now,
            targets: 0,
        });
        let before = flush.targets;
        while flush.targets < self.streams.len()
            && let Some(slot) = self.take_slot_of(flush.targets)
        {
            self.push(slot, flush.targets, Op::Flush, (0, 0), (now, now), false);
            flush.targets += 1;
        }
        let has_more = flush.targets > before;
        self.end_flush = Some(flush);
        has_more
    }
}

//! Which path through the loop a worker takes, decided once from the parts that it has.

use super::{Worker, WorkerParts};
use fathom_engine::Engine;

/// How a worker issues requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Path {
    /// One slot: as [`Plain`](Self::Plain), without a table of slots.
    Alone,
    /// The everyday case: closed, without pauses, one lane, one target, no flushes.
    Plain,
    /// Everything else.
    Full,
}

impl Path {
    /// The path of a worker with these parts and this number of slots.
    pub(super) fn of(parts: &WorkerParts, slots: u32) -> Self {
        match (parts.is_plain(), slots) {
            (false, _) => Self::Full,
            (true, 1) if parts.cold.is_none() => Self::Alone,
            (true, _) => Self::Plain,
        }
    }
}

impl WorkerParts {
    /// Whether it has no part but those that the plain path knows.
    pub fn is_plain(&self) -> bool {
        let amount = self.amount_by_requests();
        !self.compat
            && (self.cold.is_none() || self.streams[0].only_len().is_some())
            && self.streams.len() == 1
            && amount.is_none_or(|amount| amount.is_in_requests())
            && self.sync.is_none()
            && !self.splits
            && !self.payload.tracks()
            && self.limits.time.is_none()
            && self.replay.is_none()
            && self.pacer.is_free()
    }
}

impl<E: Engine> Worker<E> {
    /// Leaves what the path of a single slot has no answer to, to that of several.
    pub(super) const fn leave_alone(&mut self) {
        if matches!(self.path, Path::Alone) {
            self.path = Path::Plain;
        }
    }
}

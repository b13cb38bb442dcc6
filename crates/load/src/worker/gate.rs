//! Flush after every so many writes: a target is closed while its writes drain and the flush runs.

use fathom_core::Op;
use fathom_core::spec::SyncEvery;

/// The state of every target.
#[derive(Debug)]
pub(super) struct Gates {
    sync: SyncEvery,
    targets: Box<[Gate]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    writes: u32,
    in_flight: u32,
    flushing: bool,
}

impl Gates {
    pub(super) fn new(sync: SyncEvery, targets: usize) -> Self {
        Self {
            sync,
            targets: vec![Gate::default(); targets].into(),
        }
    }

    /// Whether a request may be issued on a target: not while writes before a flush are still on
    /// their way, nor while the flush is.
    pub(super) fn is_open(&self, target: usize) -> bool {
        let gate = &self.targets[target];
        !gate.flushing && (gate.writes < self.sync.writes || gate.in_flight == 0)
    }

    /// Whether the next request of an open target is a flush; if so, it counts as issued, and the
    /// answer is whether it may leave out metadata.
    pub(super) fn flush_due(&mut self, target: usize) -> Option<bool> {
        let gate = &mut self.targets[target];
        if gate.writes < self.sync.writes {
            return None;
        }
        gate.writes = 0;
        gate.flushing = true;
        Some(self.sync.data_only)
    }

    /// A target whose writes want a flush and have all completed. It follows them at once: it is
    /// part of the burst or of the amount that ends with them.
    pub(super) fn owes_flush(&self) -> Option<usize> {
        let owes = |target: &usize| {
            self.is_open(*target) && self.targets[*target].writes >= self.sync.writes
        };
        (0..self.targets.len()).find(owes)
    }

    pub(super) fn wrote(&mut self, target: usize) {
        let gate = &mut self.targets[target];
        gate.writes += 1;
        gate.in_flight += 1;
    }

    pub(super) fn completed(&mut self, target: usize, op: Op) {
        let gate = &mut self.targets[target];
        match op {
            Op::Flush => gate.flushing = false,
            Op::Write => gate.in_flight -= 1,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_drain_before_the_flush_and_wait_for_it() {
        let mut gates = Gates::new(
            SyncEvery {
                writes: 2,
                data_only: true,
            },
            1,
        );
        let mut seen = Vec::new();
        gates.wrote(0);
        gates.wrote(0);
        seen.push(gates.is_open(0));
        gates.completed(0, Op::Write);
        seen.push(gates.is_open(0));
        gates.completed(0, Op::Write);
        seen.push(gates.is_open(0));
        assert_eq!(gates.flush_due(0), Some(true));
        seen.push(gates.is_open(0));
        gates.completed(0, Op::Flush);
        seen.push(gates.is_open(0));
        assert_eq!(seen, [false, false, true, false, true]);
        assert_eq!(gates.flush_due(0), None);
    }

    #[test]
    fn the_last_flush_is_owed_when_the_writes_are_a_multiple() {
        let sync = SyncEvery {
            writes: 2,
            data_only: false,
        };
        let mut gates = Gates::new(sync, 2);
        gates.wrote(0);
        gates.wrote(1);
        gates.wrote(1);
        assert_eq!(gates.owes_flush(), None);
        gates.completed(1, Op::Write);
        gates.completed(1, Op::Write);
        assert_eq!(gates.owes_flush(), Some(1));
        assert_eq!(gates.flush_due(1), Some(false));
        assert_eq!(gates.owes_flush(), None);
    }
}

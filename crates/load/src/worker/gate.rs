//! Which targets requests may go to: one is closed while its writes drain before a flush and the
//! flush runs, and where one could be ahead of the others when it was used to its end, until all
//! were.

use fathom_core::Op;
use fathom_core::spec::SyncEvery;

/// The state of every target.
#[derive(Debug)]
pub(super) struct Gates {
    sync: Option<SyncEvery>,
    /// Writes before successive flushes; nothing where they are as many.
    pattern: Box<[u32]>,
    targets: Box<[Gate]>,
    /// Requests of a pass over each target; empty where they are alike.
    passes: Box<[u64]>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    /// Writes since the last flush.
    written: u32,
    in_flight: u32,
    flushing: bool,
    /// Place of the next flush in the pattern.
    place: usize,
    /// Requests that are left of the pass.
    left: u64,
}

impl Gates {
    /// Gates, if anything closes them.
    pub(super) fn needed(
        sync: (Option<SyncEvery>, Box<[u32]>),
        targets: usize,
        passes: Box<[u64]>,
    ) -> Option<Self> {
        let is_needed = sync.0.is_some() || !passes.is_empty();
        is_needed.then(|| Self::new(sync, targets, passes))
    }

    /// Gates for `targets` targets; `passes` has the requests of a pass over each, or nothing.
    fn new(
        (sync, pattern): (Option<SyncEvery>, Box<[u32]>),
        targets: usize,
        passes: Box<[u64]>,
    ) -> Self {
        let mut gates = Self {
            sync,
            pattern,
            targets: vec![Gate::default(); targets].into(),
            passes,
        };
        gates.begin_pass();
        gates
    }

    /// Whether a request may be issued on a target: not while writes before a flush are still on
    /// their way, nor while the flush is, nor when nothing is left of its pass.
    pub(super) fn is_open(&self, target: usize) -> bool {
        let gate = &self.targets[target];
        let has_left = self.passes.is_empty() || gate.left > 0;
        has_left && !gate.flushing && (!self.is_flush_due(gate) || gate.in_flight == 0)
    }

    fn is_flush_due(&self, gate: &Gate) -> bool {
        self.sync.is_some_and(|sync| {
            let of_pattern = self.pattern.get(gate.place).copied();
            gate.written >= of_pattern.unwrap_or(sync.writes)
        })
    }

    /// Whether the next request of an open target is a flush; if so, it counts as issued, and the
    /// answer is whether it may leave out metadata.
    pub(super) fn flush_due(&mut self, target: usize) -> Option<bool> {
        let sync = self.sync?;
        if !self.is_flush_due(&self.targets[target]) {
            return None;
        }
        let gate = &mut self.targets[target];
        gate.place = (gate.place + 1) % self.pattern.len().max(1);
        gate.written = 0;
        gate.flushing = true;
        Some(sync.data_only)
    }

    /// The next request of an open target begins: whether it is a flush, as above, or else one of
    /// its pass.
    pub(super) fn enter(&mut self, target: usize) -> Option<bool> {
        let flush = self.flush_due(target);
        if flush.is_none() {
            self.passed(target);
        }
        flush
    }

    /// A request goes to a target. After the last of a pass over all of them the next one begins.
    fn passed(&mut self, target: usize) {
        if self.passes.is_empty() {
            return;
        }
        let gate = &mut self.targets[target];
        gate.left = gate.left.saturating_sub(1);
        if self.targets.iter().all(|gate| gate.left == 0) {
            self.begin_pass();
        }
    }

    fn begin_pass(&mut self) {
        for (gate, requests) in self.targets.iter_mut().zip(&self.passes) {
            gate.left = *requests;
        }
    }

    /// A target whose writes want a flush and have all completed. It follows them at once: it is
    /// part of the burst or of the amount that ends with them.
    pub(super) fn owes_flush(&self) -> Option<usize> {
        self.sync?;
        let owes = |target: &usize| {
            let gate = &self.targets[*target];
            self.is_flush_due(gate) && !gate.flushing && gate.in_flight == 0
        };
        (0..self.targets.len()).find(owes)
    }

    pub(super) fn wrote(&mut self, target: usize) {
        let gate = &mut self.targets[target];
        // Without flushes it is only compared with nothing.
        gate.written = gate.written.saturating_add(1);
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
        let sync = SyncEvery {
            writes: 2,
            data_only: true,
        };
        let mut gates = Gates::new((Some(sync), Box::default()), 1, Box::default());
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
        let mut gates = Gates::new((Some(sync), Box::default()), 2, Box::default());
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

    #[test]
    fn a_target_that_was_used_to_its_end_waits_for_the_others() {
        let mut gates = Gates::new((None, Box::default()), 3, Box::from([1, 3, 2]));
        let mut order = Vec::new();
        let mut next = 0;
        for _ in 0..9 {
            let in_turn = (next..next + 3).map(|target| target % 3);
            let target = in_turn
                .clone()
                .find(|target| gates.is_open(*target))
                .expect("one is open");
            gates.passed(target);
            order.push(target);
            next = (target + 1) % 3;
        }
        assert_eq!(order, [0, 1, 2, 1, 2, 1, 2, 0, 1]);
    }

    #[test]
    fn a_pattern_is_repeated() {
        let sync = SyncEvery {
            writes: 1,
            data_only: true,
        };
        let mut gates = Gates::new((Some(sync), Box::from([2, 0, 1])), 1, Box::default());
        let mut course = String::new();
        for _ in 0..12 {
            if gates.enter(0).is_some() {
                course.push('F');
                gates.completed(0, Op::Flush);
            } else {
                course.push('w');
                gates.wrote(0);
                gates.completed(0, Op::Write);
            }
        }
        assert_eq!(course, "wwFFwFwwFFwF");
    }
}

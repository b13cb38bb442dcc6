//! Which targets requests may go to: one is closed while its writes drain before a flush and the
//! flush runs, and where targets are of unequal size when it was used to its end, until all were.

use fathom_core::Op;
use fathom_core::spec::{Job, SyncEvery};

/// When a thread flushes what it wrote.
#[derive(Clone, Copy, Debug)]
pub struct FlushRule {
    /// After how many writes, and whether metadata may be left out.
    pub every: SyncEvery,
    /// After how many writes a flush of data alone follows, where none of these does.
    pub data: Option<u32>,
    /// Whether the writes to all targets count together.
    pub across: bool,
    /// Whether a flush is followed by another one after each request until the next write.
    pub again: bool,
}

impl FlushRule {
    /// That of a job, if it flushes between its writes.
    pub fn of(job: &Job) -> Option<Self> {
        job.durability.sync.map(|every| Self {
            every,
            data: job.sync_data,
            across: job.sync_across,
            again: job.sync_again,
        })
    }
}

/// The state of every target.
#[derive(Debug)]
pub(super) struct Gates {
    sync: Option<SyncEvery>,
    /// Writes between flushes of data alone, or none of them.
    data: Option<u32>,
    /// Writes to all targets since the last flush of either kind, where they count together.
    across: Option<Written>,
    targets: Box<[Gate]>,
    /// Requests of a pass over each target; empty where they are alike.
    passes: Box<[u64]>,
    /// The number of the pass.
    pass: u64,
    after: Option<After>,
    /// The target of the last request, if that is a write with which a flush has come due.
    last_owes: Option<usize>,
    /// Whether the last flush left out metadata.
    last_left_out: bool,
}

/// Writes since the last flush of each kind.
#[derive(Clone, Copy, Debug, Default)]
struct Written {
    any: u32,
    data: u32,
}

/// What was issued since the last flush, where it is followed by another one after each request
/// until the next write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// A write, or there was no flush yet.
    Write,
    /// Nothing.
    Flush,
    /// A request, which is no write as far as is known.
    Request,
}

#[derive(Clone, Copy, Debug, Default)]
struct Gate {
    written: Written,
    in_flight: u32,
    flushing: bool,
    /// Requests that are left of the pass.
    left: u64,
}

impl Gates {
    /// Gates for so many targets; `passes` has the requests of a pass over each, or nothing.
    pub(super) fn new(rule: Option<FlushRule>, targets: usize, passes: Box<[u64]>) -> Self {
        let mut gates = Self {
            sync: rule.map(|rule| rule.every),
            data: rule.and_then(|rule| rule.data),
            across: rule.filter(|rule| rule.across).map(|_| Written::default()),
            targets: vec![Gate::default(); targets].into(),
            passes,
            pass: 0,
            after: rule.filter(|rule| rule.again).map(|_| After::Write),
            last_owes: None,
            last_left_out: false,
        };
        gates.begin_pass();
        gates
    }

    /// Requests that are left of the pass over a target.
    pub(super) fn left(&self, target: usize) -> u64 {
        if self.passes.is_empty() {
            u64::MAX
        } else {
            self.targets[target].left
        }
    }

    /// The number of the pass over all targets.
    pub(super) const fn pass(&self) -> u64 {
        self.pass
    }

    /// Whether a request may be issued on a target: not while writes before a flush are still on
    /// their way, nor while the flush is, nor when nothing is left of its pass.
    pub(super) fn is_open(&self, target: usize) -> bool {
        let gate = &self.targets[target];
        self.left(target) > 0 && !gate.flushing && (!self.is_flush_due(gate) || gate.in_flight == 0)
    }

    fn is_flush_due(&self, gate: &Gate) -> bool {
        self.due(gate.written).is_some()
    }

    /// The flush that comes after so many writes, if any does: whether it may leave out metadata.
    fn due(&self, written: Written) -> Option<bool> {
        let sync = self.sync?;
        if written.any >= sync.writes {
            return Some(sync.data_only);
        }
        let is_due = self.data.is_some_and(|every| written.data >= every);
        is_due.then_some(true)
    }

    /// Whether the next request of an open target is a flush; if so, it counts as issued, and the
    /// answer is whether it may leave out metadata.
    pub(super) fn flush_due(&mut self, target: usize) -> Option<bool> {
        let sync = self.sync?;
        let data_only = self.due(self.targets[target].written)?;
        let written = &mut self.targets[target].written;
        if written.any >= sync.writes {
            written.any = 0;
        }
        // One is enough where both come at once.
        if self.data.is_some_and(|every| written.data >= every) {
            written.data = 0;
        }
        self.last_left_out = data_only;
        Some(self.flush(target))
    }

    /// A flush of a target, as the one before or as is due, is issued; says whether it may leave
    /// out metadata.
    fn flush(&mut self, target: usize) -> bool {
        self.targets[target].flushing = true;
        self.last_owes = None;
        if let Some(after) = &mut self.after {
            *after = After::Flush;
        }
        self.last_left_out
    }

    /// The flush of an open target that follows a request which follows a flush.
    fn flush_again(&mut self, target: usize) -> Option<bool> {
        match (self.after, self.sync) {
            (Some(After::Request), Some(_)) => Some(self.flush(target)),
            (Some(After::Flush), _) => {
                self.after = Some(After::Request);
                None
            }
            _ => None,
        }
    }

    /// The amount is done: no flush follows the last request of all.
    pub(super) fn forgive_last(&mut self) {
        if let Some(target) = self.last_owes.take() {
            self.targets[target].written = Written::default();
        }
    }

    /// The next request of an open target begins: whether it is a flush, as above, or else one of
    /// its pass.
    pub(super) fn enter(&mut self, target: usize) -> Option<bool> {
        let due = self.flush_due(target);
        let flush = due.or_else(|| self.flush_again(target));
        if flush.is_none() {
            self.last_owes = None;
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
        self.pass += 1;
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
        if let Some(after) = &mut self.after {
            *after = After::Write;
        }
        if let (Some(written), Some(sync)) = (&mut self.across, self.sync) {
            written.any += 1;
            written.data += 1;
            if written.any >= sync.writes {
                written.any = 0;
                gate.written.any = sync.writes;
            }
            if let Some(every) = self.data.filter(|every| written.data >= *every) {
                written.data = 0;
                gate.written.data = every;
            }
        } else {
            // Without flushes it is only compared with nothing.
            gate.written.any = gate.written.any.saturating_add(1);
            gate.written.data = gate.written.data.saturating_add(1);
        }
        gate.in_flight += 1;
        let is_due = self.is_flush_due(&self.targets[target]);
        self.last_owes = is_due.then_some(target);
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

    fn rule(every: SyncEvery, across: bool, again: bool) -> FlushRule {
        FlushRule {
            every,
            data: None,
            across,
            again,
        }
    }

    #[test]
    fn writes_drain_before_the_flush_and_wait_for_it() {
        let sync = SyncEvery {
            writes: 2,
            data_only: true,
        };
        let mut gates = Gates::new(Some(rule(sync, false, false)), 1, Box::default());
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
        let mut gates = Gates::new(Some(rule(sync, false, false)), 2, Box::default());
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

    /// As fio 3.33 flushes rw=rw with fsync=2: also after each read until the next write.
    #[test]
    fn a_flush_is_followed_by_another_after_each_read() {
        let sync = SyncEvery {
            writes: 2,
            data_only: false,
        };
        let course = |again: bool, targets: usize| -> String {
            let rule = rule(sync, targets > 1, again);
            let mut gates = Gates::new(Some(rule), targets, Box::default());
            let mut course = String::new();
            for (at, letter) in "rrrwrrwwwrwrwrrrwwrr".chars().enumerate() {
                let target = at % targets;
                while gates.enter(target).is_some() {
                    course.push('s');
                    gates.completed(target, Op::Flush);
                }
                if letter == 'w' {
                    gates.wrote(target);
                    gates.completed(target, Op::Write);
                }
                course.push(letter);
            }
            course
        };
        assert_eq!(course(true, 1), "rrrwrrwswwsrswrwsrsrsrswwsrsr");
        assert_eq!(course(true, 1).replace("rs", "r"), course(false, 1));
    }

    /// As fio 3.33 flushes rw=rw with both of fsync and fdatasync.
    #[test]
    fn flushes_of_both_kinds_come_by_the_number_of_writes() {
        let course = |any: u32, data: u32, letters: &str| -> String {
            let every = SyncEvery {
                writes: any,
                data_only: false,
            };
            let mut rule = rule(every, false, true);
            rule.data = Some(data);
            let mut gates = Gates::new(Some(rule), 1, Box::default());
            let mut course = String::new();
            for letter in letters.chars() {
                while let Some(data_only) = gates.enter(0) {
                    course.push(if data_only { 'd' } else { 's' });
                    gates.completed(0, Op::Flush);
                }
                if letter == 'w' {
                    gates.wrote(0);
                    gates.completed(0, Op::Write);
                }
                course.push(letter);
            }
            course
        };
        assert_eq!(
            course(2, 3, "wwwwwwwwww"),
            "wwswdwswwswwswdws"[..16].to_owned()
        );
        assert_eq!(course(2, 3, "rrrwrrwwwrwrwrrr"), "rrrwrrwswdwsrswrwsrsrsr");
        assert_eq!(course(4, 2, "rrwrwrwwrwwrr"), "rrwrwdrdwwsrswwdrdr");
    }

    #[test]
    fn a_target_that_was_used_to_its_end_waits_for_the_others() {
        let mut gates = Gates::new(None, 3, Box::from([1, 3, 2]));
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
    fn writes_to_all_targets_count_together() {
        let sync = SyncEvery {
            writes: 3,
            data_only: false,
        };
        let flushed = |across: bool| -> Vec<usize> {
            let mut gates = Gates::new(Some(rule(sync, across, false)), 2, Box::new([]));
            let mut flushed = Vec::new();
            for write in 0..6 {
                let target = write % 2;
                gates.wrote(target);
                gates.completed(target, Op::Write);
                if gates.enter(target).is_some() {
                    flushed.push(write);
                    gates.completed(target, Op::Flush);
                }
            }
            flushed
        };
        assert_eq!(flushed(true), [2, 5]);
        assert_eq!(flushed(false), [4, 5]);
    }
}

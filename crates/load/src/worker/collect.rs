//! The second half of a turn: what completed, and how long it took.

use super::Worker;
use super::between::Piece;
use super::path::Path;
use crate::journal::Entry;
use crate::slots::Slot;
use crate::tally::Age;
use fathom_core::interval::Part;
use fathom_core::slowest::SlowIo;
use fathom_core::{Nanos, Op};
use fathom_engine::{Completion, Engine};

/// Completions of one turn that are alike: same operation, length, age and lag. They are
/// recorded as one, which is exact and makes large batches cheap.
#[derive(Clone, Copy)]
struct Run {
    op: Op,
    len: u32,
    issued: Nanos,
    intended: Nanos,
    /// Place of the first among the completions.
    first: usize,
    count: u32,
}

impl Run {
    #[inline]
    const fn holds(&self, slot: &Slot) -> bool {
        self.issued.0 == slot.issued.0
            && self.intended.0 == slot.intended.0
            && self.len == slot.len
            && self.op as u8 == slot.op as u8
    }
}

impl<E: Engine> Worker<E> {
    /// Records what completed in this turn.
    #[inline]
    pub(super) fn collect(&mut self, count: usize) {
        let now = self.engine.now();
        if now >= self.tally.edge() {
            self.pass(now);
        }
        self.tally.returned(count as u32, now);
        if count == 1 {
            self.collect_one(self.done[0], now);
            self.slots.give(self.done[0].slot);
        } else {
            self.collect_many(count, now);
        }
        if self.path == Path::Full && self.slots.in_flight() == 0 && !self.owes_flush() {
            self.rest(now);
        }
        // Whoever looks at each completion has spent time on it.
        self.seen = if self.watched { Nanos::ZERO } else { now };
    }

    /// Whether a flush still belongs to what was written.
    #[inline]
    fn owes_flush(&self) -> bool {
        let gates = self.gates.as_ref();
        gates.is_some_and(|gates| gates.owes_flush().is_some())
    }

    /// Nothing is in flight: perhaps a burst has ended.
    fn rest(&mut self, now: Nanos) {
        if let Some(length) = self.pacer.idle(now) {
            // Those of the warm-up are no part of what is measured.
            if self.tally.part() == Part::Measure {
                self.bursts.record(length.0);
            }
            self.shared.burst_ended(self.limits.job);
        }
    }

    #[inline]
    pub(super) fn collect_one(&mut self, completion: Completion, now: Nanos) {
        let slot = self.slots.get(completion.slot);
        if is_whole(completion, slot) {
            let age = Age {
                intended: slot.intended,
                issued: slot.issued,
                now,
            };
            if self.tally.completed(slot.op, slot.len, 1, age) {
                self.keep(&[completion], now);
            }
        } else {
            let slot = *slot;
            let run = self.first_of_run(&[completion], 0, slot, now);
            self.record(&run, &[completion], now);
        }
        if self.watched {
            self.follow_up(completion, now);
        }
    }

    fn collect_many(&mut self, count: usize, now: Nanos) {
        // Taken for the while, so that it is not looked up for every completion.
        let done = std::mem::take(&mut self.done);
        let mut run = Run {
            op: Op::Read,
            len: 0,
            issued: Nanos::ZERO,
            intended: Nanos::ZERO,
            first: 0,
            count: 0,
        };
        for (index, &completion) in done[..count].iter().enumerate() {
            let slot = self.slots.get(completion.slot);
            if is_whole(completion, slot) && run.holds(slot) {
                run.count += 1;
            } else {
                self.record(&run, &done, now);
                let slot = *slot_of(self, completion);
                run = self.first_of_run(&done, index, slot, now);
            }
            if self.watched {
                self.follow_up(completion, now);
            }
        }
        self.record(&run, &done, now);
        let slots = done[..count].iter().map(|completion| completion.slot);
        self.slots.give_all(slots);
        self.done = done;
    }

    #[inline]
    fn record(&mut self, run: &Run, done: &[Completion], now: Nanos) {
        if run.count > 0 {
            let age = Age {
                intended: run.intended,
                issued: run.issued,
                now,
            };
            if self.tally.completed(run.op, run.len, run.count, age) {
                self.keep(&done[run.first..run.first + run.count as usize], now);
            }
        }
    }

    /// Keeps requests that are among the slowest, one by one.
    #[cold]
    fn keep(&mut self, slow: &[Completion], now: Nanos) {
        for completion in slow {
            let slot = self.slots.get(completion.slot);
            let io = SlowIo {
                intended: slot.intended,
                issued: slot.issued,
                completed: now,
                offset: slot.offset,
                len: slot.len,
                target: slot.target,
            };
            self.tally.keep(slot.op, io);
        }
    }

    /// Begins a run with a completion; one that failed or was short begins none.
    #[inline(never)]
    fn first_of_run(&mut self, done: &[Completion], index: usize, slot: Slot, now: Nanos) -> Run {
        let run = Run {
            op: slot.op,
            len: slot.len,
            issued: slot.issued,
            intended: slot.intended,
            first: index,
            count: 1,
        };
        if is_whole(done[index], &slot) {
            return run;
        }
        self.odd_one(done[index], &slot, now);
        // What is alike and follows begins behind it.
        Run {
            first: index + 1,
            count: 0,
            ..run
        }
    }

    /// An error or a short transfer: neither is a completed request.
    #[cold]
    fn odd_one(&mut self, completion: Completion, slot: &Slot, now: Nanos) {
        if self.limits.ends_when_full && slot.op == Op::Write && is_full(completion) {
            self.amount_done();
            return;
        }
        if completion.result < 0 {
            self.tally
                .failed(slot.op, -completion.result, slot.target, slot.offset);
            self.outcome.failed += 1;
            self.shared.note_error(now, slot.op, -completion.result);
            return;
        }
        self.tally.short(slot.op, completion.result as u32);
    }

    /// Checks what was read, opens the gate after a flush, and keeps the journal.
    #[inline(never)]
    fn follow_up(&mut self, completion: Completion, now: Nanos) {
        let slot = *slot_of(self, completion);
        if self.tally.part() == Part::CoolDown {
            self.note_late(&slot, now, true);
        }
        let begun = self.begun.get(completion.slot as usize);
        let begun = begun.copied().unwrap_or(slot.issued);
        if !self.begun.is_empty() && is_whole(completion, &slot) {
            let generation = slot.issued.saturating_sub(begun);
            let service = now.saturating_sub(slot.issued);
            self.tally.split(slot.op, generation, service);
        }
        if self.limits.apart && is_whole(completion, &slot) {
            let service = now.saturating_sub(slot.issued);
            self.tally
                .at_target(slot.target, slot.op, slot.len, service);
            if let Some(latencies) = &mut self.outcome.target_latencies
                && self.tally.part() == Part::Measure
            {
                latencies.record(slot.target, slot.op, service);
            }
        }
        self.enter(completion, &slot, begun, now);
        if self.follows {
            let stream = &mut self.streams[usize::from(slot.target)];
            if !stream.completed(slot.op, slot.offset, is_whole(completion, &slot)) {
                self.amount_done();
            }
        }
        if let Some(gates) = &mut self.gates {
            gates.completed(usize::from(slot.target), slot.op);
        }
        if self.payload.tracks() {
            self.payload.end(completion.slot, &slot, completion.result);
            self.note_write(completion, &slot);
        }
        if !self.payload.checks() || slot.op != Op::Read || completion.result < 0 {
            return;
        }
        let read = &self.engine.buffer(completion.slot)[..completion.result as usize];
        if let Some(first) = self.payload.check(read, completion.slot, &slot) {
            let wrong = self.payload.wrong_blocks(read, &slot, first);
            self.tally.note_errors(Op::Read, 0, slot.target, wrong);
            let now = self.engine.now();
            self.shared.note_error(now, Op::Read, 0);
        }
    }
}

impl<E: Engine> Worker<E> {
    /// Keeps a request in the journal, where there is one.
    fn enter(&mut self, completion: Completion, slot: &Slot, begun: Nanos, now: Nanos) {
        if let (Some(journal), 0..) = (&mut self.journal, completion.result) {
            // A trim moves nothing; what it covers is what it was asked to.
            let moved = match slot.op {
                Op::Trim => slot.len,
                _ => completion.result as u32,
            };
            let entry = Entry {
                begun,
                issued: slot.issued,
                completed: now,
                offset: slot.offset,
                len: moved,
                target: slot.target,
                op: slot.op,
                part: self.tally.part(),
                priority: journal.priority(),
            };
            journal.add(entry, self.shared.watcher());
        }
    }

    /// Keeps in mind what is to be read back before the job is over.
    fn note_write(&mut self, completion: Completion, slot: &Slot) {
        let Some(back) = &mut self.read_back else {
            return;
        };
        if slot.op != Op::Write || !is_whole(completion, slot) {
            return;
        }
        let piece = Piece {
            target: slot.target,
            offset: slot.offset,
            len: slot.len,
        };
        if back.wrote(piece) {
            self.pushing = false;
        }
    }
}

/// Whether a request did all that it was asked to. A trim moves nothing: what it covers is that.
#[inline]
const fn is_whole(completion: Completion, slot: &Slot) -> bool {
    completion.result == slot.len as i32 || completion.result == 0 && matches!(slot.op, Op::Trim)
}

/// Whether a write that was not whole found no room for all of it.
const fn is_full(completion: Completion) -> bool {
    const NO_SPACE: i32 = 28;
    const QUOTA_USED_UP: i32 = 122;
    completion.result >= 0 || matches!(-completion.result, NO_SPACE | QUOTA_USED_UP)
}

fn slot_of<E: Engine>(worker: &Worker<E>, completion: Completion) -> &Slot {
    worker.slots.get(completion.slot)
}

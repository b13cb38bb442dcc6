//! The first half of a turn: which requests go out.

use super::Worker;
use super::gate::Gates;
use super::payload::WritePlace;
use crate::pacer::Due;
use crate::slots::Slot;
use fathom_core::interval::Part;
use fathom_core::{Nanos, Op};
use fathom_engine::{Engine, Submission};

impl<E: Engine> Worker<E> {
    /// Fills every free slot, as far as they go out together: what [`issue_due`](Self::issue_due)
    /// does when everything is always due and there is one place to go. Instant zero says that
    /// there is more.
    #[inline]
    pub(super) fn issue_all(&mut self, now: Nanos) -> Nanos {
        if let Some(until) = self.between_passes() {
            return until;
        }
        // The fields by themselves, so that they are looked up once and not for every request.
        let (engine, payload) = (&mut self.engine, &mut self.payload);
        let stream = &mut self.streams[0];
        let batch = &mut self.batch;
        let mut most = self.submit_batch.most();
        if let Some(cold) = &self.cold {
            most = cold.requests().min(most.into()) as u32;
        }
        let counts = self.limits.counts_warm_up || self.tally.part() == Part::Measure;
        let left = self.left.as_mut().filter(|_| counts);
        let wanted = match &left {
            Some(left) => u64::from(most).min(left.requests()) as u32,
            None => most,
        };
        let taken = self.slots.fill_first(wanted, |slot| {
            let request = stream.choose();
            if request.op.carries() {
                let place = WritePlace {
                    slot,
                    target: 0,
                    offset: request.offset,
                    len: request.len,
                    now,
                };
                payload.fill(engine.buffer(slot), place);
            }
            engine.push(Submission {
                offset: request.offset,
                slot,
                len: request.len,
                target: 0,
                op: request.op,
                data_only: false,
            });
            batch.note(request.op);
            Slot {
                intended: now,
                issued: now,
                offset: request.offset,
                len: request.len,
                target: 0,
                op: request.op,
            }
        });
        batch.add_first(taken);
        if let Some(cold) = &mut self.cold {
            cold.issued_alike(taken);
        }
        if left.is_some_and(|left| left.take_requests(taken)) {
            self.amount_done();
        } else if taken == most && !self.slots.is_full() {
            return Nanos::ZERO;
        }
        self.tally.boundary()
    }

    /// Issues every request that is due and has a slot, as far as they go out together; says until
    /// when to wait otherwise, instant zero for not at all.
    pub(super) fn issue_due(&mut self, now: Nanos) -> Nanos {
        if now >= self.own_end {
            self.pushing = false;
            self.outcome.amount_done = true;
            return self.tally.boundary();
        }
        let boundary = self.tally.boundary().min(self.own_end);
        if self.replay.is_some() {
            return boundary.min(self.issue_recorded(now));
        }
        if self.gates.is_some() {
            // A flush follows its writes at once, whatever is due next.
            self.issue_owed_flushes(now);
        }
        if let Some(until) = self.between_passes() {
            return boundary.min(until);
        }
        let mut until = boundary;
        while !self.slots.is_full() && self.has_room() {
            if self.batch.count() >= self.submit_batch.most() {
                return Nanos::ZERO;
            }
            let idle = self.slots.in_flight() == 0;
            match self.pacer.due(now, idle, &self.shared) {
                Due::Now(intended) if self.issue(now, intended) => {}
                Due::Now(_) | Due::WhenIdle => break,
                Due::At(at) => {
                    self.lateness.caught_up();
                    until = boundary.min(at);
                    break;
                }
            }
        }
        until
    }

    /// Drops pages where a pass is over and nothing is in flight. Returns until when to wait then.
    #[inline]
    fn between_passes(&mut self) -> Option<Nanos> {
        let cold = self.cold.as_mut().filter(|cold| cold.is_over())?;
        if self.slots.in_flight() > 0 {
            return Some(self.tally.boundary());
        }
        // The next turn reads the clock again.
        cold.drop_pages();
        Some(Nanos::ZERO)
    }

    /// Whether another request may be in flight: not before pages are dropped.
    #[inline]
    fn has_room(&self) -> bool {
        !self.cold.as_ref().is_some_and(|cold| cold.is_over())
    }

    /// Issues the requests of the trace that are due and have a slot; says when the next one is.
    fn issue_recorded(&mut self, now: Nanos) -> Nanos {
        let mut until = Nanos::MAX;
        while !self.slots.is_full() {
            if self.batch.count() >= self.submit_batch.most() {
                return Nanos::ZERO;
            }
            let Some((at, target, step)) = self.replay.as_ref().and_then(|r| r.peek(now)) else {
                self.pushing = false;
                self.outcome.amount_done = true;
                break;
            };
            if self.slots.in_flight() > step.outstanding {
                break;
            }
            let request = step.request;
            if at > now {
                self.lateness.caught_up();
                until = at;
                break;
            }
            let Some(slot) = self.take_slot_of(target) else {
                break;
            };
            let place = (self.streams[target].start() + request.offset, request.len);
            if request.op.carries() {
                let place = WritePlace {
                    slot,
                    target,
                    offset: place.0,
                    len: request.len,
                    now,
                };
                self.payload.fill(self.engine.buffer(slot), place);
            }
            self.push(
                slot,
                target,
                request.op,
                place,
                (at, now),
                request.data_only,
            );
            if let Some(replay) = &mut self.replay {
                replay.advance();
            }
            if self.left.is_some() && !self.count_down(request.len) {
                break;
            }
        }
        until
    }

    /// While no new requests are issued: what is to be read back before there are, and after the
    /// last the flushes that belong to them.
    #[cold]
    pub(super) fn issue_owed(&mut self, now: Nanos) {
        if self.outcome.amount_done && self.gates.is_some() {
            self.issue_owed_flushes(now);
        }
        if self.read_back.is_none() || self.outcome.amount_done || now >= self.shared.load_end() {
            return;
        }
        while let Some(piece) = self.read_back.as_ref().and_then(|back| back.peek()) {
            let target = usize::from(piece.target);
            let Some(slot) = self.take_slot_of(target) else {
                return;
            };
            if let Some(back) = &mut self.read_back {
                back.advance();
            }
            self.payload.rereads(&piece);
            let place = (piece.offset, piece.len);
            self.push(slot, target, Op::Read, place, (now, now), false);
        }
        self.pushing = true;
    }

    /// A free slot for a request to a certain target.
    pub(super) fn take_slot_of(&mut self, target: usize) -> Option<u32> {
        if self.slots.lanes() == self.streams.len() {
            let taken = self.slots.take(|lane| lane == target);
            return taken.map(|(slot, _)| slot);
        }
        self.slots.take_first()
    }

    /// Issues the flushes whose writes have all completed.
    #[inline(never)]
    pub(super) fn issue_owed_flushes(&mut self, now: Nanos) {
        while let Some(target) = self.gates.as_ref().and_then(Gates::owes_flush) {
            // Without a free slot it goes out when one comes back.
            let Some(slot) = self.take_slot_of(target) else {
                break;
            };
            let due = self
                .gates
                .as_mut()
                .and_then(|gates| gates.flush_due(target));
            let data_only = due.unwrap_or(false);
            self.push(slot, target, Op::Flush, (0, 0), (now, now), data_only);
        }
    }

    /// Issues one request; `false` when every target is closed or the amount is done.
    #[inline]
    fn issue(&mut self, now: Nanos, intended: Nanos) -> bool {
        let Some((slot, target)) = self.take_slot() else {
            return false;
        };
        let flush = self.gates.as_mut().and_then(|gates| gates.enter(target));
        if let Some(data_only) = flush {
            self.push(slot, target, Op::Flush, (0, 0), (now, now), data_only);
            return true;
        }
        let len = self.issue_data(slot, target, intended, now);
        self.pacer.issued(len);
        if let Some(cold) = &mut self.cold {
            cold.issued(len);
        }
        self.left.is_none() || self.count_down(len)
    }

    /// Chooses a request for a slot and hands it to the engine; gives its length.
    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a third of the work"
    )]
    #[inline(always)]
    fn issue_data(&mut self, slot: u32, target: usize, intended: Nanos, issued: Nanos) -> u32 {
        let request = self.streams[target].choose();
        if request.op.carries() {
            let place = WritePlace {
                slot,
                target,
                offset: request.offset,
                len: request.len,
                now: issued,
            };
            self.payload.fill(self.engine.buffer(slot), place);
            if let Some(gates) = &mut self.gates {
                gates.wrote(target);
            }
        }
        let place = (request.offset, request.len);
        self.push(slot, target, request.op, place, (intended, issued), false);
        request.len
    }

    /// A free slot and the target its request goes to: each target has slots of its own, or
    /// all share them and are served in turn.
    #[inline]
    fn take_slot(&mut self) -> Option<(u32, usize)> {
        let gates = self.gates.as_ref();
        let open = |target: usize| gates.is_none_or(|gates| gates.is_open(target));
        let targets = self.streams.len();
        if self.slots.lanes() == targets {
            return self.slots.take(open);
        }
        if let Some(turns) = &mut self.turns {
            let target = turns.choose(targets, open)?;
            return self.slots.take_first().map(|slot| (slot, target));
        }
        let first = self.next_stream;
        let mut in_turn = (first..first + targets).map(|target| target % targets);
        let target = in_turn.find(|target| open(*target))?;
        let slot = self.slots.take_first()?;
        self.next_stream = (target + 1) % targets;
        Some((slot, target))
    }

    #[expect(
        clippy::inline_always,
        reason = "per request; a call costs a third of the work"
    )]
    #[inline(always)]
    pub(super) fn push(
        &mut self,
        slot: u32,
        target: usize,
        op: Op,
        (offset, len): (u64, u32),
        (intended, issued): (Nanos, Nanos),
        data_only: bool,
    ) {
        let target = target as u16;
        let request = Slot {
            intended,
            issued,
            offset,
            len,
            target,
            op,
        };
        self.slots.set(slot, request);
        self.batch.add(op, slot, intended);
        if self.payload.tracks() {
            self.payload.begin(slot, &request);
        }
        self.engine.push(Submission {
            offset,
            slot,
            len,
            target,
            op,
            data_only,
        });
    }

    /// Counts an issued request against the thread's amount; `false` when it is done.
    #[inline]
    fn count_down(&mut self, len: u32) -> bool {
        let Some(left) = &mut self.left else {
            return true;
        };
        let counts = self.limits.counts_warm_up || self.tally.part() == Part::Measure;
        if counts && left.take(len) {
            self.amount_done();
        }
        self.pushing
    }

    /// All that the thread was to do has been issued.
    #[cold]
    pub(super) fn amount_done(&mut self) {
        self.pushing = false;
        self.outcome.amount_done = true;
    }
}

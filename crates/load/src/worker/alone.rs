//! The turn of a thread that makes one request at a time and whenever there is room for it: the
//! other everyday case, and the one in which all that a turn does is done for each request. What
//! batches and several slots need is left out.

use super::Worker;
use super::payload::WritePlace;
use crate::slots::Slot;
use fathom_core::Nanos;
use fathom_core::interval::Part;
use fathom_engine::sim::Step;
use fathom_engine::{Completion, Engine, EngineError, Submission, Wait};

impl<E: Engine> Worker<E> {
    /// What [`turn`](Self::turn) does after it has begun at `now`.
    #[inline]
    pub(super) fn turn_alone(&mut self, now: Nanos) -> Result<Step, EngineError> {
        if self.slots.in_flight() == 0 {
            if self.pushing {
                self.issue_alone(now);
            } else if self.limits.sync_at_end {
                // The general turn does what is left.
                self.leave_alone();
                return Ok(Step::Again);
            } else {
                self.finish(now);
                return Ok(Step::Done);
            }
        }
        let wait = Wait {
            min: 1,
            until: self.tally.boundary(),
        };
        let mut done = None;
        let progress = self
            .engine
            .turn(wait, &mut |completion| done = Some(completion))?;
        self.outcome.turns += 1;
        if let Some(completion) = done {
            self.collect_alone(completion);
        }
        Ok(Step::from(progress))
    }

    /// Chooses a request, prepares and stamps it; the engine gets it next.
    #[inline]
    fn issue_alone(&mut self, begun: Nanos) {
        let (slot, target) = (0, 0);
        let request = self.streams[0].choose();
        if request.op.carries() {
            let place = WritePlace {
                slot,
                target: 0,
                offset: request.offset,
                len: request.len,
                now: begun,
            };
            self.payload.fill(self.engine.buffer(slot), place);
        }
        self.engine.push(Submission {
            offset: request.offset,
            slot,
            len: request.len,
            target,
            op: request.op,
            data_only: false,
        });
        let issued = self.engine.now();
        self.slots.take_only(Slot {
            intended: begun,
            issued,
            offset: request.offset,
            len: request.len,
            target,
            op: request.op,
        });
        self.tally.sent(1, issued);
        let generation = issued.saturating_sub(begun);
        self.tally.issued(request.op, 1, generation);
        self.outcome.issued += 1;
        if let Some(left) = &mut self.left
            && (self.limits.counts_warm_up || self.tally.part() == Part::Measure)
            && left.take_requests(1)
        {
            self.amount_done();
        }
    }

    /// Records what completed.
    #[inline]
    fn collect_alone(&mut self, completion: Completion) {
        let now = self.engine.now();
        if now >= self.tally.edge() {
            self.pass(now);
        }
        self.tally.returned(1, now);
        self.collect_one(completion, now);
        self.slots.give_only();
        // Whoever looks at each completion has spent time on it.
        self.seen = if self.watched { Nanos::ZERO } else { now };
    }
}

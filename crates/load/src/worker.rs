//! One thread of a job: the loop of the load. The same code runs on hardware and in the
//! simulator; only who calls `turn` differs.
//!
//! Per request nothing is allocated, nothing shared is written, no float is computed (but for
//! Poisson gaps and skewed places), and nothing is dispatched dynamically.

mod gate;
mod outcome;
mod payload;

pub use outcome::WorkerOutcome;

use crate::pacer::{Due, Pacer};
use crate::shared::Shared;
use crate::slots::{Slot, Slots};
use crate::stream::Stream;
use crate::tally::Tally;
use crate::timeline::Timeline;
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::spec::{JobStop, SyncEvery};
use fathom_core::{Nanos, Op};
use fathom_engine::sim::{Actor, Step};
use fathom_engine::{Completion, Engine, EngineError, Progress, Submission, Wait};
use gate::Gates;
pub use payload::Payload;
use std::sync::Arc;

/// Lag after which an open load is given up.
const ABORT_LAG: Nanos = Nanos::from_secs(10);

/// What a worker is made of; see [`Worker::new`].
#[derive(Debug)]
pub struct WorkerParts {
    /// Position of the job in its phase.
    pub job: usize,
    /// Number of the thread in the job.
    pub thread: u32,
    /// One stream for each target.
    pub streams: Vec<Stream>,
    /// When requests are due.
    pub pacer: Pacer,
    /// Where results go.
    pub tally: Tally,
    /// What writes carry.
    pub payload: Payload,
    /// Slots: lanes and slots a lane.
    pub slots: Slots,
    /// Flush after every so many writes.
    pub sync: Option<SyncEvery>,
    /// The thread's share of the job's amounts.
    pub stop: JobStop,
    /// Whether the phase ends when all amounts are done.
    pub amounts_end_phase: bool,
    /// Warm-up of the phase.
    pub warm_up: Nanos,
    /// Length of an interval.
    pub interval: Nanos,
    /// What the workers of the phase have in common.
    pub shared: Arc<Shared>,
}

/// One thread of a job at work.
#[derive(Debug)]
#[repr(align(128))]
pub struct Worker<E: Engine> {
    engine: E,
    slots: Slots,
    pacer: Pacer,
    tally: Tally,
    streams: Box<[Stream]>,
    next_stream: usize,
    done: Box<[Completion]>,
    gates: Option<Gates>,
    payload: Payload,
    shared: Arc<Shared>,
    /// Requests and bytes that may still be issued in the measured time.
    left: Option<(u64, u64)>,
    /// Whether new requests are issued.
    pushing: bool,
    started: bool,
    backlog: f64,
    outcome: WorkerOutcome,
    bursts: Histogram,
    parts: Limits,
}

#[derive(Debug)]
struct Limits {
    job: usize,
    amounts_end_phase: bool,
    warm_up: Nanos,
    interval: Nanos,
}

impl<E: Engine> Worker<E> {
    /// A worker with its engine. All memory it will need is allocated here.
    pub fn new(mut engine: E, parts: WorkerParts) -> Self {
        let mut payload = parts.payload;
        for slot in 0..parts.slots.len() {
            payload.prepare(engine.buffer(slot));
        }
        let nothing = Completion { slot: 0, result: 0 };
        let left = parts.stop.is_set().then(|| {
            (
                parts.stop.ios.unwrap_or(u64::MAX),
                parts.stop.bytes.map_or(u64::MAX, |bytes| bytes.0),
            )
        });
        Self {
            engine,
            done: vec![nothing; parts.slots.len() as usize].into(),
            gates: parts.sync.map(|sync| Gates::new(sync, parts.streams.len())),
            slots: parts.slots,
            pacer: parts.pacer,
            tally: parts.tally,
            streams: parts.streams.into(),
            next_stream: 0,
            payload,
            shared: parts.shared,
            left,
            pushing: true,
            started: false,
            backlog: 0.0,
            outcome: WorkerOutcome::new(parts.thread),
            bursts: Histogram::new(),
            parts: Limits {
                job: parts.job,
                amounts_end_phase: parts.amounts_end_phase,
                warm_up: parts.warm_up,
                interval: parts.interval,
            },
        }
    }

    /// The present instant of its engine.
    pub fn now(&mut self) -> Nanos {
        self.engine.now()
    }

    fn begin(&mut self) {
        let start = self.shared.start();
        self.pacer.begin(start);
        self.tally.begin(Timeline {
            start,
            measure: start + self.parts.warm_up,
            measure_end: self.shared.measure_end(),
            interval: self.parts.interval,
        });
        self.started = true;
    }

    /// One round: issue what is due, submit and wait in one call, record what completed.
    pub fn turn(&mut self) -> Result<Step, EngineError> {
        if !self.started {
            self.begin();
        }
        let now = self.engine.now();
        let in_flight = self.slots.in_flight();
        self.tally.held(in_flight, now);
        if now >= self.tally.boundary() || self.shared.measure_end() != self.tally.measure_end() {
            self.cross(now);
        }
        let until = if self.pushing {
            self.issue_due(now)
        } else {
            self.tally.boundary()
        };
        let in_flight = self.slots.in_flight();
        if in_flight == 0 && !self.pushing {
            self.finish(now);
            return Ok(Step::Done);
        }
        let wait = Wait {
            min: u32::from(in_flight > 0),
            until,
        };
        let mut count = 0;
        let done = &mut self.done;
        let progress = self.engine.turn(wait, &mut |completion| {
            done[count] = completion;
            count += 1;
        })?;
        self.outcome.turns += 1;
        if count > 0 {
            self.collect(count);
        }
        Ok(match progress {
            Progress::Ready => Step::Again,
            Progress::Parked(until) => Step::Parked(until),
        })
    }

    /// Issues every request that is due and has a slot; says until when to wait otherwise.
    #[inline]
    fn issue_due(&mut self, now: Nanos) -> Nanos {
        let boundary = self.tally.boundary();
        while !self.slots.is_full() {
            match self
                .pacer
                .due(now, self.slots.in_flight() == 0, &self.shared)
            {
                Due::Now(intended) => {
                    if !self.issue(now, intended) {
                        break;
                    }
                }
                Due::At(at) => return boundary.min(at),
                Due::WhenIdle => break,
            }
        }
        boundary
    }

    /// Issues one request; `false` when every lane is closed or the amount is done.
    #[inline]
    fn issue(&mut self, now: Nanos, intended: Nanos) -> bool {
        let Some((slot, target)) = self.take_slot() else {
            return false;
        };
        if let Some(data_only) = self
            .gates
            .as_mut()
            .and_then(|gates| gates.flush_due(target))
        {
            self.push(slot, target, Op::Flush, (0, 0), (now, now), data_only);
            return true;
        }
        let request = self.streams[target].next();
        if request.op == Op::Write {
            self.payload
                .fill(self.engine.buffer(slot), request.offset, request.len);
            if let Some(gates) = &mut self.gates {
                gates.wrote(target);
            }
        }
        self.pacer.issued(request.len);
        let place = (request.offset, request.len);
        self.push(slot, target, request.op, place, (intended, now), false);
        if self.left.is_some() {
            self.count_down(request.len)
        } else {
            true
        }
    }

    /// A free slot and the target its request goes to: each target has slots of its own, or
    /// all share them and are served in turn.
    #[inline]
    fn take_slot(&mut self) -> Option<(u32, usize)> {
        if self.slots.lanes() == self.streams.len() {
            return match &self.gates {
                None => self.slots.take(|_| true),
                Some(gates) => self.slots.take(|lane| gates.is_open(lane)),
            };
        }
        let targets = self.streams.len();
        let first = self.next_stream;
        let open = |target: &usize| {
            self.gates
                .as_ref()
                .is_none_or(|gates| gates.is_open(*target))
        };
        let target = (first..first + targets)
            .map(|target| target % targets)
            .find(open)?;
        let (slot, _) = self.slots.take(|_| true)?;
        self.next_stream = (target + 1) % targets;
        Some((slot, target))
    }

    #[inline]
    fn push(
        &mut self,
        slot: u32,
        target: usize,
        op: Op,
        (offset, len): (u64, u32),
        (intended, issued): (Nanos, Nanos),
        data_only: bool,
    ) {
        let target = target as u16;
        self.slots.set(
            slot,
            Slot {
                intended,
                issued,
                offset,
                len,
                target,
                op,
            },
        );
        self.engine.push(Submission {
            offset,
            slot,
            len,
            target,
            op,
            data_only,
        });
        self.tally.issued();
        self.outcome.issued += 1;
    }

    /// Counts an issued request against the thread's amount; `false` when it is done.
    fn count_down(&mut self, len: u32) -> bool {
        let Some((ios, bytes)) = &mut self.left else {
            return true;
        };
        if self.tally.part() != Part::Measure {
            return true;
        }
        *ios -= 1;
        *bytes = bytes.saturating_sub(u64::from(len));
        if *ios == 0 || *bytes == 0 {
            self.pushing = false;
            self.outcome.amount_done = true;
        }
        self.pushing
    }

    /// Records what completed in this turn.
    #[inline]
    fn collect(&mut self, count: usize) {
        let now = self.engine.now();
        self.tally.held(self.slots.in_flight(), now);
        if now >= self.tally.boundary() {
            self.cross(now);
        }
        for index in 0..count {
            let completion = self.done[index];
            let slot = *self.slots.get(completion.slot);
            let service = now.saturating_sub(slot.issued).0;
            if completion.result >= 0 {
                let response = now.saturating_sub(slot.intended).0;
                let bytes = completion.result as u32;
                let bytes = if slot.op == Op::Trim { slot.len } else { bytes };
                self.tally
                    .completed(slot.op, bytes, bytes < slot.len, service, response);
                if self.payload.checks() && slot.op == Op::Read {
                    self.check(completion.slot, &slot, bytes);
                }
            } else {
                self.fail(&slot, completion.result, now);
            }
            if self.gates.is_some() {
                self.pass_gate(slot.target, slot.op);
            }
            self.slots.give(completion.slot);
        }
        if self.slots.in_flight() == 0
            && let Some(length) = self.pacer.idle(now)
        {
            self.bursts.record(length.0);
            self.shared.burst_ended(self.parts.job);
        }
    }

    #[cold]
    fn fail(&mut self, slot: &Slot, result: i32, now: Nanos) {
        self.tally
            .failed(slot.op, -result, slot.target, slot.offset);
        self.outcome.failed += 1;
        self.shared.note_error(now);
    }

    #[inline(never)]
    fn check(&mut self, number: u32, slot: &Slot, bytes: u32) {
        let buffer = &self.engine.buffer(number)[..bytes as usize];
        if let Some(offset) = self.payload.check(buffer, slot.offset) {
            self.tally.note_error(Op::Read, 0, slot.target, offset);
            let now = self.engine.now();
            self.shared.note_error(now);
        }
    }

    #[inline(never)]
    fn pass_gate(&mut self, target: u16, op: Op) {
        if let Some(gates) = &mut self.gates {
            gates.completed(usize::from(target), op);
        }
    }

    /// Something changed: an interval has ended, or the end of the measured time has moved.
    #[cold]
    fn cross(&mut self, now: Nanos) {
        let in_flight = self.slots.in_flight();
        self.tally.set_measure_end(self.shared.measure_end());
        let backlog = self.pacer.backlog(now);
        // What was issued was due; what is due and waits has joined the backlog.
        let due = self.tally.issued_in_interval() as f64 + backlog - self.backlog;
        self.tally.due(due.round().max(0.0) as u64);
        self.backlog = backlog;
        self.tally.roll(in_flight, now);
        if self.pacer.lag(now) > ABORT_LAG {
            self.shared.give_up(now);
        }
        if now >= self.shared.load_end() {
            self.pushing = false;
        }
    }

    fn finish(&mut self, now: Nanos) {
        self.tally.finish(now);
        self.outcome.ended_at = now;
        self.outcome.long_intervals = self.tally.long_intervals();
        if self.outcome.amount_done {
            self.shared.amount_done(now, self.parts.amounts_end_phase);
        }
    }

    /// What the worker has to say beside its intervals, and its engine's features.
    pub fn into_outcome(mut self) -> WorkerOutcome {
        self.outcome.errors = self.tally.errors().to_vec();
        self.outcome.bursts = (!self.bursts.is_empty()).then_some(self.bursts);
        self.outcome.verified = self.payload.verified();
        self.outcome.max_lag = self.pacer.max_lag();
        self.outcome.flags = self.engine.flags();
        self.outcome
    }
}

impl<E: Engine> Actor for Worker<E> {
    fn step(&mut self) -> Result<Step, EngineError> {
        self.turn()
    }
}

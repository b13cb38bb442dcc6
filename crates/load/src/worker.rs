//! One thread of a job: the loop of the load. The same code runs on hardware and in the
//! simulator; only who calls `turn` differs.
//!
//! Per request nothing is allocated, nothing shared is written, no float is computed (but for
//! Poisson gaps and skewed places), and nothing is dispatched dynamically.

mod alone;
mod at_end;
mod batch;
mod between;
mod calls;
mod cold;
mod collect;
mod drain;
mod gate;
mod issue;
mod lateness;
mod outcome;
mod path;
mod payload;
mod replay_lags;
mod submit_batch;
mod turns;

pub use cold::ColdPasses;
pub use drain::{ABORT_WAIT, Late};
pub use outcome::WorkerOutcome;
pub use replay_lags::ReplayLags;

use crate::amount::Amount;
use crate::journal::Journal;
use crate::pacer::Pacer;
use crate::replay::Replayer;
use crate::shared::Shared;
use crate::slots::Slots;
use crate::stream::Stream;
use crate::tally::Tally;
use crate::target_latency::TargetLatencies;
use crate::timeline::Timeline;
use at_end::EndFlush;
use batch::Batch;
use between::ReadBack;
use calls::CallBook;
use fathom_core::Nanos;
use fathom_core::histogram::{Counts, Histogram};
use fathom_core::interval::Part;
use fathom_core::spec::{Job, QueueScope, SyncEvery};
use fathom_engine::sim::{Actor, Step};
use fathom_engine::{Completion, Engine, EngineError, Wait};
use gate::Gates;
use lateness::Lateness;
use path::Path;
pub use payload::Payload;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use submit_batch::SubmitBatch;
pub use turns::Turns;

/// Lag after which an open load is given up.
pub const ABORT_LAG: Nanos = Nanos::from_secs(10);

/// What a worker is made of; see [`Worker::new`].
#[derive(Debug)]
pub struct WorkerParts {
    /// Numbers and switches that stay as they are.
    pub limits: Limits,
    /// Whether a single request depends on what only other programs ask for
    /// ([`fathom_core::spec::Compat::is_of_requests`]). The plain path does not look for that.
    pub compat: bool,
    /// Number of the thread in the job.
    pub thread: u32,
    /// One stream for each target.
    pub streams: Vec<Stream>,
    /// Requests to be made again, instead of those of the streams.
    pub replay: Option<Replayer>,
    /// When requests are due.
    pub pacer: Pacer,
    /// Where results go.
    pub tally: Tally,
    /// Whether the generator's own time is kept of each request.
    pub splits: bool,
    /// And how long their requests took.
    pub latencies: Option<TargetLatencies>,
    /// Where requests go one by one, if that is asked for.
    pub journal: Option<Journal>,
    /// What writes carry.
    pub payload: Payload,
    /// Requests in flight: whether each target has its own, and how many.
    pub depth: Depth,
    /// Requests submitted at once at most; learned without it.
    pub submit_batch: Option<u32>,
    /// When it flushes what it wrote.
    pub sync: Option<SyncEvery>,
    /// Writes before successive flushes, if they differ.
    pub sync_pattern: Box<[u32]>,
    /// Which target has its turn, where that is said.
    pub turns: Option<Turns>,
    /// Requests of a pass over each target, where one could be ahead of the others.
    pub passes: Box<[u64]>,
    /// Writes after which they are read back, if they are in between.
    pub read_back: Option<u32>,
    /// What is dropped from the page cache after each pass, if that is asked for.
    pub cold: Option<ColdPasses>,
    /// The thread's share of the job's amounts, if it has any.
    pub amount: Option<Amount>,
    /// What the workers of the phase have in common.
    pub shared: Arc<Shared>,
    /// Set when the last interval has been handed over.
    pub ended: Arc<AtomicBool>,
}

impl WorkerParts {
    /// Whether there is something to do with each completion apart from counting it.
    const fn watches(&self) -> bool {
        self.sync.is_some()
            || !self.passes.is_empty()
            || self.journal.is_some()
            || self.splits
            || self.limits.apart
    }

    /// The amount, counted in requests where all of them have one length.
    fn amount_by_requests(&self) -> Option<Amount> {
        match (self.amount, self.streams.as_slice()) {
            (Some(amount), [stream]) if self.replay.is_none() => {
                let len = stream.only_len();
                Some(len.map_or(amount, |len| amount.in_requests_of(len)))
            }
            (amount, _) => amount,
        }
    }
}

/// How many requests a worker keeps in flight.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Depth {
    /// Limit by `scope`.
    pub queue_depth: u32,
    /// For each target or over all.
    pub scope: QueueScope,
}

impl Depth {
    /// What a job asks of each of its threads.
    pub const fn of(job: &Job) -> Self {
        Self {
            queue_depth: job.queue_depth,
            scope: job.queue_scope,
        }
    }

    /// Slots that a worker with `targets` targets wants.
    pub fn slots(self, targets: usize) -> u32 {
        match self.scope {
            QueueScope::PerTarget => self.queue_depth * targets as u32,
            QueueScope::Shared => self.queue_depth,
        }
    }

    /// The table of slots, as far as the engine allows.
    fn table(self, targets: usize, possible: u32) -> Slots {
        if self.scope == QueueScope::PerTarget && self.slots(targets) <= possible {
            Slots::new(targets, self.queue_depth)
        } else {
            Slots::new(1, self.slots(targets).min(possible).max(1))
        }
    }
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
    turns: Option<Turns>,
    done: Box<[Completion]>,
    calls: CallBook,
    /// What goes out with this turn.
    batch: Batch,
    /// How much that may be.
    submit_batch: SubmitBatch,
    /// Whose doing it is if that is late.
    lateness: Lateness,
    /// When the last completions were seen, if nothing was waited for since.
    seen: Nanos,
    gates: Option<Gates>,
    payload: Payload,
    journal: Option<Journal>,
    /// When the turn began that prepared what is in each slot; empty where nobody asks.
    begun: Box<[Nanos]>,
    replay: Option<Replayer>,
    /// Boxed: hardly a load has one, and the others keep what they touch together.
    /// Boxed for the same reason.
    read_back: Option<Box<ReadBack>>,
    /// And for this one.
    cold: Option<Box<ColdPasses>>,
    end_flush: Option<EndFlush>,
    /// When it saw first that nobody wants a result any more.
    aborted: Option<Nanos>,
    /// Whether requests are in flight that it does not wait for.
    leaves_requests: bool,
    /// Whether there is something to do with each completion apart from counting it.
    watched: bool,
    /// Whether streams are notified of their requests' ends.
    follows: bool,
    shared: Arc<Shared>,
    /// What may still be issued in the measured time.
    left: Option<Amount>,
    /// Whether new requests are issued.
    pushing: bool,
    /// How requests are issued, decided before the loop.
    path: Path,
    /// Arrivals that were due and waited when the last interval ended.
    backlog: u64,
    /// Instant after which the job issues nothing more.
    own_end: Nanos,
    outcome: WorkerOutcome,
    bursts: Histogram,
    /// Where nothing but the burst of another job is waited for, in virtual time: the next instant
    /// at which that is looked for, and the distance to those after it.
    polls: Option<(Nanos, Nanos)>,
    ended: Arc<AtomicBool>,
    limits: Limits,
}

/// What a worker only looks up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Position of the job in its phase.
    pub job: usize,
    /// Whether the phase ends when all amounts are done.
    pub amounts_end_phase: bool,
    /// Whether it ends when this thread has done its part.
    pub ends_phase: bool,
    /// Whether it has done its part when there is no room left.
    pub ends_when_full: bool,
    /// Whether what is issued in the warm-up is part of the amount.
    pub counts_warm_up: bool,
    /// Warm-up of the phase.
    pub warm_up: Nanos,
    /// Length of an interval.
    pub interval: Nanos,
    /// From the start of the phase to that of the job.
    pub delay: Nanos,
    /// Time after which the job issues nothing more.
    pub time: Option<Nanos>,
    /// Completions waited for.
    pub complete_batch: u32,
    /// Whether several targets are kept apart.
    pub apart: bool,
    /// Whether the targets are flushed when the load is over.
    pub sync_at_end: bool,
}

impl<E: Engine> Worker<E> {
    /// A worker with its engine. All memory it will need is allocated here.
    pub fn new(mut engine: E, parts: WorkerParts) -> Self {
        let limits = parts.limits;
        let amount = parts.amount_by_requests();
        let follows = parts.streams.iter().any(Stream::follows);
        let watches = parts.watches() || follows;
        let slots = parts
            .depth
            .table(parts.streams.len(), engine.max_in_flight());
        let path = Path::of(&parts, slots.count());
        let mut payload = parts.payload.kept(engine.keeps_content());
        payload.make_room(slots.count());
        for slot in 0..slots.count() {
            payload.prepare(engine.buffer(slot));
        }
        let learns = engine.submits_batches() && slots.count() > 1;
        let submit_batch = SubmitBatch::new(parts.submit_batch, slots.count(), learns);
        let back = parts.read_back.filter(|_| payload.tracks());
        let read_back = back.map(|writes| Box::new(ReadBack::new(writes, slots.count())));
        let burst_pages = if parts.pacer.is_in_bursts() {
            Counts::PAGES
        } else {
            0
        };
        let is_timed = parts.replay.as_ref().is_some_and(Replayer::is_timed);
        let watched = watches || payload.checks() || payload.tracks();
        Self {
            engine,
            path,
            done: vec![Completion { slot: 0, result: 0 }; slots.count() as usize].into(),
            calls: CallBook::new(slots.count()),
            batch: Batch::new(slots.count()),
            submit_batch,
            lateness: Lateness::default(),
            seen: Nanos::ZERO,
            gates: Gates::needed(
                (parts.sync, parts.sync_pattern),
                parts.streams.len(),
                parts.passes,
            ),
            begun: begun(parts.splits, slots.count()),
            outcome: WorkerOutcome {
                replay: is_timed.then(|| Box::new(ReplayLags::new())),
                ..WorkerOutcome::new(limits.job, parts.thread, slots.count(), parts.latencies)
            },
            slots,
            pacer: parts.pacer,
            tally: parts.tally,
            streams: parts.streams.into(),
            next_stream: 0,
            turns: parts.turns,
            payload,
            journal: parts.journal,
            replay: parts.replay,
            read_back,
            cold: parts.cold.map(Box::new),
            end_flush: None,
            aborted: None,
            leaves_requests: false,
            watched,
            follows,
            shared: parts.shared,
            left: amount,
            pushing: true,
            backlog: 0,
            own_end: Nanos::MAX,
            bursts: Histogram::with_room(burst_pages),
            polls: None,
            ended: parts.ended,
            limits,
        }
    }

    /// The present instant of its engine.
    pub fn now(&mut self) -> Nanos {
        self.engine.now()
    }

    /// Takes over the start of the phase. Once, before the first turn.
    pub fn begin(&mut self) {
        let start = self.shared.start();
        self.pacer.begin(start);
        if let Some(replay) = &mut self.replay {
            replay.begin(start.saturating_add(self.limits.delay));
        }
        if let Some(time) = self.limits.time {
            let begin = self.limits.delay.max(self.limits.warm_up);
            self.own_end = start.saturating_add(begin).saturating_add(time);
        }
        self.tally.begin(Timeline {
            start,
            measure: start + self.limits.warm_up,
            measure_end: self.shared.measure_end(),
            load_end: self.shared.load_end(),
            interval: self.limits.interval,
        });
    }

    /// One round: issue what is due, submit and wait in one call, record what completed.
    #[expect(
        clippy::inline_always,
        reason = "per request where there is one at a time; a call costs a tenth of the work"
    )]
    #[inline(always)]
    pub fn turn(&mut self) -> Result<Step, EngineError> {
        let now = self.begin_turn();
        if now >= self.tally.edge() || self.shared.measure_end() != self.tally.measure_end() {
            self.pass(now);
        }
        if self.path == Path::Alone {
            return self.turn_alone(now);
        }
        let until = if !self.pushing {
            let Some(until) = self.drain(now) else {
                return Ok(Step::Done);
            };
            until
        } else if self.path == Path::Plain {
            self.issue_all(now)
        } else {
            self.issue_due(now)
        };
        if self.slots.in_flight() == 0 && !self.pushing && !self.flush_at_end(now) {
            self.finish(now);
            return Ok(Step::Done);
        }
        let in_flight = self.slots.in_flight();
        let sent = self.send(now);
        // With more to be submitted, or while what that costs is learned, nothing is waited for.
        let wait = if until == Nanos::ZERO || sent > 0 && self.submit_batch.learns() {
            Wait::NOT_AT_ALL
        } else {
            Wait {
                min: self.limits.complete_batch.min(in_flight),
                until,
            }
        };
        let mut count = 0;
        let done = &mut self.done;
        let progress = self.engine.turn(wait, &mut |completion| {
            done[count] = completion;
            count += 1;
        })?;
        self.outcome.turns += 1;
        if self.tally.part() == Part::Measure {
            self.calls.count(sent, in_flight, count);
        }
        if self.submit_batch.learns() {
            self.learn(now, count, sent);
        }
        if count > 0 {
            self.collect(count);
        }
        Ok(Step::from(progress))
    }

    /// The instant at which the turn begins: that at which completions were seen last, if there was
    /// no wait since.
    #[inline]
    fn begin_turn(&mut self) -> Nanos {
        if self.seen > Nanos::ZERO {
            return std::mem::take(&mut self.seen);
        }
        self.engine.now()
    }

    /// A slice has ended, or something changed.
    #[cold]
    fn pass(&mut self, now: Nanos) {
        let same_end = self.shared.measure_end() == self.tally.measure_end();
        if same_end && now < self.tally.boundary() {
            self.tally.close_slices(now);
        } else {
            self.cross(now);
        }
    }

    /// Something changed: an interval has ended, or the end of the measured time has moved.
    #[cold]
    fn cross(&mut self, now: Nanos) {
        let in_flight = self.slots.in_flight();
        self.tally.set_times(&self.shared);
        let part = self.tally.part();
        let (pacer, backlog) = (&mut self.pacer, &mut self.backlog);
        let done = self.outcome.amount_done;
        self.tally
            .roll(in_flight, now, |end| due_before(end, pacer, backlog, done));
        if self.tally.part() == Part::CoolDown {
            // Each completion is looked at: it may be one that was in flight at the end.
            self.watched = true;
        }
        if part == Part::WarmUp && self.tally.part() == Part::Measure {
            self.outcome.max_lag = Nanos::ZERO;
        }
        if self.pacer.lag(now) > ABORT_LAG {
            self.shared.give_up(now);
        }
        if now >= self.shared.load_end() {
            self.pushing = false;
            // Waiting for what is in flight is done by the general turn.
            self.leave_alone();
        }
    }

    fn finish(&mut self, now: Nanos) {
        let done = self.outcome.amount_done;
        let end = now.min(self.shared.load_end());
        let due = due_before(end, &mut self.pacer, &mut self.backlog, done);
        self.tally.due(due);
        self.tally.finish(now);
        self.outcome.ended_at = now;
        self.outcome.end_flush = self.end_flush.as_ref().map(|flush| (flush.begun, now));
        self.outcome.long_intervals = self.tally.long_intervals();
        if self.outcome.amount_done {
            self.shared.amount_done(now, self.limits.amounts_end_phase);
            if self.limits.ends_phase {
                self.shared.leave_by_amount(now);
            }
        }
        self.ended.store(true, Ordering::Release);
    }

    /// The worker's results apart from its intervals, and its engine's features.
    ///
    /// Dropping the engine waits for what is in flight, unless the worker has given that up: then
    /// its buffers stay with the kernel until the process ends.
    pub fn into_outcome(mut self) -> WorkerOutcome {
        self.outcome.errors = self.tally.errors().to_vec();
        self.outcome.calls = self.calls.counts();
        self.outcome.bursts = (!self.bursts.is_empty()).then_some(self.bursts);
        self.outcome.verified = self.payload.verified();
        self.outcome.journal_waits = self.journal.as_ref().map_or(0, Journal::waits);
        self.outcome.requests_lost = self.journal.as_ref().map_or(0, Journal::lost);
        self.outcome.submit_batch = self.submit_batch.reported();
        self.outcome.spin = self.engine.spin();
        self.outcome.flags = self.engine.flags();
        if self.leaves_requests {
            self.engine.abandon();
        }
        self.outcome
    }
}

/// Memory for the start of the turn that prepares what is in each slot, if that is kept.
fn begun(is_kept: bool, slots: u32) -> Box<[Nanos]> {
    let room = if is_kept { slots as usize } else { 0 };
    vec![Nanos::ZERO; room].into()
}

/// Arrivals that came due before `end` since this was last asked: what was issued was due, and what
/// is due and waits has joined the `backlog`. When its amount is done a job waits for nothing more.
fn due_before(end: Nanos, pacer: &mut Pacer, backlog: &mut u64, done: bool) -> u64 {
    let waiting = if done { 0 } else { pacer.backlog(end) };
    let before = std::mem::replace(backlog, waiting);
    (pacer.take_arrived() + waiting).saturating_sub(before)
}

impl<E: Engine> Actor for Worker<E> {
    fn step(&mut self) -> Result<Step, EngineError> {
        if let Some((next, every)) = self.polls.take() {
            let left_out = self.engine.now().saturating_sub(next);
            self.outcome.turns += left_out.0.div_ceil(every.0);
        }
        let step = self.turn()?;
        let Step::Parked(next) = step else {
            return Ok(step);
        };
        let until = self.tally.boundary().min(self.own_end);
        let every = self.pacer.polls().filter(|_| {
            let ends_by_the_clock = self.shared.measure_end() < Nanos::MAX;
            self.slots.in_flight() == 0 && next < until && ends_by_the_clock
        });
        let Some(every) = every else { return Ok(step) };
        self.polls = Some((next, every));
        Ok(Step::Polls { next, every, until })
    }

    fn signals(&self) -> u64 {
        self.pacer.bursts_done() + u64::from(self.outcome.amount_done)
    }
}

//! Jobs that begin and end within a phase: bursts by the clock, bursts and loads that follow those
//! of other jobs, and jobs with volumes of their own.
//!
//! Between two events every rate is constant. An event is a burst that begins or ends, a bucket
//! that runs empty, or a backlog that is worked off.

use super::demand::{JobDemand, PhaseDemand};
use super::portion::Portion;
use crate::models::System;
use crate::models::Waits;
use crate::models::streams::{Share, Stream, Streams, Wish};
use fathom_core::Nanos;
use fathom_core::histogram::Histogram;
use fathom_core::spec::{Job, Pacing, Phase};

/// Requests below which nothing is left of a burst or of a backlog.
const NOTHING: f64 = 1e-3;

/// The jobs of a phase at work.
#[derive(Debug)]
pub(super) struct Jobs<'a> {
    streams: Streams<'a>,
    workers: Vec<Worker>,
    now: Nanos,
    /// Requests that each limit delayed, and those that none did.
    held: Vec<f64>,
    free: f64,
}

#[derive(Debug)]
struct Worker {
    kind: Kind,
    /// When it begins, unless it waits for another job.
    begin: Nanos,
    after: Option<usize>,
    waits: bool,
    /// Bursts of the other job that it has followed.
    answered: u64,
    /// Bursts of its own that have ended, and their lengths.
    ended: u64,
    lengths: Histogram,
}

#[derive(Debug)]
enum Kind {
    Closed,
    /// A rate a second, and the requests that wait.
    Open(f64, f64),
    /// Requests of a burst and what is left of it; its period, zero for one that follows.
    Burst(f64, f64, Nanos),
}

impl Worker {
    fn new(job: &Job, demand: &JobDemand, after: Option<usize>, start: Nanos) -> Self {
        let requests = |bytes: fathom_core::Bytes| bytes.0 as f64 / demand.flow.mean_bytes();
        let kind = match (&job.pacing, demand.open_iops) {
            (_, Some(rate)) => Kind::Open(rate, 0.0),
            (Pacing::Cyclic { every, bytes }, _) => {
                Kind::Burst(requests(*bytes), requests(*bytes), *every)
            }
            (Pacing::Triggered { bytes }, _) => {
                Kind::Burst(requests(*bytes), requests(*bytes), Nanos::ZERO)
            }
            _ => Kind::Closed,
        };
        Self {
            kind,
            begin: start + job.delay,
            after,
            waits: after.is_some(),
            answered: 0,
            ended: 0,
            lengths: Histogram::new(),
        }
    }

    fn wish(&self, now: Nanos) -> Wish {
        if self.waits || now < self.begin {
            return Wish::Idle;
        }
        match self.kind {
            Kind::Open(rate, backlog) if backlog <= NOTHING => Wish::Rate(rate),
            _ => Wish::All,
        }
    }

    /// Seconds until something of its own changes at this rate.
    fn next(&self, wish: Wish, iops: f64, now: Nanos) -> f64 {
        let end = match (wish, &self.kind) {
            (Wish::Idle, _) if self.waits => f64::INFINITY,
            (Wish::Idle, _) => (self.begin - now).as_secs_f64(),
            (_, Kind::Burst(_, left, _)) => left / iops,
            (Wish::All, Kind::Open(rate, backlog)) if iops > *rate => backlog / (iops - rate),
            _ => f64::INFINITY,
        };
        if end.is_nan() { f64::INFINITY } else { end }
    }

    /// Goes on for a span that ends at `now`.
    fn pass(&mut self, wish: Wish, iops: f64, seconds: f64, now: Nanos) {
        if wish == Wish::Idle {
            return;
        }
        match &mut self.kind {
            Kind::Closed => {}
            Kind::Open(rate, backlog) => *backlog = (*backlog + (*rate - iops) * seconds).max(0.0),
            Kind::Burst(requests, left, every) => {
                *left -= iops * seconds;
                if *left > NOTHING {
                    return;
                }
                *left = *requests;
                self.lengths.record((now - self.begin).0);
                self.ended += 1;
                self.begin = (self.begin + *every).max(now);
                self.waits = *every == Nanos::ZERO;
            }
        }
    }
}

impl<'a> Jobs<'a> {
    /// The jobs of a phase that begins at an instant.
    pub(super) fn new(
        phase: &Phase,
        demand: &PhaseDemand,
        system: &'a mut System,
        start: Nanos,
    ) -> Self {
        let place = |name: &String| phase.jobs.iter().position(|job| job.name == *name);
        let jobs = phase.jobs.iter().zip(&demand.jobs);
        let workers = jobs.map(|(job, demand)| {
            let after = job.after.as_ref().and_then(place);
            Worker::new(job, demand, after, start)
        });
        let streams: Vec<Stream> = demand.jobs.iter().map(|job| job.stream.clone()).collect();
        Self {
            workers: workers.collect(),
            now: start,
            held: vec![0.0; system.limiters().len()],
            free: 0.0,
            streams: Streams::new(system, &streams),
        }
    }

    /// The volumes.
    pub(super) fn system(&self) -> &System {
        self.streams.system()
    }

    /// Goes on for a span.
    pub(super) fn serve(&mut self, length: Nanos) -> Portion {
        let end = self.now + length;
        let mut portion = Portion::of(self.workers.len());
        while self.now < end {
            self.follow();
            let wishes = self.workers.iter().map(|worker| worker.wish(self.now));
            let wishes: Vec<Wish> = wishes.collect();
            let (shares, lasts) = self.streams.shares(&wishes, self.now);
            let own = self.workers.iter().zip(&wishes).zip(&shares);
            let next = own.map(|((worker, wish), share)| worker.next(*wish, share.iops, self.now));
            let next = next
                .fold(lasts, f64::min)
                .min((end - self.now).as_secs_f64());
            // At least a nanosecond, so that every step gets on.
            let until = (self.now + Nanos(((next * 1e9).ceil() as u64).max(1))).min(end);
            let span = until - self.now;
            self.streams.take(&shares, self.now, span);
            self.pass(&wishes, &shares, until, span, &mut portion);
            self.now = until;
        }
        let seconds = length.as_secs_f64();
        for held in &mut portion.held {
            *held /= seconds;
        }
        portion
    }

    /// Begins what a burst has ended for.
    fn follow(&mut self) {
        for index in 0..self.workers.len() {
            let Some(first) = self.workers[index].after else {
                continue;
            };
            let ended = self.workers[first].ended;
            let worker = &mut self.workers[index];
            if worker.waits && ended > worker.answered {
                worker.answered = ended;
                worker.begin = worker.begin.max(self.now);
                worker.waits = false;
            }
        }
    }

    fn pass(
        &mut self,
        wishes: &[Wish],
        shares: &[Share],
        until: Nanos,
        span: Nanos,
        portion: &mut Portion,
    ) {
        let seconds = span.as_secs_f64();
        for (index, worker) in self.workers.iter_mut().enumerate() {
            let share = shares[index];
            worker.pass(wishes[index], share.iops, seconds, until);
            let requests = share.iops * seconds;
            portion.requests[index] += requests;
            portion.held[index] += share.in_flight * seconds;
            match share.bound {
                Some(limit) => self.held[usize::from(limit)] += requests,
                None => self.free += requests,
            }
            if let Kind::Open(_, backlog) = worker.kind
                && backlog > NOTHING
            {
                portion.delay_ns = portion.delay_ns.max(backlog / share.iops * 1e9);
            }
        }
    }

    /// Forgets the bursts that have ended so far, as the measured time begins.
    pub(super) fn measure(&mut self) {
        for worker in &mut self.workers {
            worker.lengths = Histogram::new();
        }
    }

    /// The lengths of the bursts of each job.
    pub(super) fn lengths(&self) -> impl Iterator<Item = &Histogram> {
        self.workers.iter().map(|worker| &worker.lengths)
    }

    /// What held requests back.
    pub(super) fn waits(&self) -> Waits {
        let names = crate::model::VolumeModel::limits(self.system());
        Waits::of(
            names
                .into_iter()
                .zip(self.held.iter().map(|held| *held as u64)),
            self.free as u64,
        )
    }
}

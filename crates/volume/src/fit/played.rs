//! Recorded requests on a system, each at its recorded instant: what it waited for.

use super::Responses;
use crate::model::IoShape;
use crate::models::System;
use fathom_core::SmallSort as _;
use fathom_core::trace::TraceRequest;
use fathom_core::{CapUnit, Nanos, Op};
use serde::Serialize;

/// Credit that falls by a smaller share of the bucket with each repetition stays the same.
const SAME: f64 = 1e-9;

/// What became of the requests.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Played {
    /// Reads, writes and discards; flushes are counted apart.
    pub requests: u64,
    /// Until the end of the trace, or until the last request was done if that is later.
    pub seconds: f64,
    /// Seconds of the trace in which a request waited for a limit.
    pub held_seconds: f64,
    /// The limits that held requests back, the one that did so longest first.
    pub limits: Vec<Held>,
    /// Requests that waited for a limit at the end of the trace.
    pub waiting_at_end: u64,
    /// The longest wait for a limit, seconds.
    pub longest_wait_seconds: f64,
    /// The buckets whose credit ends, the first one first.
    pub credits: Vec<CreditEnd>,
    /// From the arrivals to the completions.
    #[serde(skip)]
    pub responses: Responses,
}

/// A limit that held requests back.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Held {
    /// As in `gp3 IOPS`; limits of a name count as one.
    pub limit: String,
    /// Its sustained rate, requests or bytes a second; of each volume.
    pub per_second: f64,
    /// Its rate while there is burst credit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub burst_per_second: Option<f64>,
    /// Whether it counts bytes.
    pub is_of_bytes: bool,
    /// Requests that waited for it longest.
    pub requests: u64,
    /// Seconds in which any of them waited.
    pub seconds: f64,
}

/// The end of a credit.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CreditEnd {
    /// Whose, as in `gp2 IOPS`.
    pub limit: String,
    /// Seconds after the start until it is empty.
    pub seconds: f64,
    /// Whether that is computed: the trace ends before, and is repeated.
    pub is_repeated: bool,
}

impl Played {
    /// Requests a second until the last one was done.
    pub fn iops(&self) -> f64 {
        self.requests as f64 / self.seconds
    }

    /// The share of the trace in which requests waited, 0 to 1.
    pub fn held_share(&self, length: Nanos) -> f64 {
        self.held_seconds / length.as_secs_f64()
    }
}

/// Makes the requests of a trace of this length, which are in their order, from full buckets or as
/// the system has them.
pub fn play(system: &System, requests: &[TraceRequest], length: Nanos) -> Played {
    let mut system = system.clone();
    let mut player = Player::new(&system, requests, length);
    for request in requests {
        player.make(&mut system, request, Nanos::ZERO);
    }
    let credits = player.credits(&mut system, requests);
    let held = player.held.iter().filter(|held| held.requests > 0);
    let mut limits: Vec<Held> = held.cloned().collect();
    limits.small_sort_by(|one, other| other.seconds.total_cmp(&one.seconds));
    Played {
        requests: player.responses.count(),
        seconds: player.last_done.max(length).as_secs_f64(),
        held_seconds: player.all.seconds(),
        limits,
        waiting_at_end: player.waiting_at_end,
        longest_wait_seconds: player.longest_wait.as_secs_f64(),
        credits,
        responses: player.responses,
    }
}

/// The time that intervals cover which come in the order of their starts.
#[derive(Clone, Copy, Debug, Default)]
struct Cover {
    total: Nanos,
    until: Nanos,
}

impl Cover {
    fn add(&mut self, from: Nanos, to: Nanos) {
        let from = from.max(self.until);
        self.total = self.total + to.saturating_sub(from);
        self.until = self.until.max(to);
    }

    fn seconds(self) -> f64 {
        self.total.as_secs_f64()
    }
}

struct Player {
    length: Nanos,
    responses: Responses,
    last_done: Nanos,
    all: Cover,
    /// By title.
    held: Vec<Held>,
    covers: Vec<Cover>,
    /// Of each limiter, its place in these.
    places: Vec<usize>,
    /// When the credit of each limiter was first spent.
    spent: Vec<Option<Nanos>>,
    waiting_at_end: u64,
    longest_wait: Nanos,
}

impl Player {
    fn new(system: &System, requests: &[TraceRequest], length: Nanos) -> Self {
        let mut held: Vec<Held> = Vec::new();
        let mut places = Vec::new();
        for limiter in system.limiters() {
            let limit = limiter.title();
            let known = held.iter().position(|known| known.limit == limit);
            places.push(known.unwrap_or(held.len()));
            if known.is_none() {
                let burst = Some(limiter.peak_rate()).filter(|peak| *peak > limiter.base_rate());
                held.push(Held {
                    limit,
                    per_second: limiter.base_rate(),
                    burst_per_second: burst,
                    is_of_bytes: limiter.unit() == CapUnit::BytesPerSecond,
                    requests: 0,
                    seconds: 0.0,
                });
            }
        }
        Self {
            length,
            responses: Responses::new(length, requests.len() as u64),
            last_done: Nanos::ZERO,
            all: Cover::default(),
            covers: vec![Cover::default(); held.len()],
            held,
            places,
            spent: vec![None; system.limiters().len()],
            waiting_at_end: 0,
            longest_wait: Nanos::ZERO,
        }
    }

    fn make(&mut self, system: &mut System, request: &TraceRequest, from: Nanos) {
        let io = IoShape {
            op: request.op,
            offset: request.offset,
            bytes: request.len,
        };
        let at = from.saturating_add(request.at);
        let (admission, waited) = system.admit_waiting(io, at);
        self.last_done = self.last_done.max(admission.done);
        if request.op != Op::Flush {
            self.responses.add(request.at, admission.done - at);
        }
        let Some(index) = admission.bound.map(usize::from) else {
            return;
        };
        let until = at.saturating_add(waited);
        // What waits after the end is no time of the trace.
        let end = from + self.length;
        self.all.add(at, until.min(end));
        let place = self.places[index];
        self.covers[place].add(at, until.min(end));
        self.held[place].requests += 1;
        self.held[place].seconds = self.covers[place].seconds();
        self.waiting_at_end += u64::from(until > end);
        self.longest_wait = self.longest_wait.max(waited);
        let level = system.limiters()[index].credit(until);
        if level.is_some_and(|(level, _)| level < 1.0) {
            self.spent[index].get_or_insert(at);
        }
    }

    /// When the credit of each limit ends, in the trace or if it is repeated.
    fn credits(&self, system: &mut System, requests: &[TraceRequest]) -> Vec<CreditEnd> {
        let levels = |system: &System, at: Nanos| -> Vec<Option<(f64, f64)>> {
            let limiters = system.limiters().iter();
            limiters.map(|limiter| limiter.credit(at)).collect()
        };
        let first = levels(system, self.length);
        let is_even = first.iter().flatten().all(|(level, full)| level >= full);
        let has_ended = self.spent.iter().any(Option::is_some);
        if !is_even && !has_ended && self.waiting_at_end == 0 {
            let mut again = Self::new(system, requests, self.length);
            for request in requests {
                again.make(system, request, self.length);
            }
        }
        let second = levels(system, self.length + self.length);
        let length = self.length.as_secs_f64();
        let repeated = |index: usize| {
            let ((before, full), (after, _)) = first[index].zip(second[index])?;
            let fell = before - after;
            let is_less = !has_ended && fell > SAME * full;
            is_less.then(|| length + before / fell * length)
        };
        let mut ends: Vec<CreditEnd> = Vec::new();
        for (index, limiter) in system.limiters().iter().enumerate() {
            let spent = self.spent[index].map(Nanos::as_secs_f64);
            let seconds = spent.or_else(|| repeated(index));
            ends.extend(seconds.map(|seconds| CreditEnd {
                limit: limiter.title(),
                seconds,
                is_repeated: spent.is_none(),
            }));
        }
        ends.small_sort_by(|one, other| one.seconds.total_cmp(&other.seconds));
        let mut known: Vec<CreditEnd> = Vec::new();
        for end in ends {
            if known.iter().all(|other| other.limit != end.limit) {
                known.push(end);
            }
        }
        known
    }
}

//! Several streams of requests at once in closed form, each with outstanding requests and volumes
//! of its own.
//!
//! A stream gets N / (L + W): its outstanding requests, over the latency of its volumes and the
//! waits at the limits on its way. A limit delays all requests alike (they stand in one queue), by
//! as much as brings its rate down to what it lets through. [`super::fluid`] has one stream of each
//! kind, and no waits to find.

use super::System;
use crate::model::{Flow, LimitIndex};
use fathom_core::Nanos;
use std::collections::HashMap;

/// Tokens below which a bucket is empty: less than any request costs.
const EMPTY: f64 = 0.5;
/// Rounds in which the waits are found; each changes them less.
const ROUNDS: usize = 200;
/// Part of a rate by which the last round may change it.
const CLOSE: f64 = 1e-12;

/// A stream as it is asked for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stream {
    /// Its requests.
    pub(crate) flow: Flow,
    /// The role whose volumes it uses; none for all of them.
    pub(crate) role: Option<usize>,
    /// Requests that it keeps outstanding at most.
    pub(crate) outstanding: f64,
}

/// What a stream does at an instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Wish {
    /// Nothing.
    Idle,
    /// Requests at this rate a second, as long as it gets it.
    Rate(f64),
    /// All that it can get.
    All,
}

/// What a stream gets.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Share {
    /// Requests a second.
    pub(crate) iops: f64,
    /// Requests on their way.
    pub(crate) in_flight: f64,
    /// The limit at which they wait longest, if they wait.
    pub(crate) bound: Option<LimitIndex>,
}

/// The streams of a phase on their volumes.
#[derive(Debug)]
pub(crate) struct Streams<'a> {
    system: &'a mut System,
    lanes: Vec<Lane>,
    /// What was found for the same wishes and the same empty buckets.
    found: HashMap<(Vec<u64>, Vec<bool>), Vec<Share>>,
}

/// A stream with what a request of it costs.
#[derive(Debug)]
struct Lane {
    outstanding: f64,
    latency_s: f64,
    /// Tokens at each limit; behind them the share of a second of the devices of each role.
    costs: Vec<f64>,
}

impl Lane {
    /// Requests a second with these waits in seconds.
    fn rate(&self, wish: Wish, waits: &[f64]) -> f64 {
        let most = match wish {
            Wish::Idle => return 0.0,
            Wish::Rate(rate) => rate,
            Wish::All => f64::INFINITY,
        };
        (self.outstanding / self.time(waits)).min(most)
    }

    /// Seconds that a request takes with these waits.
    fn time(&self, waits: &[f64]) -> f64 {
        let on_its_way = self
            .costs
            .iter()
            .zip(waits)
            .filter(|(cost, _)| **cost > 0.0);
        let waits: f64 = on_its_way.map(|(_, wait)| wait).sum();
        (self.latency_s + waits).max(1e-9)
    }
}

impl<'a> Streams<'a> {
    /// Streams on volumes whose buckets they use.
    pub(crate) fn new(system: &'a mut System, streams: &[Stream]) -> Self {
        let roles = streams.iter().filter_map(|stream| stream.role).max();
        let devices = roles.map_or(1, |most| most + 1);
        let lanes = streams.iter().map(|stream| {
            let (mut costs, iops) = system.costs_of(&stream.flow, stream.role);
            let own = stream.role.unwrap_or(0);
            costs.extend((0..devices).map(|role| if role == own { 1.0 / iops } else { 0.0 }));
            Lane {
                outstanding: stream.outstanding,
                latency_s: system.latency_ns_of(&stream.flow, stream.role) / 1e9,
                costs,
            }
        });
        Self {
            lanes: lanes.collect(),
            found: HashMap::new(),
            system,
        }
    }

    /// The volumes.
    pub(crate) fn system(&self) -> &System {
        self.system
    }

    /// What each stream gets from an instant on, and for how many seconds at most: until a bucket
    /// is empty.
    pub(crate) fn shares(&mut self, wishes: &[Wish], at: Nanos) -> (Vec<Share>, f64) {
        let limiters = self.system.limiters().iter();
        let credit: Vec<_> = limiters.map(|limiter| limiter.credit(at)).collect();
        let spent = credit
            .iter()
            .map(|credit| credit.is_some_and(|(level, _)| level <= EMPTY));
        let spent: Vec<bool> = spent.collect();
        let shares = self.cached(wishes, &spent);
        let mut lasts = f64::INFINITY;
        for (index, level) in credit.iter().enumerate() {
            let drain = self.drain(index, &shares);
            if let Some((level, _)) = level
                && *level > EMPTY
                && drain > 1e-9
            {
                lasts = lasts.min(level / drain);
            }
        }
        (shares, lasts)
    }

    /// Takes what the streams get over a span out of the buckets, or puts in what is left of it.
    pub(crate) fn take(&mut self, shares: &[Share], at: Nanos, span: Nanos) {
        let seconds = span.as_secs_f64();
        for index in 0..self.system.limiters().len() {
            let drain = self.drain(index, shares);
            let limiter = &mut self.system.limiters_mut()[index];
            if let Some((level, full)) = limiter.credit(at) {
                limiter.set_credit(at + span, (level - drain * seconds).clamp(0.0, full));
            }
        }
    }

    /// Tokens a second that leave the bucket of a limit; negative while it fills.
    fn drain(&self, index: usize, shares: &[Share]) -> f64 {
        self.used(index, shares.iter().map(|share| share.iops))
            - self.system.limiters()[index].base_rate()
    }

    fn used(&self, index: usize, rates: impl Iterator<Item = f64>) -> f64 {
        let lanes = self.lanes.iter().zip(rates);
        lanes.map(|(lane, rate)| lane.costs[index] * rate).sum()
    }

    fn cached(&mut self, wishes: &[Wish], spent: &[bool]) -> Vec<Share> {
        let word = |wish: &Wish| match wish {
            Wish::Idle => 0,
            Wish::Rate(rate) => rate.to_bits(),
            Wish::All => u64::MAX,
        };
        let key = (wishes.iter().map(word).collect(), spent.to_vec());
        if let Some(shares) = self.found.get(&key) {
            return shares.clone();
        }
        let shares = self.find(wishes, spent);
        self.found.insert(key, shares.clone());
        shares
    }

    /// Finds the waits, one limit after the other, until none changes.
    fn find(&self, wishes: &[Wish], spent: &[bool]) -> Vec<Share> {
        let limiters = self.system.limiters().iter().zip(spent);
        let mut most: Vec<f64> = limiters
            .map(|(limiter, spent)| {
                if *spent {
                    limiter.base_rate()
                } else {
                    limiter.peak_rate()
                }
            })
            .collect();
        let all = self.lanes.first().map_or(0, |lane| lane.costs.len());
        most.resize(all, 1.0);
        let mut waits = vec![0.0; all];
        for _ in 0..ROUNDS {
            let before = self.rates(wishes, &waits);
            for index in 0..all {
                waits[index] = self.wait(index, most[index], wishes, &waits);
            }
            let after = self.rates(wishes, &waits);
            let mut pairs = before.iter().zip(&after);
            if pairs.all(|(before, after)| (before - after).abs() <= CLOSE * after) {
                break;
            }
        }
        let limits = self.system.limiters().len();
        let rates = self.rates(wishes, &waits).into_iter().zip(&self.lanes);
        rates
            .map(|(iops, lane)| {
                let waited = (0..limits).filter(|i| lane.costs[*i] > 0.0 && waits[*i] > 0.0);
                let longest = waited.max_by(|one, other| waits[*one].total_cmp(&waits[*other]));
                Share {
                    iops,
                    in_flight: iops * lane.time(&waits),
                    bound: longest.map(|index| index as LimitIndex),
                }
            })
            .collect()
    }

    fn rates(&self, wishes: &[Wish], waits: &[f64]) -> Vec<f64> {
        let lanes = self.lanes.iter().zip(wishes);
        lanes.map(|(lane, wish)| lane.rate(*wish, waits)).collect()
    }

    /// Seconds for which a limit has to delay requests so that no more than `most` tokens a second
    /// pass it, the other waits being what they are.
    fn wait(&self, index: usize, most: f64, wishes: &[Wish], waits: &[f64]) -> f64 {
        let mut waits = waits.to_vec();
        let mut exceeds = |wait: f64| {
            waits[index] = wait;
            self.used(index, self.rates(wishes, &waits).into_iter()) > most
        };
        if !exceeds(0.0) {
            return 0.0;
        }
        let (mut low, mut high) = (0.0, 1e-6);
        while exceeds(high) && high < 1e9 {
            low = high;
            high *= 2.0;
        }
        for _ in 0..64 {
            let middle = f64::midpoint(low, high);
            if exceeds(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        high
    }
}

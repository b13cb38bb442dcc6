//! What a load is like, in the numbers by which two are compared.

use super::dispersion::Dispersion;
use super::ends::Ends;
use super::reuse::Reuse;
use crate::request::Request;
use fathom_core::{Histogram, Op};
use std::collections::BTreeMap;

/// Sizes that are counted; further ones count as the last of these.
const MOST_SIZES: usize = 4096;
/// Intervals of the indices of dispersion.
const INTERVALS_NS: [u64; 3] = [10_000_000, 100_000_000, 1_000_000_000];
/// A request that is this much earlier than one before it is out of order. Those of several
/// processors are a little so.
const OUT_OF_ORDER_NS: u64 = 10_000_000;
/// Nothing is claimed if more than one request of this number is out of order.
const REQUESTS_FOR_ONE_OUT_OF_ORDER: u64 = 100;
/// Windows of a trace at most, and their least length.
const MOST_WINDOWS: u64 = 10;
const LEAST_WINDOW_NS: u64 = 10_000_000_000;
/// Sizes of the caches, as shares of the space that the load uses.
pub(super) const CACHES: [f64; 5] = [0.01, 0.05, 0.1, 0.25, 0.5];

/// The numbers of a load from one instant to another.
#[derive(Clone, Debug)]
pub struct Axes {
    start_ns: u64,
    end_ns: u64,
    footprint_bytes: u64,
    pub(super) counts: BTreeMap<(Op, u64), u64>,
    pub(super) flushes: u64,
    follows: u64,
    /// As many as follow by chance.
    skips: u64,
    ends: BTreeMap<(u16, Op), Ends>,
    dispersion: [Dispersion; 3],
    reuse: Reuse,
    now_ns: u64,
    /// Requests, flushes excluded, that are out of order.
    pub(super) out_of_order: u64,
    pub(super) service: Histogram,
}

impl Axes {
    /// For requests between two instants to a space of about this size, whose pages are accessed
    /// about this number of times.
    pub fn new(start_ns: u64, end_ns: u64, footprint_bytes: u64, accesses: u64) -> Self {
        let dispersion = |interval_ns| Dispersion::new(start_ns, interval_ns);
        Self {
            start_ns,
            end_ns,
            footprint_bytes,
            counts: BTreeMap::new(),
            flushes: 0,
            follows: 0,
            skips: 0,
            ends: BTreeMap::new(),
            dispersion: INTERVALS_NS.map(dispersion),
            reuse: Reuse::new(footprint_bytes, accesses),
            now_ns: start_ns,
            out_of_order: 0,
            service: Histogram::new(),
        }
    }

    /// Adds a request.
    pub fn add(&mut self, request: &Request) {
        let Some(op) = request.flags.op() else {
            return;
        };
        if op == Op::Flush {
            self.flushes += 1;
            return;
        }
        let mut key = (op, request.bytes);
        if self.counts.len() >= MOST_SIZES && !self.counts.contains_key(&key) {
            key.1 = u64::MAX;
        }
        *self.counts.entry(key).or_default() += 1;
        let ends = self.ends.entry((request.device, op)).or_default();
        let follows = ends.add(request.offset, request.bytes);
        self.follows += u64::from(follows.exactly);
        self.skips += u64::from(follows.skipping);
        let is_late = request.at_ns.saturating_add(OUT_OF_ORDER_NS) < self.now_ns;
        self.out_of_order += u64::from(is_late);
        self.now_ns = self.now_ns.max(request.at_ns);
        for dispersion in &mut self.dispersion {
            dispersion.add(self.now_ns);
        }
        if op == Op::Trim {
            return;
        }
        self.reuse
            .add(request.device, request.offset, request.bytes);
        if let Some(service_ns) = request.service_ns {
            self.service.record(service_ns);
        }
    }

    pub(super) fn requests(&self) -> u64 {
        self.counts.values().sum()
    }

    pub(super) fn of(&self, op: Op) -> u64 {
        let sizes = self.counts.range((op, 0)..=(op, u64::MAX));
        sizes.map(|(_, count)| count).sum()
    }

    pub(super) fn mean_bytes(&self) -> f64 {
        let bytes = self
            .counts
            .iter()
            .map(|((_, size), count)| *size as f64 * *count as f64);
        bytes.sum::<f64>() / self.requests().max(1) as f64
    }

    pub(super) fn per_second(&self, count: u64) -> f64 {
        count as f64 * 1e9 / (self.end_ns - self.start_ns).max(1) as f64
    }

    pub(super) fn sequential(&self) -> f64 {
        self.follows.saturating_sub(self.skips) as f64 / self.requests().max(1) as f64
    }

    pub(super) fn dispersion(&self, scale: usize) -> Option<f64> {
        self.dispersion[scale].index(self.end_ns)
    }

    /// Intervals of the index of dispersion.
    pub(super) const fn intervals(&self, scale: usize) -> u64 {
        (self.end_ns - self.start_ns) / INTERVALS_NS[scale]
    }

    /// Hit ratios of caches of [`CACHES`]; none without reads and writes, or with a sample of too
    /// few.
    pub(super) fn hit_ratios(&self) -> Option<[f64; CACHES.len()]> {
        let mut found = [0.0; CACHES.len()];
        for (ratio, share) in found.iter_mut().zip(CACHES) {
            *ratio = self
                .reuse
                .hit_ratio((self.footprint_bytes as f64 * share) as u64)?;
        }
        Some(found)
    }
}

impl Axes {
    /// Whether too many requests are out of order for their instants to say much.
    pub(super) fn is_out_of_order(&self) -> bool {
        self.out_of_order > self.requests() / REQUESTS_FOR_ONE_OUT_OF_ORDER
    }
}

/// The numbers of a whole trace, and of each of some windows of it.
#[derive(Clone, Debug)]
pub struct Windows {
    pub(super) whole: Axes,
    pub(super) parts: Vec<Axes>,
    length_ns: u64,
}

impl Windows {
    /// For a trace of this length: 2 windows to 10, of at least 10 s if there are more than 2.
    pub fn new(length_ns: u64, footprint_bytes: u64, accesses: u64) -> Self {
        let count = (length_ns / LEAST_WINDOW_NS).clamp(2, MOST_WINDOWS);
        let length = length_ns.max(count);
        let edge =
            |number: u64| (u128::from(length) * u128::from(number) / u128::from(count)) as u64;
        let part = |number| Axes::new(edge(number), edge(number + 1), footprint_bytes, accesses);
        Self {
            whole: Axes::new(0, length, footprint_bytes, accesses),
            parts: (0..count).map(part).collect(),
            length_ns: length,
        }
    }

    /// Adds requests.
    pub fn add(&mut self, requests: &[Request]) {
        for request in requests {
            self.whole.add(request);
            let count = self.parts.len() as u128;
            let part = u128::from(request.at_ns) * count / u128::from(self.length_ns);
            let last = self.parts.len() - 1;
            self.parts[(part as usize).min(last)].add(request);
        }
    }

    /// Whether too many requests are out of order for the rate of the trace to be known.
    pub fn is_out_of_order(&self) -> bool {
        self.whole.is_out_of_order()
    }

    /// How many windows the trace was cut into.
    pub fn count(&self) -> usize {
        self.parts.len()
    }

    /// Length of a window, nanoseconds.
    pub fn window_ns(&self) -> u64 {
        self.length_ns / self.parts.len() as u64
    }
}

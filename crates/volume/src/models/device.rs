//! A device at the end of the way: what it takes for a request once the limits let it through.

use super::node::{Done, Stage, admit_stages};
use super::service::ServiceLaw;
use super::{HostCache, Limiter};
use crate::model::{FlowKind, IoShape};
use fathom_core::{Nanos, Op};
use rand_core::SeedableRng as _;
use rand_distr::Distribution as _;
use rand_xoshiro::Xoshiro256PlusPlus;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

/// Each time this number of requests waits, one more is considered for the nearest.
const QUEUE_PER_CANDIDATE: usize = 2;
/// Requests that a disk takes from the host at once, as SATA has it: it chooses among these.
const DISK_QUEUE: usize = 32;

/// What a rotating disk needs before it can transfer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seek {
    /// Mean seek in nanoseconds.
    pub seek_ns: f64,
    /// Half a revolution in nanoseconds.
    pub half_turn_ns: f64,
}

/// A device with its limits, and what a request takes.
#[derive(Clone, Debug)]
pub struct Device {
    /// Limits on the way, in stages; places in the system's list of limiters.
    pub(super) stages: Vec<Stage>,
    /// The host's cache on the way; its place in the system's list.
    pub(super) cache: Option<u16>,
    size_bytes: u64,
    read: ServiceLaw,
    write: ServiceLaw,
    /// Nanoseconds for each byte, on top.
    per_byte_ns: f64,
    seek: Option<Seek>,
    /// Whether seeks and turns are drawn, and requests that wait are sorted.
    spreads: bool,
    /// When those that it has taken are done.
    taken: VecDeque<Nanos>,
    /// Where the last request ended, for a device that seeks.
    head: u64,
    /// Instants at which servers become free; none where all requests are served at once.
    servers: Option<BinaryHeap<Reverse<Nanos>>>,
    random: Xoshiro256PlusPlus,
}

impl Device {
    /// A device of a size that takes `service` for every request, however many there are.
    pub fn new(size_bytes: u64, service: ServiceLaw, seed: u64) -> Self {
        Self {
            stages: Vec::new(),
            cache: None,
            size_bytes,
            read: service.clone(),
            write: service,
            per_byte_ns: 0.0,
            seek: None,
            spreads: false,
            taken: VecDeque::new(),
            head: 0,
            servers: None,
            random: Xoshiro256PlusPlus::seed_from_u64(seed),
        }
    }

    /// With limits on the way, one stage after the other.
    #[must_use]
    pub fn behind(mut self, stages: Vec<Stage>) -> Self {
        self.stages = stages;
        self
    }

    /// With the host's cache in front.
    #[must_use]
    pub fn cached(mut self, cache: u16) -> Self {
        self.cache = Some(cache);
        self
    }

    /// With another law for writes and trims.
    #[must_use]
    pub fn writes(mut self, law: ServiceLaw) -> Self {
        self.write = law;
        self
    }

    /// With a transfer rate in bytes a second on top of the service time.
    #[must_use]
    pub fn transfer(mut self, bytes_per_second: f64) -> Self {
        self.per_byte_ns = 1e9 / bytes_per_second;
        self
    }

    /// Serving a number of requests at once; others wait in line.
    #[must_use]
    pub fn servers(mut self, count: u32) -> Self {
        let free = (0..count.max(1)).map(|_| Reverse(Nanos::ZERO)).collect();
        self.servers = Some(free);
        self
    }

    /// As a rotating disk: one request at a time, and a seek before each that does not continue
    /// the last.
    #[must_use]
    pub fn rotating(mut self, seek: Seek) -> Self {
        self.seek = Some(seek);
        self.servers(1)
    }

    /// As a disk whose seeks take by their length and whose turns are anywhere, the means being
    /// those of [`Seek`], and which takes the nearest of those that wait.
    #[must_use]
    pub fn spread(mut self) -> Self {
        self.spreads = true;
        self
    }

    /// Usable bytes.
    pub const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        let mut done = Done::at(at);
        if let Some(cache) = self.cache {
            let cache = &mut caches[usize::from(cache)];
            done = done.then(cache.stage().admit(io, done.at, limiters));
            if let Some(hit_ns) = cache.hit(io.op) {
                done.at = Nanos(done.at.0 + hit_ns);
                return done;
            }
        }
        done = admit_stages(&self.stages, io, done, limiters);
        let waiting = self.waiting(done.at);
        let service = Nanos(self.service(io, waiting).round() as u64);
        let start = match &mut self.servers {
            None => done.at,
            Some(free_at) => {
                let Reverse(free) = free_at.pop().unwrap_or_default();
                let start = free.max(done.at);
                free_at.push(Reverse(start + service));
                start
            }
        };
        done.at = start + service;
        if self.spreads {
            self.taken.push_back(done.at);
        }
        done
    }

    /// Requests that wait or are served at an instant.
    fn waiting(&mut self, at: Nanos) -> usize {
        while self.taken.front().is_some_and(|done| *done <= at) {
            self.taken.pop_front();
        }
        self.taken.len()
    }

    /// Nanoseconds until the head is where a request begins; `waiting` others are there to choose
    /// from.
    ///
    /// A seek takes a fifth of its mean and what grows with the root of its length, whose mean
    /// between two random places is 8/15 of the disk's; a turn is anywhere. Of every two that wait
    /// one more is looked at, and the nearest is taken: the gain at 32 is about twofold, as is
    /// assumed. More than 32 wait outside of the disk, which does not know them.
    fn positioning(&mut self, seek: Seek, offset: u64, waiting: usize) -> f64 {
        if !self.spreads {
            return seek.seek_ns + seek.half_turn_ns;
        }
        let size = self.size_bytes.max(1) as f64;
        let mut unit = || -> f64 { rand_distr::StandardUniform.sample(&mut self.random) };
        let own = self.head.abs_diff(offset) as f64 / size;
        let mut best = f64::INFINITY;
        for candidate in 0..=waiting.min(DISK_QUEUE) / QUEUE_PER_CANDIDATE {
            let distance = if candidate == 0 {
                own
            } else {
                (unit() - unit()).abs()
            };
            let seek_ns = seek.seek_ns * (0.2 + 0.8 * 15.0 / 8.0 * distance.min(1.0).sqrt());
            best = best.min(seek_ns + 2.0 * seek.half_turn_ns * unit());
        }
        best
    }

    fn service(&mut self, io: IoShape, waiting: usize) -> f64 {
        let law = match io.op {
            Op::Read => &self.read,
            _ => &self.write,
        };
        let mut time = law.draw(&mut self.random);
        if matches!(io.op, Op::Read | Op::Write) {
            time += self.per_byte_ns * f64::from(io.bytes);
            if let Some(seek) = self.seek
                && self.head != io.offset
            {
                time += self.positioning(seek, io.offset, waiting);
            }
            self.head = io.offset + u64::from(io.bytes);
        }
        time
    }

    /// Mean service time of a kind in nanoseconds.
    pub(super) fn mean_service(&self, kind: &FlowKind) -> f64 {
        let law = match kind.op {
            Op::Read => &self.read,
            _ => &self.write,
        };
        let transfer = self.per_byte_ns * kind.bytes;
        let seek = self.seek.map_or(0.0, |seek| {
            (1.0 - kind.sequential) * (seek.seek_ns + seek.half_turn_ns)
        });
        match kind.op {
            Op::Read | Op::Write => law.mean() + transfer + seek,
            _ => law.mean(),
        }
    }

    /// Requests served at once, where that is limited.
    pub(super) fn server_count(&self) -> Option<usize> {
        self.servers.as_ref().map(BinaryHeap::len)
    }
}

//! The tree of an array: devices at the leaves, and how requests are spread over them.

use super::{Device, HostCache, Limiter, Mirror, Parity, Roles, Stripe};
use crate::model::{FlowKind, IoShape, LimitIndex};
use fathom_core::Nanos;

/// A device, or several as one.
#[derive(Clone, Debug)]
pub enum Node {
    /// A single device with its service times.
    Device(Box<Device>),
    /// RAID 0.
    Stripe(Stripe),
    /// RAID 1.
    Mirror(Mirror),
    /// RAID 5 or 6.
    Parity(Parity),
    /// Several side by side, each for a role.
    Roles(Roles),
}

/// Limits that a request passes together: places in the system's list of limiters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage(pub Vec<LimitIndex>);

/// When something is done, and what held it back longest so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Done {
    pub(super) at: Nanos,
    pub(super) bound: Option<LimitIndex>,
    pub(super) waited: Nanos,
}

impl Done {
    pub(super) const fn at(at: Nanos) -> Self {
        Self {
            at,
            bound: None,
            waited: Nanos::ZERO,
        }
    }

    /// What came after this: its instant, and whichever wait was longer.
    pub(super) fn then(self, next: Self) -> Self {
        if next.waited >= self.waited {
            next
        } else {
            Self {
                at: next.at,
                ..self
            }
        }
    }

    /// Of two that go on at the same time, the later one.
    pub(super) fn later(self, other: Self) -> Self {
        if other.at > self.at { other } else { self }
    }
}

impl Stage {
    /// Takes a request through all limits at once, as early as all of them allow.
    pub(super) fn admit(&self, io: IoShape, at: Nanos, limiters: &mut [Limiter]) -> Done {
        let mut done = Done::at(at);
        let mut tokens = [0_u64; 8];
        for (slot, index) in tokens.iter_mut().zip(&self.0) {
            let limiter = &mut limiters[usize::from(*index)];
            let tokens = limiter.tokens(io, at);
            *slot = tokens.count;
            let start = limiter.earliest(at, *slot);
            let start = tokens.with.map_or(start, |with| start.max(with));
            if start > done.at {
                done = Done {
                    at: start,
                    bound: Some(*index),
                    waited: start - at,
                };
            }
        }
        for (tokens, index) in tokens.iter().zip(&self.0) {
            let limiter = &mut limiters[usize::from(*index)];
            limiter.take(done.at, *tokens);
            limiter.waits(io, done.at);
        }
        done
    }

    /// Adds what a kind costs at each limit, by its weight.
    pub(super) fn charge(&self, kind: &FlowKind, limiters: &[Limiter], costs: &mut [f64]) {
        for index in &self.0 {
            let index = usize::from(*index);
            costs[index] += kind.weight * limiters[index].mean_tokens(kind);
        }
    }
}

pub(super) fn admit_stages(
    stages: &[Stage],
    io: IoShape,
    from: Done,
    limiters: &mut [Limiter],
) -> Done {
    stages.iter().fold(from, |done, stage| {
        done.then(stage.admit(io, done.at, limiters))
    })
}

/// What a flow costs, per request of the flow.
#[derive(Clone, Debug, Default)]
pub(super) struct Costs {
    /// Tokens at each limiter.
    pub(super) tokens: Vec<f64>,
    /// Most requests of the flow a second before some device has no free server.
    pub(super) device_iops: f64,
}

impl Node {
    /// Usable bytes.
    pub fn size_bytes(&self) -> u64 {
        match self {
            Self::Device(device) => device.size_bytes(),
            Self::Stripe(stripe) => stripe.size_bytes(),
            Self::Mirror(mirror) => mirror.size_bytes(),
            Self::Parity(parity) => parity.size_bytes(),
            Self::Roles(roles) => roles.size_bytes(),
        }
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        match self {
            Self::Device(device) => device.admit(io, at, limiters, caches),
            Self::Stripe(stripe) => stripe.admit(io, at, limiters, caches),
            Self::Mirror(mirror) => mirror.admit(io, at, limiters, caches),
            Self::Parity(parity) => parity.admit(io, at, limiters, caches),
            Self::Roles(roles) => roles.admit(io, at, limiters, caches),
        }
    }

    /// Adds what requests of these kinds cost below here. Weights are requests for each request of
    /// the whole flow.
    pub(super) fn charge(
        &self,
        kinds: &[FlowKind],
        limiters: &[Limiter],
        caches: &[HostCache],
        costs: &mut Costs,
    ) {
        match self {
            Self::Device(device) => charge_device(device, kinds, limiters, caches, costs),
            Self::Stripe(stripe) => stripe.charge(kinds, limiters, caches, costs),
            Self::Mirror(mirror) => mirror.charge(kinds, limiters, caches, costs),
            Self::Parity(parity) => parity.charge(kinds, limiters, caches, costs),
            Self::Roles(roles) => roles.charge(kinds, limiters, caches, costs),
        }
    }

    /// Mean time of a request of a kind where nothing waits, nanoseconds.
    pub(super) fn latency(&self, kind: &FlowKind, caches: &[HostCache]) -> f64 {
        match self {
            Self::Device(device) => {
                let cache = device.cache.map(|index| &caches[usize::from(index)]);
                let service = device.mean_service(kind);
                cache.map_or(service, |cache| {
                    let misses = cache.misses(kind);
                    misses * service + (1.0 - misses) * cache.hit_time()
                })
            }
            Self::Stripe(stripe) => stripe.latency(kind, caches),
            Self::Mirror(mirror) => mirror.latency(kind, caches),
            Self::Parity(parity) => parity.latency(kind, caches),
            Self::Roles(roles) => roles.latency(kind, caches),
        }
    }
}

fn charge_device(
    device: &Device,
    kinds: &[FlowKind],
    limiters: &[Limiter],
    caches: &[HostCache],
    costs: &mut Costs,
) {
    let mut busy_ns = 0.0;
    for kind in kinds {
        let mut kind = *kind;
        if let Some(cache) = device.cache {
            let cache = &caches[usize::from(cache)];
            cache.charge(&kind, limiters, &mut costs.tokens);
            kind.weight *= cache.misses(&kind);
        }
        for stage in &device.stages {
            stage.charge(&kind, limiters, &mut costs.tokens);
        }
        busy_ns += kind.weight * device.mean_service(&kind);
    }
    if let Some(servers) = device.server_count().filter(|_| busy_ns > 0.0) {
        costs.device_iops = costs.device_iops.min(servers as f64 * 1e9 / busy_ns);
    }
}

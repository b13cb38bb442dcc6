//! All of it together: an array of devices, the limits on the way to them, and their credit.

use super::HostCache;
use super::fluid;
use super::limiter::Limiter;
use super::node::{Costs, Node};
use crate::model::{
    Admission, Demand, Fate, Flow, IoShape, Level, Served, VolumeModel, VolumeState,
};
use fathom_core::Nanos;

/// Volumes behind an instance, as one.
#[derive(Clone, Debug)]
pub struct System {
    title: String,
    root: Node,
    limiters: Vec<Limiter>,
    caches: Vec<HostCache>,
}

impl System {
    /// An array whose devices name their limits and caches by place in these lists.
    pub const fn new(
        title: String,
        root: Node,
        limiters: Vec<Limiter>,
        caches: Vec<HostCache>,
    ) -> Self {
        Self {
            title,
            root,
            limiters,
            caches,
        }
    }

    /// Its limits, for those who want more than names and levels.
    pub fn limiters(&self) -> &[Limiter] {
        &self.limiters
    }

    pub(crate) fn limiters_mut(&mut self) -> &mut [Limiter] {
        &mut self.limiters
    }

    /// What a request of a flow costs at each limit, in tokens, and the most requests a second
    /// that the devices can serve.
    pub fn costs(&self, flow: &Flow) -> (Vec<f64>, f64) {
        self.costs_of(flow, None)
    }

    /// The same of a flow that uses the volumes of one role.
    pub(crate) fn costs_of(&self, flow: &Flow, role: Option<usize>) -> (Vec<f64>, f64) {
        let mut costs = Costs {
            tokens: vec![0.0; self.limiters.len()],
            device_iops: f64::INFINITY,
        };
        let flow = flow.normalized();
        self.node(role)
            .charge(&flow.kinds, &self.limiters, &self.caches, &mut costs);
        (costs.tokens, costs.device_iops)
    }

    /// Mean time of a request of a flow where nothing waits, nanoseconds.
    pub fn latency_ns(&self, flow: &Flow) -> f64 {
        self.latency_ns_of(flow, None)
    }

    /// The same of a flow that uses the volumes of one role.
    pub(crate) fn latency_ns_of(&self, flow: &Flow, role: Option<usize>) -> f64 {
        let node = self.node(role);
        let kinds = flow.normalized().kinds.into_iter();
        kinds
            .map(|kind| kind.weight * node.latency(&kind, &self.caches))
            .sum()
    }

    /// The volumes of a role, or all of them.
    fn node(&self, role: Option<usize>) -> &Node {
        match (&self.root, role) {
            (Node::Roles(roles), Some(role)) => roles.node(role),
            _ => &self.root,
        }
    }

    /// As [`VolumeModel::admit`], with the time for which the limit `bound` held the request back.
    pub fn admit_waiting(&mut self, io: IoShape, at: Nanos) -> (Admission, Nanos) {
        let done = self
            .root
            .admit(io, at, &mut self.limiters, &mut self.caches);
        let admission = Admission {
            done: done.at,
            bound: done.bound,
            fate: Fate::Good,
        };
        (admission, done.waited)
    }
}

impl VolumeModel for System {
    fn admit(&mut self, io: IoShape, at: Nanos) -> Admission {
        self.admit_waiting(io, at).0
    }

    fn serve(&mut self, demand: &Demand, at: Nanos, span: Nanos) -> Served {
        fluid::serve(self, demand, at, span)
    }

    fn state(&self, at: Nanos) -> VolumeState {
        let levels = self.limiters.iter().filter_map(|limiter| limiter.level(at));
        VolumeState {
            levels: grouped(&levels.collect::<Vec<_>>()),
        }
    }

    fn limits(&self) -> Vec<String> {
        self.limiters.iter().map(Limiter::title).collect()
    }

    fn size_bytes(&self) -> u64 {
        self.root.size_bytes()
    }

    fn place(&self, target: u64, targets: u64) -> (u64, u64) {
        if let Node::Roles(roles) = &self.root {
            return roles.place(usize::try_from(target).unwrap_or(usize::MAX));
        }
        let size = self.size_bytes();
        (size / targets.max(1) * target, size)
    }

    fn title(&self) -> &str {
        &self.title
    }

    fn boxed(&self) -> Box<dyn VolumeModel> {
        Box::new(self.clone())
    }
}

/// Levels to show: of several buckets with the same name, the lowest stands for all.
fn grouped(levels: &[Level]) -> Vec<Level> {
    lowest(levels, |name, count| match count {
        1 => format!("{name} credit"),
        count => format!("{name} credit, lowest of {count}"),
    })
}

/// Of several levels with the same name the lowest, under the name of a group of that number.
pub(super) fn lowest(levels: &[Level], named: impl Fn(&str, usize) -> String) -> Vec<Level> {
    let same = |one: &Level, other: &Level| one.name == other.name && one.unit == other.unit;
    let share = |level: &Level| level.value / level.full;
    let mut shown: Vec<Level> = Vec::new();
    for (index, level) in levels.iter().enumerate() {
        if levels[..index].iter().any(|other| same(level, other)) {
            continue;
        }
        let group = || levels.iter().filter(|other| same(level, other));
        let lowest = group().min_by(|one, other| share(one).total_cmp(&share(other)));
        let name = named(&level.name, group().count());
        shown.extend(lowest.map(|lowest| Level {
            name,
            ..lowest.clone()
        }));
    }
    shown
}

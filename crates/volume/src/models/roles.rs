//! Volumes of several roles side by side: data, log, temporary files. Each has places of its own,
//! one role after the other, so that a request tells by its offset whose it is.

use super::node::{Costs, Done, Node};
use super::{HostCache, Limiter};
use crate::model::{FlowKind, IoShape};
use fathom_core::Nanos;

/// The volumes of each role.
#[derive(Clone, Debug)]
pub struct Roles {
    /// First byte of each, and what it lies on.
    parts: Vec<(u64, Node)>,
    size_bytes: u64,
}

impl Roles {
    /// Roles in the order in which their places follow each other.
    pub fn new(nodes: Vec<Node>) -> Self {
        let mut parts = Vec::new();
        let mut begin = 0;
        for node in nodes {
            let size = node.size_bytes();
            parts.push((begin, node));
            begin += size;
        }
        Self {
            parts,
            size_bytes: begin,
        }
    }

    /// Usable bytes of all of them.
    pub const fn size_bytes(&self) -> u64 {
        self.size_bytes
    }

    /// First byte and size of a role, by its number; of the last for any beyond.
    pub fn place(&self, number: usize) -> (u64, u64) {
        let part = self.parts.get(number).or(self.parts.last());
        part.map_or((0, 0), |(begin, node)| (*begin, node.size_bytes()))
    }

    /// The volumes of a role, by its number.
    pub(super) fn node(&self, number: usize) -> &Node {
        &self.parts[number].1
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        let of = self.parts.partition_point(|(begin, _)| *begin <= io.offset);
        let Some((begin, node)) = self.parts.get_mut(of.saturating_sub(1)) else {
            return Done::at(at);
        };
        let own = IoShape {
            offset: io.offset - *begin,
            ..io
        };
        node.admit(own, at, limiters, caches)
    }

    /// What requests cost that are spread evenly over the roles.
    pub(super) fn charge(
        &self,
        kinds: &[FlowKind],
        limiters: &[Limiter],
        caches: &[HostCache],
        costs: &mut Costs,
    ) {
        let share = 1.0 / self.parts.len().max(1) as f64;
        let kinds: Vec<FlowKind> = kinds
            .iter()
            .map(|kind| FlowKind {
                weight: kind.weight * share,
                ..*kind
            })
            .collect();
        for (_, node) in &self.parts {
            node.charge(&kinds, limiters, caches, costs);
        }
    }

    pub(super) fn latency(&self, kind: &FlowKind, caches: &[HostCache]) -> f64 {
        let nodes = self.parts.iter();
        let sum: f64 = nodes.map(|(_, node)| node.latency(kind, caches)).sum();
        sum / self.parts.len().max(1) as f64
    }
}

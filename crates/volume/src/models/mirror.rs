//! RAID 1: every member has everything. One of them answers a read, all of them take a write.

use super::node::{Costs, Done};
use super::{HostCache, Limiter, Node};
use crate::model::{FlowKind, IoShape};
use fathom_core::{Nanos, Op};

/// Reads change the member after this number of bytes of the address space, so that a stream stays
/// with one member long enough to be merged, and random reads are spread evenly.
const TURN_BYTES: u64 = 1 << 20;

/// Members with the same contents.
#[derive(Clone, Debug)]
pub struct Mirror {
    members: Vec<Node>,
}

impl Mirror {
    /// A mirror of members.
    pub const fn new(members: Vec<Node>) -> Self {
        Self { members }
    }

    /// Usable bytes: those of the smallest member.
    pub fn size_bytes(&self) -> u64 {
        let sizes = self.members.iter().map(Node::size_bytes);
        sizes.min().unwrap_or(0)
    }

    pub(super) fn admit(
        &mut self,
        io: IoShape,
        at: Nanos,
        limiters: &mut [Limiter],
        caches: &mut [HostCache],
    ) -> Done {
        if io.op == Op::Read {
            let turn = (io.offset / TURN_BYTES) as usize % self.members.len();
            return self.members[turn].admit(io, at, limiters, caches);
        }
        let each = self.members.iter_mut();
        each.fold(Done::at(at), |done, node| {
            done.later(node.admit(io, at, limiters, caches))
        })
    }

    pub(super) fn charge(
        &self,
        kinds: &[FlowKind],
        limiters: &[Limiter],
        caches: &[HostCache],
        costs: &mut Costs,
    ) {
        let part = |kind: &FlowKind| FlowKind {
            weight: match kind.op {
                Op::Read => kind.weight / self.members.len() as f64,
                _ => kind.weight,
            },
            ..*kind
        };
        let parts: Vec<FlowKind> = kinds.iter().map(part).collect();
        for member in &self.members {
            member.charge(&parts, limiters, caches, costs);
        }
    }

    pub(super) fn latency(&self, kind: &FlowKind, caches: &[HostCache]) -> f64 {
        let of_members = self.members.iter().map(|node| node.latency(kind, caches));
        of_members.fold(0.0, f64::max)
    }
}

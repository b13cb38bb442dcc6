//! The host's cache on the way to a disk: hits pay its own limits only.

use super::limiter::Limiter;
use super::node::Stage;
use crate::model::FlowKind;
use fathom_core::Op;

/// The host's cache: reads that hit it go no further; all others pay its limits and the disk's.
#[derive(Clone, Debug)]
pub struct HostCache {
    stage: Stage,
    /// Share of reads that hit, 0 to 1.
    hits: f64,
    /// Time of a hit, nanoseconds.
    hit_ns: u64,
    /// Hits that are due; one is taken whenever a whole one is there.
    due: f64,
}

impl HostCache {
    /// A cache behind limits, in which a share of the reads hits.
    pub fn new(stage: Stage, hits: f64, hit_ns: u64) -> Self {
        Self {
            stage,
            hits: hits.clamp(0.0, 1.0),
            hit_ns,
            due: 0.0,
        }
    }

    pub(super) const fn stage(&self) -> &Stage {
        &self.stage
    }

    /// The time of a hit, if this request is one. Hits are spread evenly, not drawn.
    pub(super) fn hit(&mut self, op: Op) -> Option<u64> {
        if op != Op::Read {
            return None;
        }
        self.due += self.hits;
        if self.due < 1.0 - 1e-9 {
            return None;
        }
        self.due -= 1.0;
        Some(self.hit_ns)
    }

    /// The share of a kind that goes on to the disk.
    pub(super) fn misses(&self, kind: &FlowKind) -> f64 {
        if kind.op == Op::Read {
            1.0 - self.hits
        } else {
            1.0
        }
    }

    pub(super) const fn hit_time(&self) -> f64 {
        self.hit_ns as f64
    }

    pub(super) fn charge(&self, kind: &FlowKind, limiters: &[Limiter], costs: &mut [f64]) {
        self.stage.charge(kind, limiters, costs);
    }
}

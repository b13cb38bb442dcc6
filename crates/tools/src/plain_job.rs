//! The job that dialects without many words of their own begin with.

use fathom_core::op::Op;
use fathom_core::spec::{Access, CursorScope, Durability, IoKind, Job, Phase, Workload};
use fathom_core::units::{Bytes, Percent};

/// Seed of workloads whose input names none.
pub const SEED: u64 = 42;

/// One thread, one request at a time, through the page cache, requests yet to be named.
pub fn job(name: impl Into<String>) -> Job {
    Job {
        name: name.into(),
        access: Access {
            cursor_scope: CursorScope::Shared,
            ..Access::PLAIN
        },
        durability: Durability {
            direct: false,
            ..Durability::PLAIN
        },
        ..Job::plain()
    }
}

/// Requests in order, of one size.
pub fn in_order(op: Op, block_size: Bytes) -> IoKind {
    IoKind {
        op,
        block_size,
        random: Percent::ZERO,
        align: block_size,
        weight: 1.0,
    }
}

/// A phase that lasts until its jobs have done their amounts.
pub fn phase(name: impl Into<String>, jobs: Vec<Job>) -> Phase {
    Phase {
        name: name.into(),
        jobs,
        ..Phase::plain()
    }
}

/// A workload of these phases.
pub fn workload(name: &str, source: String, phases: Vec<Phase>) -> Workload {
    Workload {
        name: name.to_owned(),
        source,
        seed: Some(SEED),
        phases,
        ..Workload::plain()
    }
}

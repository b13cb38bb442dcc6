//! The job that dialects without many words of their own begin with.

use fathom_core::op::Op;
use fathom_core::spec::{
    Access, Cursor, CursorScope, Data, Distribution, Durability, Fill, IoKind, Job, JobStop,
    Pacing, Phase, QueueScope, Verify, Walk, Workload,
};
use fathom_core::units::{Bytes, Nanos, Percent};

/// Seed of workloads whose input names none.
pub(crate) const SEED: u64 = 42;

/// One thread, one request at a time, through the page cache, requests yet to be named.
pub(crate) fn job(name: impl Into<String>) -> Job {
    Job {
        name: name.into(),
        targets: Vec::new(),
        threads: 1,
        queue_depth: 1,
        queue_scope: QueueScope::PerTarget,
        size: None,
        offset: Bytes(0),
        window: None,
        fresh: false,
        cold: false,
        warm: false,
        access: Access {
            distribution: Distribution::Uniform,
            without_repetition: false,
            stride: None,
            cursor: Cursor::Own { stride: None },
            cursor_scope: CursorScope::Shared,
            walk: Walk::Free,
        },
        pacing: Pacing::CLOSED,
        after: None,
        delay: Nanos::ZERO,
        replay: None,
        durability: Durability {
            direct: false,
            write_through: false,
            sync: None,
        },
        data: Data {
            fill: Fill::Random,
            compressible_to: Percent::ALL,
            duplicate: Percent::ZERO,
        },
        verify: Verify::Off,
        stop: JobStop::default(),
        kinds: Vec::new(),
    }
}

/// Requests in order, of one size.
pub(crate) fn in_order(op: Op, block_size: Bytes) -> IoKind {
    IoKind {
        op,
        block_size,
        random: Percent::ZERO,
        align: block_size,
        weight: 1.0,
    }
}

/// A phase that lasts until its jobs have done their amounts.
pub(crate) fn phase(name: impl Into<String>, jobs: Vec<Job>) -> Phase {
    Phase {
        name: name.into(),
        warm_up: Nanos::ZERO,
        duration: None,
        cool_down: Nanos::ZERO,
        steady: None,
        jobs,
    }
}

/// A workload of these phases.
pub(crate) fn workload(name: &str, source: String, phases: Vec<Phase>) -> Workload {
    Workload {
        name: name.to_owned(),
        description: String::new(),
        source,
        seed: SEED,
        interval: Nanos::from_secs(1),
        repeat: 1,
        phases,
    }
}

//! What a workload is where nothing else is said: the value that literals begin with.

use super::{
    Access, BlockForm, Cursor, CursorScope, Data, Distribution, Durability, Fill, IoKind, Job,
    JobStop, Pacing, Phase, QueueScope, Verify, Walk, Workload,
};
use crate::op::Op;
use crate::units::{Bytes, Nanos, Percent};

impl Workload {
    /// No phase yet, no name, seed 1, intervals of a second, run through once.
    pub fn plain() -> Self {
        Self {
            name: String::new(),
            description: String::new(),
            source: String::new(),
            seed: 1,
            interval: Nanos::from_secs(1),
            repeat: 1,
            phases: Vec::new(),
        }
    }
}

impl Phase {
    /// No job yet, no warm-up, no time: it lasts until its jobs have done their amounts.
    pub fn plain() -> Self {
        Self {
            name: "main".to_owned(),
            warm_up: Nanos::ZERO,
            duration: None,
            cool_down: Nanos::ZERO,
            steady: None,
            jobs: Vec::new(),
        }
    }
}

impl Job {
    /// One thread, one request at a time, past the page cache, on the whole of the targets of the
    /// run. It has no name and no kind of request yet.
    pub fn plain() -> Self {
        Self {
            name: String::new(),
            targets: Vec::new(),
            threads: 1,
            queue_depth: 1,
            queue_scope: QueueScope::PerTarget,
            submit_batch: None,
            complete_batch: None,
            size: None,
            offset: Bytes(0),
            window: None,
            fresh: false,
            cold: false,
            warm: false,
            access: Access::PLAIN,
            pacing: Pacing::CLOSED,
            after: None,
            delay: Nanos::ZERO,
            replay: None,
            durability: Durability::PLAIN,
            data: Data::PLAIN,
            verify: Verify::Off,
            verify_as: BlockForm::Fathom,
            verify_interval: None,
            stop: JobStop::default(),
            kinds: Vec::new(),
        }
    }
}

impl Access {
    /// Random places everywhere alike, a sequential position for each thread and operation.
    pub const PLAIN: Self = Self {
        distribution: Distribution::Uniform,
        without_repetition: false,
        stride: None,
        cursor: Cursor::Own { stride: None },
        cursor_scope: CursorScope::PerOp,
        walk: Walk::Free,
    };
}

impl Durability {
    /// Past the page cache, no flush.
    pub const PLAIN: Self = Self {
        direct: true,
        write_through: false,
        sync: None,
    };
}

impl Data {
    /// Random bytes, which neither shrink nor repeat.
    pub const PLAIN: Self = Self {
        fill: Fill::Random,
        compressible_to: Percent::ALL,
        duplicate: Percent::ZERO,
    };
}

impl IoKind {
    /// Requests of one size, at random places that are multiples of it.
    pub const fn plain(op: Op, block_size: Bytes) -> Self {
        Self {
            op,
            block_size,
            random: Percent::ALL,
            align: block_size,
            weight: 1.0,
        }
    }
}

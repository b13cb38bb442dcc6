//! The shape of a job's requests: size, order and how many are outstanding.

use crate::figure::size;
use fathom_core::Op;
use fathom_core::result::{JobResult, RunResult};
use fathom_core::spec::{IoKind, Job};

/// What the requests of one operation of a job have in common.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shape {
    /// Bytes of each; none where they differ, or nothing is known.
    pub(super) bytes: Option<u64>,
    /// Whether all go to random places, or none does.
    pub(super) random: Option<bool>,
    /// Most outstanding at once.
    pub(super) depth: u64,
}

impl Shape {
    pub(super) fn of(job: &JobResult, spec: Option<&Job>, op: Op) -> Self {
        let kinds = spec.map_or(&[][..], |spec| &spec.kinds);
        let of_op = || kinds.iter().filter(|kind| kind.op == op);
        Self {
            bytes: same(of_op().map(|kind| kind.block_size.0)),
            random: same(of_op().map(order)).flatten(),
            depth: job.queue_depth.min(job.queue_depth_possible),
        }
    }

    pub(super) fn size(&self) -> String {
        self.bytes.map(size).unwrap_or_default()
    }

    pub(super) fn outstanding(&self) -> String {
        match self.depth {
            0 => String::new(),
            depth => format!("×{depth}"),
        }
    }
}

fn order(kind: &IoKind) -> Option<bool> {
    match kind.random.0 {
        0.0 => Some(false),
        100.0 => Some(true),
        _ => None,
    }
}

fn same<T: PartialEq>(mut values: impl Iterator<Item = T>) -> Option<T> {
    let first = values.next()?;
    values.all(|value| value == first).then_some(first)
}

/// Whether a job writes, makes each write durable by a flush of its data, and waits for it: what
/// the commit of a database does.
pub(super) fn is_commit(result: &RunResult, phase: &str, job: &JobResult) -> bool {
    let spec = result.job_spec(phase, &job.name);
    spec.is_some_and(Job::flushes_each_write) && job.threads == 1 && job.queue_depth == 1
}

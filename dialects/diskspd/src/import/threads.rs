//! The threads that a result tells of, each with its targets.

use fathom_core::PerOp;
use fathom_core::result::{TargetShare, WorkerOp, WorkerResult, WorkerShare};
use fathom_core::summary::Spread;
use std::collections::{BTreeMap, HashMap};

/// What was read of threads so far, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Threads(BTreeMap<u32, Targets>);

/// The targets of a thread, each to be found by its path.
#[derive(Debug, Default)]
struct Targets {
    shares: Vec<TargetShare>,
    places: HashMap<String, usize>,
}

impl Threads {
    /// What a thread did to a target.
    pub(super) fn at(&mut self, thread: u32, path: &str) -> &mut TargetShare {
        let targets = self.0.entry(thread).or_default();
        let known = targets.places.get(path).copied();
        let index = known.unwrap_or_else(|| {
            targets.places.insert(path.to_owned(), targets.shares.len());
            targets.shares.push(TargetShare {
                target: path.to_owned(),
                ..TargetShare::default()
            });
            targets.shares.len() - 1
        });
        &mut targets.shares[index]
    }

    /// The threads of a job: what each did is the sum over its targets.
    pub(super) fn into_workers(self) -> Vec<WorkerResult> {
        let workers = self.0.into_iter().map(|(thread, targets)| WorkerResult {
            thread,
            share: Some(sum(targets.shares)),
            ..WorkerResult::default()
        });
        workers.collect()
    }
}

/// A thread with these targets. Times and deviations of several are not added up.
fn sum(targets: Vec<TargetShare>) -> WorkerShare {
    if let [only] = targets.as_slice() {
        return WorkerShare {
            ops: only.ops,
            iops_by_interval: only.iops_by_interval,
            targets,
        };
    }
    let ops = PerOp::from_fn(|op| {
        let each = targets.iter().filter_map(|share| share.ops.get(op));
        each.fold(None, |all: Option<WorkerOp>, one| {
            let all = all.unwrap_or_default();
            Some(WorkerOp {
                ios: all.ios.saturating_add(one.ios),
                bytes: all.bytes.saturating_add(one.bytes),
                ..WorkerOp::default()
            })
        })
    });
    WorkerShare {
        ops,
        iops_by_interval: Spread::default(),
        targets,
    }
}

//! Which targets of a run are kept account of, so that what is read can be held against what was
//! written last.

use crate::plan::Plan;
use crate::prepare::Prepared;
use fathom_core::Nanos;
use fathom_core::spec::{Cursor, Job, Walk, Workload};
use fathom_load::observer::{Event, Observer};
use fathom_load::request::Window;
use fathom_load::verify::{MOST_BLOCKS, Proof, Written, shares};
use std::sync::Arc;

/// The account of each target, where a job writes what describes itself.
pub(crate) type Accounts = Vec<Option<Arc<Written>>>;

/// Opens the accounts of a run that begins at `now` by its clock; `base_ns` is the time of day at
/// its instant 0.
pub(crate) fn open(plan: &Plan, prepared: &Prepared, base_ns: u64, now: Nanos) -> Accounts {
    let drafts: Vec<Option<Draft<'_>>> = (0..prepared.targets.len())
        .map(|index| Draft::of(&plan.workload, prepared, index))
        .collect();
    let blocks = drafts.iter().map(|draft| {
        let blocks = |draft: &Draft<'_>| Written::blocks_in(draft.range, draft.block_bytes);
        draft.as_ref().map_or(0, blocks)
    });
    let shares = shares(&blocks.collect::<Vec<u64>>(), MOST_BLOCKS);
    let targets = prepared.targets.iter().zip(drafts).zip(shares);
    let opened = targets.map(|((target, draft), most)| {
        let Draft {
            writers,
            range,
            block_bytes,
        } = draft?;
        let written = Written::within(most, range, block_bytes, base_ns, target.stamped);
        let mut proofs = writers.iter().map(|job| Proof::of(job, plan.run, 0));
        let first = proofs.next();
        let written = written
            .of_run(plan.run)
            .in_many_forms(proofs.any(|proof| Some(proof) != first))
            .beginning_at(now)
            .laid(target.laid);
        let is_reread = writers
            .iter()
            .any(|job| job.compat().verify_backlog.is_some());
        Some(Arc::new(if is_reread {
            written.noting_rereads()
        } else {
            written
        }))
    });
    opened.collect()
}

/// What an account is to be of.
struct Draft<'a> {
    /// The jobs that write what describes itself.
    writers: Vec<&'a Job>,
    range: (u64, u64),
    block_bytes: u64,
}

impl<'a> Draft<'a> {
    fn of(workload: &'a Workload, prepared: &'a Prepared, index: usize) -> Option<Self> {
        let writers: Vec<(&Job, Window)> = jobs_on(workload, prepared, index)
            .filter(|(job, _)| job.verify.stamps() && job.destroys())
            .collect();
        let starts = writers.iter().map(|(_, window)| window.start);
        let ends = writers.iter().map(|(_, window)| window.start + window.len);
        let range = (starts.min()?, ends.max()?);
        let steps = writers
            .iter()
            .flat_map(|(job, window)| steps(job).into_iter().chain([window.start - range.0]));
        Some(Self {
            block_bytes: steps.fold(0, gcd),
            range,
            writers: writers.into_iter().map(|(job, _)| job).collect(),
        })
    }
}

/// Tells what was written to targets that stay, where all that was written describes itself.
pub(crate) fn tell(
    workload: &Workload,
    prepared: &Prepared,
    accounts: &Accounts,
    now: Nanos,
    observer: &mut dyn Observer,
) {
    for (index, (target, account)) in prepared.targets.iter().zip(accounts).enumerate() {
        let mut writers = jobs_on(workload, prepared, index).filter(|(job, _)| job.destroys());
        let describes = writers.all(|(job, _)| job.verify.stamps() && !job.data.fill.is_given());
        let stays = target.kind.is_some() && prepared.cleanup.leaves(&target.path);
        let path = std::fs::canonicalize(&target.path);
        if let (Some(written), Ok(path), true) = (account, path, stays && describes) {
            observer.event(&Event::Account {
                path: &path,
                written,
                seed: workload.seed(),
                ended: written.sequence(now),
            });
        }
    }
}

/// The jobs that use a target, with the part that each uses.
fn jobs_on<'a>(
    workload: &'a Workload,
    prepared: &'a Prepared,
    index: usize,
) -> impl Iterator<Item = (&'a Job, Window)> {
    let phases = workload.phases.iter().zip(&prepared.jobs);
    let jobs = phases.flat_map(|(phase, prepared)| phase.jobs.iter().zip(prepared));
    jobs.flat_map(move |(job, prepared)| {
        let used = prepared.targets.iter();
        used.filter(move |(target, _)| *target == index)
            .map(move |(_, window)| (job, *window))
    })
}

/// What the places and lengths of a job's requests are multiples of.
fn steps(job: &Job) -> Vec<u64> {
    let kinds = job.kinds.iter();
    let kinds = kinds.flat_map(|kind| [kind.block_size.0, kind.align.0]);
    let walk = match job.access.walk {
        Walk::Zones { length, skip, .. } => vec![length.0.saturating_add(skip.0)],
        Walk::Free | Walk::TrimFirst | Walk::ToTheEnd | Walk::WritePointers { .. } => Vec::new(),
    };
    let apart = match job.access.cursor {
        Cursor::Own { stride } => stride,
        Cursor::Shared => None,
    };
    let strides = [job.access.stride, apart].into_iter().flatten();
    kinds
        .chain(walk)
        .chain(strides.map(|stride| stride.0))
        .collect()
}

const fn gcd(mut one: u64, mut other: u64) -> u64 {
    while other != 0 {
        (one, other) = (other, one % other);
    }
    one
}

#[cfg(test)]
mod tests {
    use super::gcd;

    #[test]
    fn the_greatest_common_step() {
        assert_eq!([0, 4096, 6144, 1 << 20].into_iter().fold(0, gcd), 2048);
    }
}

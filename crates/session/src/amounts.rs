//! What a job has to do in a phase, where that is known only when it begins: of those that deal
//! with each file once, and of those that do no more than was done before.

use crate::error::RunError;
use fathom_core::Op;
use fathom_core::result::PhaseResult;
use fathom_core::spec::{Job, Phase};
use fathom_load::targets::JobTargets;

/// The phase with that amount, if any of its jobs has one, after those that are `done`. A phase
/// before may have made fewer files than there could be.
///
/// # Errors
///
/// [`RunError::NoFiles`] and [`RunError::NothingBefore`] where there is nothing to do.
pub(crate) fn counted(
    phase: &Phase,
    targets: &[JobTargets],
    done: &[PhaseResult],
) -> Result<Option<Phase>, RunError> {
    let depends = |job: &Job| job.deals_once() || job.stop.as_before;
    if !phase.jobs.iter().any(depends) {
        return Ok(None);
    }
    let mut counted = phase.clone();
    for job in counted.jobs.iter_mut().filter(|job| job.stop.as_before) {
        let ios = before(&job.name, done);
        if ios == 0 {
            let job = job.name.clone();
            return Err(RunError::NothingBefore { job });
        }
        job.stop.ios = Some(job.stop.ios.map_or(ios, |own| own.min(ios)));
    }
    for (job, targets) in counted.jobs.iter_mut().zip(targets) {
        let (true, Some(kind)) = (job.deals_once(), job.kinds.first()) else {
            continue;
        };
        let op = kind.op;
        let trees = targets.open.iter().filter_map(|one| one.files.as_ref());
        let ready = trees.map(|files| files.tree.ready_for(op)).sum();
        if ready == 0 {
            let job = job.name.clone();
            return Err(RunError::NoFiles { job, op });
        }
        job.stop.ios = Some(ready);
    }
    Ok(Some(counted))
}

/// The requests of the job of this name in the last phase that had it. Flushes between them are no
/// part of an amount.
fn before(name: &str, done: &[PhaseResult]) -> u64 {
    let mut phases = done.iter().rev();
    let job = phases.find_map(|phase| phase.jobs.iter().find(|job| job.name == name));
    let ios = |op| {
        job.and_then(|job| job.ops.get(op))
            .map_or(0, |done| done.ios)
    };
    let requests = Op::ALL.into_iter().filter(|op| *op != Op::Flush);
    requests.map(ios).sum()
}

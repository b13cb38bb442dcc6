//! What a job that deals with each file once has to do in a phase, which is known when it begins.

use crate::error::RunError;
use fathom_core::spec::{Job, Phase};
use fathom_load::assembly::JobTargets;

/// The phase with that amount, if any of its jobs has one. A phase before may have made fewer files
/// than there could be.
///
/// # Errors
///
/// [`RunError::NoFiles`] where there is nothing to do.
pub(crate) fn of_files(phase: &Phase, targets: &[JobTargets]) -> Result<Option<Phase>, RunError> {
    if !phase.jobs.iter().any(Job::deals_once) {
        return Ok(None);
    }
    let mut counted = phase.clone();
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

//! What a caveat is about, in words that distinguish repeats; and whose jobs it concerns.

use fathom_core::EngineKind;
use fathom_core::engine::Capabilities;
use fathom_core::result::{JobResult, PhaseResult, RunResult, TargetInfo};
use fathom_core::spec::Job;

/// File systems that another machine serves.
const SERVED: [&str; 14] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "ceph",
    "glusterfs",
    "fuse.glusterfs",
    "fuse.sshfs",
    "lustre",
    "beegfs",
    "afs",
    "9p",
    "virtiofs",
];
/// Whether another machine serves file systems of this type.
pub(crate) fn is_served(file_system: &str) -> bool {
    SERVED.contains(&file_system)
}

/// Whether another machine serves a target.
pub(crate) fn is_elsewhere(target: &TargetInfo) -> bool {
    is_served(&target.file_system)
}

/// `phase`, or `phase#2` in a workload that is repeated.
pub(crate) fn phase(result: &RunResult, phase: &PhaseResult) -> String {
    if result.provenance.workload.repeat > 1 {
        format!("{}#{}", phase.name, phase.repeat)
    } else {
        phase.name.clone()
    }
}

/// The subject of a finding about a job.
pub(crate) fn job(result: &RunResult, of: &PhaseResult, job: &JobResult) -> String {
    format!("{}/{}", phase(result, of), job.name)
}

/// Every job that ran, with its phase and what it was asked, if that is known.
pub(crate) fn jobs(
    result: &RunResult,
) -> impl Iterator<Item = (&PhaseResult, &JobResult, Option<&Job>)> {
    result.phases.iter().flat_map(move |phase| {
        let jobs = result.job_specs(phase);
        jobs.map(move |(job, spec)| (phase, job, spec))
    })
}

/// The name of the engine of a job.
pub(crate) fn engine_of<'a>(result: &'a RunResult, job: &'a JobResult) -> &'a str {
    match job.engine.as_str() {
        "" => &result.provenance.engine.name,
        own => own,
    }
}

/// Whether the engine of a job has a property. False for an engine of another program.
pub(crate) fn is_by(
    result: &RunResult,
    job: &JobResult,
    has: impl Fn(Capabilities) -> bool,
) -> bool {
    let kind = EngineKind::named(engine_of(result, job));
    kind.is_some_and(|kind| has(kind.capabilities()))
}

/// Whether requests went anywhere: the null engine answers them itself, the simulator asks a
/// model.
pub(crate) fn touches_storage(result: &RunResult) -> bool {
    result
        .provenance
        .engine
        .kind()
        .is_none_or(EngineKind::is_real)
}

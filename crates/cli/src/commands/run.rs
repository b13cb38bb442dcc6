//! `fathom run`: workloads by name or file, one after another. A profile of an application is
//! held to what the application requires.

mod operands;

use super::{Origin, measure, member};
use crate::args::{ReplayArgs, ReplaySpeed, RunArgs};
use crate::error::Error;
use crate::exit::Exit;
use fathom_core::Percent;
use fathom_core::spec::{Job, Phase, Replay, Workload};
use fathom_verdict::Application;
use std::num::NonZeroU32;

/// Requests in flight at most when recorded ones are made again.
const REPLAY_DEPTH: u32 = 256;

pub(crate) fn run(args: &RunArgs, origin: &Origin) -> Result<Exit, Error> {
    if let Some(exit) = member::be_launched(&args.options.cluster)? {
        return Ok(exit);
    }
    let operands = operands::read(args)?;
    let mut workloads = operands.workloads;
    workloads.extend(replay(&args.replay));
    let mut options = args.options.clone();
    // With several workloads a requirement of one would be asked of the results of all.
    if let [name] = args.workloads.as_slice() {
        let needs = Application::of_profile(name);
        options.explain.require.extend(needs);
    }
    measure::all(&workloads, &operands.targets, &options, origin)
}

/// The workload that makes recorded requests again, if they are asked for.
fn replay(args: &ReplayArgs) -> Option<Workload> {
    let speed = match args.replay_speed {
        None => Some(Percent::ALL),
        Some(ReplaySpeed::Share(share)) => Some(share),
        Some(ReplaySpeed::Most | ReplaySpeed::Unordered) => None,
    };
    let replay = Replay {
        speed,
        unordered: args.replay_speed == Some(ReplaySpeed::Unordered),
        processes: args.replay_process.clone(),
        roles: args.replay_role.clone(),
        region_start: args.replay_region.and_then(|region| region.start),
        region_end: args.replay_region.and_then(|region| region.end),
        packed: args.replay_pack,
        ..Replay::all(args.replay.clone()?)
    };
    let threads = args.replay_threads.map_or(1, NonZeroU32::get);
    Some(Workload {
        name: "replay".to_owned(),
        phases: vec![replaying(replay, threads)],
        ..Workload::plain()
    })
}

/// A phase that makes recorded requests again.
pub(super) fn replaying(replay: Replay, threads: u32) -> Phase {
    let job = Job {
        name: "replay".to_owned(),
        threads,
        queue_depth: REPLAY_DEPTH,
        // The kernel would merge neighbours that are submitted together.
        submit_batch: Some(1),
        replay: Some(replay),
        ..Job::plain()
    };
    Phase {
        jobs: vec![job],
        ..Phase::plain()
    }
}

#[cfg(test)]
mod tests {
    use crate::commands::selection;
    use fathom_verdict::APPLICATIONS;

    #[test]
    fn what_an_application_requires_is_asked_of_a_job_that_its_profile_has() {
        let needs = APPLICATIONS.iter().flat_map(|one| one.needs);
        for (profile, of) in needs.flat_map(|need| need.measured_by) {
            let workload = selection::profile(profile).expect("a profile").workload();
            let workload = workload.expect("a workload");
            let phases = workload.phases.iter();
            let mut jobs = phases.flat_map(|phase| {
                let jobs = phase.jobs.iter();
                jobs.map(|job| format!("{}/{}:", phase.name, job.name))
            });
            assert!(
                of.is_empty() || jobs.any(|job| job == *of),
                "{profile}: {of}"
            );
        }
    }
}

//! The profiles as they are run here, and what came of it.

use anyhow::{Result, bail};
use fathom_core::result::{OpResult, RunResult};
use fathom_core::spec::{JobStop, Workload};
use fathom_core::{Bytes, EngineKind, Nanos};
use fathom_session::{Plan, Session, Silent, Watching};
use fathom_tools::profiles::Profile;

/// A depth, and what the median service time of every operation has to stay below at it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Depth {
    pub(crate) queue_depth: u32,
    pub(crate) below_ns: u64,
}

/// One request alone, and the depth that most comparisons are made at. A request that is submitted
/// with 31 others waits for what the engine does with these.
pub(crate) const DEPTHS: [Depth; 2] = [
    Depth {
        queue_depth: 1,
        below_ns: 1_000,
    },
    Depth {
        queue_depth: 32,
        below_ns: 3_000,
    },
];

/// The slowest of all operations of all jobs of a profile.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worst {
    /// Median service time.
    pub(crate) service_ns: u64,
    /// Mean of what the generator spent on a batch before it was issued.
    pub(crate) generation_ns: f64,
}

/// How much longer a profile is run that makes too few requests: some are paced.
const LONGER: u64 = 30;

/// Runs a profile once, or again for longer where that gave too few requests for a median.
pub(crate) fn worst(profile: &Profile, queue_depth: u32, ms: u64) -> Result<Worst> {
    let workload = match profile.workload() {
        Ok(workload) => workload,
        Err(wrong) => bail!(
            "{}",
            wrong.iter().map(ToString::to_string).collect::<String>()
        ),
    };
    for ms in [ms, ms * LONGER] {
        let plan = plan(shortened(workload.clone(), queue_depth, ms));
        let result = Session::new(plan).run(&mut Silent)?;
        if let Some(worst) = of(&result) {
            return Ok(worst);
        }
    }
    bail!("too few requests for a median")
}

/// The same requests in the same order and at the same times, on one thread for each job, for so
/// long and at that depth.
fn shortened(mut workload: Workload, queue_depth: u32, ms: u64) -> Workload {
    for phase in &mut workload.phases {
        phase.duration = Some(Nanos::from_millis(ms));
        (phase.warm_up, phase.cool_down) = (Nanos::ZERO, Nanos::ZERO);
        phase.steady = None;
        for job in &mut phase.jobs {
            job.threads = 1;
            job.queue_depth = queue_depth;
            job.stop = JobStop::default();
            // There is nothing that it could be taken from.
            job.size = job.size.or(Some(Bytes(1 << 30)));
        }
    }
    workload.repeat = 1;
    workload
}

fn plan(workload: Workload) -> Plan {
    let mut plan = Plan::new(workload).on("null").by(EngineKind::Null);
    plan.stop_on_error = true;
    plan.watching = Watching::Nothing;
    plan
}

/// The worst of all that has enough requests for a median.
fn of(result: &RunResult) -> Option<Worst> {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let all: Vec<&OpResult> = jobs
        .flat_map(|job| job.ops.present())
        .map(|(_, op)| op)
        .collect();
    let medians = all.iter().filter_map(|op| op.service_ns.percentile("50"));
    let generation = all.iter().filter_map(|op| Some(op.generation_ns?.mean));
    Some(Worst {
        service_ns: medians.max()?,
        generation_ns: generation.fold(0.0, f64::max),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_run_and_its_generation_told() {
        let profile = fathom_tools::profiles::find("ms-oltp").unwrap();
        assert!(worst(profile, 32, 10).unwrap().generation_ns > 0.0);
    }
}

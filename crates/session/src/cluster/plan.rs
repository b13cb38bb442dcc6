//! A plan as it travels to members: JSON, so that what cannot be read is said by name.

use super::paths::{self, Sharing};
use super::series;
use crate::plan::{Plan, TargetBinding};
use fathom_cluster::Slots;
use fathom_cluster::limits;
use fathom_cluster::message::{Assignment, MemberPlace};
use fathom_core::Op;
use fathom_core::spec::{Job, Workload};
use fathom_engine::EngineKind;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// What many hosts cannot do together.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct NotClustered(pub(super) String);

impl NotClustered {
    pub(crate) fn new(what: &str) -> Self {
        Self(what.to_owned())
    }
}

/// What every member is to do, but for what tells it from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Travelling {
    plan: Plan,
    sharing: Sharing,
    /// Phases that only read take the part of the member so many places further.
    shift_reads: u32,
}

/// Refuses what so many members would have to say that it cannot be kept.
pub(super) fn refuse_too_much(workload: &Workload, members: usize) -> Result<(), NotClustered> {
    let no = |what: String| {
        let way = "give each member fewer jobs (tasks), and a host more members: --per-host";
        Err(NotClustered(format!("{what}; {way}")))
    };
    let of_phases = || workload.phases.iter().map(|phase| phase.jobs.len());
    let most = of_phases().max().unwrap_or(0);
    if most > limits::JOBS {
        let limit = limits::JOBS;
        return no(format!(
            "a phase has {most} jobs, and a member reports of {limit} at most"
        ));
    }
    let all = of_phases()
        .sum::<usize>()
        .saturating_mul(workload.repeat as usize);
    if all > limits::JOBS_OF_ALL_PHASES {
        let limit = limits::JOBS_OF_ALL_PHASES;
        return no(format!(
            "all phases and repeats have {all} jobs, and a member reports of {limit} at most"
        ));
    }
    let series = all.saturating_mul(Op::ALL.len()).saturating_mul(members);
    if series > limits::SERIES_OF_MEMBERS {
        let limit = limits::SERIES_OF_MEMBERS / Op::ALL.len() / members.max(1);
        return Err(NotClustered(format!(
            "all phases and repeats have {all} jobs, and of {members} members {limit} jobs of each \
             are kept apart at most; fewer jobs, phases or members"
        )));
    }
    Ok(())
}

/// Refuses what no members can do together, real or simulated.
fn refuse(plan: &Plan, sharing: Sharing, shift_reads: u32) -> Result<(), NotClustered> {
    let no = |what: &str| Err(NotClustered::new(what));
    let phases = &plan.workload.phases;
    let jobs = || jobs(&plan.workload);
    if jobs().any(|job| job.replay.is_some()) {
        return no("a trace is replayed by one host; its requests cannot be shared out");
    }
    if plan.ramp.is_some() {
        return no("each host would climb its own steps");
    }
    if phases.iter().any(|phase| phase.steady.is_some()) {
        return no("a steady state is looked for on one host; give the phases a duration");
    }
    let is_endless = |job: &Job| job.window.is_none() && job.size.is_none();
    let has_parts = matches!(sharing, Sharing::Disjoint | Sharing::Interleaved);
    if shift_reads > 0 && !has_parts {
        return no("reads are shifted to another member's part of one target; with --shared");
    }
    if has_parts && jobs().any(is_endless) {
        return no("what members share can be shared out only if its size is said: --size");
    }
    let files = jobs().filter(|job| job.files.is_some()).count();
    if files > 0 && sharing != Sharing::Spread {
        return no("each host deals with files in a directory of its own; without --shared");
    }
    if files > 0 && files < jobs().count() && !plan.targets.is_empty() {
        return no("jobs of files and others need targets of their own, named in the workload");
    }
    Ok(())
}

fn is_simulated(plan: &Plan) -> bool {
    plan.engine.kind.is_some_and(EngineKind::is_virtual)
}

fn jobs(workload: &Workload) -> impl Iterator<Item = &Job> {
    workload.phases.iter().flat_map(|phase| &phase.jobs)
}

impl Travelling {
    pub(super) fn of(
        plan: &Plan,
        sharing: Sharing,
        shift_reads: u32,
    ) -> Result<Self, NotClustered> {
        if is_simulated(plan) {
            let what = "virtual time is in one process; hosts begin together in real time only";
            return Err(NotClustered::new(what));
        }
        Self::simulated(plan, sharing, shift_reads)
    }

    /// The same for members that are simulated in this process.
    pub(super) fn simulated(
        plan: &Plan,
        sharing: Sharing,
        shift_reads: u32,
    ) -> Result<Self, NotClustered> {
        refuse(plan, sharing, shift_reads)?;
        let mut plan = plan.clone();
        plan.shared_targets = sharing != Sharing::Spread;
        Ok(Self {
            plan,
            sharing,
            shift_reads,
        })
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, NotClustered> {
        let cannot = |error| NotClustered(format!("the plan cannot be sent: {error}"));
        serde_json::to_vec(self).map_err(cannot)
    }

    /// The part of one member.
    pub(super) fn part(assignment: &Assignment) -> Result<Plan, NotClustered> {
        let read: Result<Self, _> = serde_json::from_slice(&assignment.plan);
        let plan =
            read.map_err(|error| NotClustered(format!("the plan cannot be read: {error}")))?;
        plan.on(&assignment.place, assignment.seed)
    }

    /// The part of the member at this place.
    pub(super) fn on(self, place: &MemberPlace, seed: u64) -> Result<Plan, NotClustered> {
        let Self {
            mut plan,
            sharing,
            shift_reads,
        } = self;
        plan.workload.seed = seed;
        let shared = match sharing {
            Sharing::Disjoint => paths::share_out(&mut plan.workload, place, shift_reads),
            Sharing::Interleaved => paths::interleave(&mut plan.workload, place, shift_reads),
            Sharing::Spread | Sharing::Common => Some(()),
        };
        let none = || NotClustered("a job's window cannot be shared out".to_owned());
        shared.ok_or_else(none)?;
        if is_simulated(&plan) {
            // Targets are volumes there, and their paths names of models.
            return Ok(plan);
        }
        let of = |path: &str, role: Option<&str>, is_of_files: bool| {
            // Each run makes a directory of its own there.
            if is_of_files {
                return PathBuf::from(paths::named(path, place));
            }
            paths::of_member(path, role, place, sharing)
        };
        let has_files = |job: &Job| job.files.is_some();
        let any_files = jobs(&plan.workload).any(has_files);
        let phases = plan.workload.phases.iter_mut();
        for job in phases.flat_map(|phase| &mut phase.jobs) {
            let is_of_files = has_files(job);
            for target in job.targets.iter_mut().filter(|one| !one.starts_with('@')) {
                *target = of(target, None, is_of_files).display().to_string();
            }
        }
        for TargetBinding { role, path } in &mut plan.targets {
            let text = path.to_str().ok_or_else(|| {
                NotClustered(format!("the name of {} is no text", path.display()))
            })?;
            *path = of(text, role.as_deref(), any_files);
        }
        Ok(plan)
    }
}

/// The intervals of each phase of each repeat.
pub(super) fn slots(workload: &Workload) -> Vec<Slots> {
    let once = workload.phases.iter().map(|phase| Slots {
        warm_up: phase.warm_up,
        measured: phase.duration,
        interval: workload.interval,
    });
    let once: Vec<Slots> = once.collect();
    once.repeat(workload.repeat as usize)
}

/// Number of series of each phase of each repeat.
pub(super) fn series(workload: &Workload) -> Vec<u16> {
    let once = workload
        .phases
        .iter()
        .map(|phase| series::count(phase.jobs.len()));
    let once: Vec<u16> = once.collect();
    once.repeat(workload.repeat as usize)
}

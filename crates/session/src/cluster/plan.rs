//! A plan as it travels to members: JSON, so that what cannot be read is said by name.

use super::paths::{self, Sharing};
use super::series;
use crate::cluster_error::NotClustered;
use crate::plan::{MadeFiles, Plan, TargetBinding};
use fathom_cluster::Slots;
use fathom_cluster::coordinator::seed_of;
use fathom_cluster::limits;
use fathom_cluster::message::{Assignment, MemberPlace};
use fathom_core::spec::{Job, Workload};
use fathom_core::{EngineKind, Op};
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::{Path, PathBuf};

/// What every member is to do, but for what tells it from the others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Travelling {
    plan: Plan,
    sharing: Sharing,
    /// Phases that only read take the part of the member this number of ranks further.
    shift_reads: u32,
}

/// Refuses a workload whose reports from all members could not be kept in memory.
pub(super) fn refuse_too_much(workload: &Workload, members: usize) -> Result<(), NotClustered> {
    let no = |what: String| {
        let way = "use fewer jobs (tasks) per member, and more members per host: --per-host";
        Err(NotClustered(format!("{what}; {way}")))
    };
    let of_phases = || workload.phases.iter().map(|phase| phase.jobs.len());
    let most = of_phases().max().unwrap_or(0);
    if most > limits::JOBS {
        let limit = limits::JOBS;
        return no(format!(
            "a phase has {most} jobs, but a member reports at most {limit}"
        ));
    }
    let all = of_phases()
        .sum::<usize>()
        .saturating_mul(workload.repeat as usize);
    if all > limits::JOBS_OF_ALL_PHASES {
        let limit = limits::JOBS_OF_ALL_PHASES;
        return no(format!(
            "all phases and repetitions have {all} jobs, but a member reports at most {limit}"
        ));
    }
    let series = all.saturating_mul(Op::ALL.len()).saturating_mul(members);
    if series > limits::SERIES_OF_MEMBERS {
        let limit = limits::SERIES_OF_MEMBERS / Op::ALL.len() / members.max(1);
        return Err(NotClustered(format!(
            "all phases and repetitions have {all} jobs. Of {members} members at most {limit} jobs \
             each are reported separately; use fewer jobs, phases or members"
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
        return no("one host replays a trace; its requests cannot be distributed");
    }
    if plan.ramp.is_some() {
        return no("each host would follow its own steps");
    }
    if phases.iter().any(|phase| phase.steady.is_some()) {
        return no("a steady state is searched on one host only; give the phases a duration");
    }
    let is_endless =
        |job: &Job| job.window.is_none() && job.size.is_none() && paths::is_divided(job);
    let has_parts = matches!(sharing, Sharing::Disjoint | Sharing::Interleaved);
    if shift_reads > 0 && sharing == Sharing::Common {
        return no(
            "every member uses the whole target, so there is no part to shift reads to; use \
                   --shared alone",
        );
    }
    if shift_reads > 0 && sharing == Sharing::Spread {
        return refuse_other_files(plan);
    }
    if has_parts && jobs().any(is_endless) {
        return no("a shared target can be divided only if its size is known: --size");
    }
    let files = jobs().filter(|job| job.files.is_some()).count();
    if files > 0 && sharing == Sharing::Common {
        return no("members share a directory of files, and each has its own in it: --shared");
    }
    if files > 0 && shift_reads > 0 && sharing != Sharing::Spread {
        return no("which files another member has made is unknown here; omit --shift-reads");
    }
    if shift_reads > 0 && jobs().any(|job| job.stop.as_before) {
        return no(
            "the write time of another member is unknown here; omit --shift-reads (ior: -C), or \
             use one call per phase",
        );
    }
    if files > 0 && files < jobs().count() && !plan.targets.is_empty() {
        return no("jobs with files and other jobs need separate targets, named in the workload");
    }
    Ok(())
}

/// Refuses to read another member's file where its name is not known here.
fn refuse_other_files(plan: &Plan) -> Result<(), NotClustered> {
    let no = |what: &str| Err(NotClustered::new(what));
    if is_simulated(plan) {
        return no("each host has its own volume; to shift reads, use --shared");
    }
    let mut jobs = jobs(&plan.workload);
    if jobs.clone().any(|job| job.files.is_some()) {
        return no("each host uses files in its own directory, which no other host reads");
    }
    let is_named = |job: &Job| !job.targets.iter().any(|name| name.starts_with('@'));
    if !plan.targets.is_empty() || !jobs.clone().all(is_named) {
        return no(
            "reads are shifted to another member's file if jobs name files; otherwise use --shared",
        );
    }
    let is_foreign = |name: &String| name.contains("{host}") || name.contains("{index}");
    if jobs.any(|job| job.targets.iter().any(is_foreign)) {
        return no("{host} and {index} of another member are unknown; name files by {rank}");
    }
    Ok(())
}

fn is_simulated(plan: &Plan) -> bool {
    plan.engine.kind.is_some_and(EngineKind::is_virtual)
}

fn jobs(workload: &Workload) -> impl Iterator<Item = &Job> + Clone {
    workload.phases.iter().flat_map(|phase| &phase.jobs)
}

impl Travelling {
    pub(super) fn of(
        plan: &Plan,
        sharing: Sharing,
        shift_reads: u32,
    ) -> Result<Self, NotClustered> {
        if is_simulated(plan) {
            let what = "virtual time exists in one process only; several hosts need real time";
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
        // The reader of a file may come before its writer.
        plan.shared_targets = sharing != Sharing::Spread || shift_reads > 0;
        if sharing == Sharing::Spread && shift_reads > 0 && plan.made_files == MadeFiles::Removed {
            // Nobody removes what another still reads.
            plan.made_files = MadeFiles::Lent;
        }
        Ok(Self {
            plan,
            sharing,
            shift_reads,
        })
    }

    /// Whether all members have one seed: where one checks what another has written, and draws the
    /// other's requests again for it.
    pub(super) fn has_one_seed(&self) -> bool {
        let checks = jobs(&self.plan.workload).any(|job| job.verify.checks());
        checks && (self.shift_reads > 0 || self.sharing == Sharing::Common)
    }

    pub(super) fn to_bytes(&self) -> Result<Vec<u8>, NotClustered> {
        let cannot = |error| NotClustered(format!("the plan cannot be sent: {error}"));
        serde_json::to_vec(self).map_err(cannot)
    }

    /// The part of one member.
    pub(super) fn part(assignment: &Assignment) -> Result<Plan, NotClustered> {
        let cannot =
            |error: &dyn Display| NotClustered(format!("the plan cannot be read: {error}"));
        let text = str::from_utf8(&assignment.plan).map_err(|error| cannot(&error))?;
        let plan: Self = serde_json::from_str(text).map_err(|error| cannot(&error))?;
        plan.on(&assignment.place, assignment.seed)
    }

    /// The part of the member at this place.
    pub(super) fn on(self, place: &MemberPlace, seed: u64) -> Result<Plan, NotClustered> {
        let Self {
            mut plan,
            sharing,
            shift_reads,
        } = self;
        plan.workload.seed = Some(seed);
        // Hosts that share storage write nothing twice.
        let salt = plan.workload.salt;
        plan.workload.salt = salt.map(|salt| seed_of(salt, place.rank));
        let shared = match sharing {
            Sharing::Disjoint => paths::share_out(&mut plan.workload, place, shift_reads),
            Sharing::Interleaved => paths::interleave(&mut plan.workload, place, shift_reads),
            Sharing::Spread | Sharing::Common => Some(()),
        };
        let none = || NotClustered("a job's window cannot be shared out".to_owned());
        shared.ok_or_else(none)?;
        if sharing != Sharing::Common {
            paths::number_tasks(&mut plan.workload, place, shift_reads);
        }
        plan.reads_from = paths::shifted_to(place, shift_reads);
        plan.files_of_all = (sharing != Sharing::Spread).then_some(place.rank);
        if is_simulated(&plan) {
            // Targets are volumes there, and their paths names of models.
            return Ok(plan);
        }
        let whose = |job: &Job| match sharing {
            Sharing::Spread => paths::whose(job, place, shift_reads),
            // Each has a file by a name of its own.
            _ if job.files.is_none() && !paths::is_divided(job) => {
                paths::whose(job, place, shift_reads)
            }
            _ => place.clone(),
        };
        let of = |path: &str, role: Option<&str>, is_of_files: bool, place: &MemberPlace| {
            // Each run makes a directory of its own there.
            if is_of_files {
                return PathBuf::from(paths::named(path, place));
            }
            paths::of_member(path, role, place, sharing)
        };
        let is_fresh = jobs(&plan.workload).any(|job| job.fresh);
        let is_written = jobs(&plan.workload).any(Job::destroys);
        let has_files = |job: &Job| job.files.is_some();
        let any_files = jobs(&plan.workload).any(has_files);
        let phases = plan.workload.phases.iter_mut();
        for job in phases.flat_map(|phase| &mut phase.jobs) {
            let is_of_files = has_files(job);
            let whose = whose(job);
            // Its writer fills it.
            job.fresh |= is_fresh && whose.rank != place.rank;
            for target in job.targets.iter_mut().filter(|one| !one.starts_with('@')) {
                *target = of(target, None, is_of_files, &whose).display().to_string();
                if !is_written && whose.rank != place.rank && !Path::new(target).exists() {
                    let rank = whose.rank;
                    return Err(NotClustered(format!(
                        "{target}, which rank {rank} should have written, is not on this host. Use \
                         a file system shared by all hosts, or omit --shift-reads (ior: -C)"
                    )));
                }
            }
        }
        for TargetBinding { role, path } in &mut plan.targets {
            let text = path.to_str().ok_or_else(|| {
                NotClustered(format!("the name of {} is no text", path.display()))
            })?;
            *path = of(text, role.as_deref(), any_files, place);
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

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::Bytes;
    use fathom_core::Op;
    use fathom_core::spec::{IoKind, Phase};

    /// A phase that writes a file and one that reads it.
    fn plan(target: &str) -> Plan {
        let phase = |op| Phase {
            jobs: vec![Job {
                targets: vec![target.to_owned()],
                size: Some(Bytes(4096)),
                kinds: vec![IoKind::plain(op, Bytes(4096))],
                ..Job::plain()
            }],
            ..Phase::plain()
        };
        Plan::new(Workload {
            phases: vec![phase(Op::Write), phase(Op::Read)],
            ..Workload::plain()
        })
    }

    fn place(rank: u32) -> MemberPlace {
        MemberPlace {
            rank,
            index: 0,
            members: 3,
            host: "db".to_owned(),
        }
    }

    #[test]
    fn readers_take_the_file_that_the_next_member_has_written() {
        let travelling = Travelling::of(&plan("/no/such/folder/f"), Sharing::Spread, 1);
        let travelling = travelling.expect("files of their own");
        let targets = |rank| {
            let plan = travelling.clone().on(&place(rank), 1).expect("a part");
            assert_eq!(
                (plan.shared_targets, plan.made_files),
                (true, MadeFiles::Lent)
            );
            let phases = plan.workload.phases.into_iter();
            phases
                .map(|phase| phase.jobs[0].targets[0].clone())
                .collect::<Vec<_>>()
        };
        let file = |rank: u32| format!("/no/such/folder/f.{rank}");
        assert_eq!(targets(0), [file(0), file(1)]);
        assert_eq!(targets(2), [file(2), file(0)]);
    }

    #[test]
    fn a_file_of_another_that_is_not_here_is_named() {
        let mut plan = plan("/no/such/folder/f");
        plan.workload.phases.remove(0);
        let travelling = Travelling::of(&plan, Sharing::Spread, 1).expect("files of their own");
        let refused = travelling.on(&place(2), 1).expect_err("nobody wrote it");
        assert_eq!(
            refused.to_string(),
            "/no/such/folder/f.0, which rank 0 should have written, is not on this host. Use a \
             file system shared by all hosts, or omit --shift-reads (ior: -C)"
        );
    }

    #[test]
    fn a_file_of_another_whose_name_is_not_known_is_refused() {
        let refused = |target: &str, sharing| {
            let refused = Travelling::of(&plan(target), sharing, 1);
            refused.expect_err("nobody knows it").to_string()
        };
        assert_eq!(
            refused("/data/{host}", Sharing::Spread),
            "{host} and {index} of another member are unknown; name files by {rank}"
        );
        assert_eq!(
            refused("@data", Sharing::Spread),
            "reads are shifted to another member's file if jobs name files; otherwise use --shared"
        );
        assert_eq!(
            refused("/data/f", Sharing::Common),
            "every member uses the whole target, so there is no part to shift reads to; use \
             --shared alone"
        );
    }

    #[test]
    fn more_than_can_be_kept_is_refused() {
        let mut many = plan("/data/f").workload;
        let refused = |workload: &Workload, members| {
            let refused = refuse_too_much(workload, members);
            refused.expect_err("too much").to_string()
        };
        many.phases[0].jobs = vec![many.phases[0].jobs[0].clone(); 512];
        assert_eq!(refuse_too_much(&many, 2), Ok(()));
        assert_eq!(
            refused(&many, 10_000),
            "all phases and repetitions have 513 jobs. Of 10000 members at most 419 jobs each are \
             reported separately; use fewer jobs, phases or members"
        );
        many.repeat = 100;
        assert_eq!(
            refused(&many, 2),
            "all phases and repetitions have 51300 jobs, but a member reports at most 16384; use \
             fewer jobs (tasks) per member, and more members per host: --per-host"
        );
    }
}

//! Many hosts in one virtual time: the workers of all members go to volumes in one simulated world,
//! and what they did is put together as what real members did is.

mod sums;

use super::checks;
use super::paths::Sharing;
use super::plan::{Travelling, refuse_too_much, series, slots};
use super::{result, worker};
use crate::cluster_error::ClusterError;
use crate::cluster_error::NotClustered;
use crate::engines::Engines;
use crate::error::RunError;
use crate::judged::Judged;
use crate::listed::Listed;
use crate::local::Local;
use crate::plan::Plan;
use crate::prepare::{Prepared, prepare};
use crate::provenance::{self, Origin};
use crate::run::{Begun, Runner, contents};
use crate::{Control, Event, Observer, PhaseOrder as _, Silent, Wish};
use fathom_cluster::coordinator::{MemberFate, Start, seed_of};
use fathom_cluster::event::Name;
use fathom_cluster::message::{Identity, MemberPlace};
use fathom_cluster::{MeasurementOutcome, MemberOutcome};
use fathom_core::result::{HostInfo, MachineInterval, PhaseResult, Provenance, RunResult, Timings};
use fathom_core::{Nanos, State};
use fathom_engine::Clock;
use fathom_engine::sim::{World, WorldRef};
use fathom_load::assembly::PhasePlan;
use fathom_load::phase::simulate_together;
use fathom_volume::model::VolumeModel;
use fathom_volume::models::Hosts;
use std::collections::BTreeMap;
use sums::{Sums, Teller};

/// How results name the way to members that are simulated.
const TRANSPORT: &str = "simulation";
/// Below which share of members a result is none; all that are simulated finish.
const INVALID_BELOW_PERCENT: f64 = 50.0;

/// Members that are simulated, and their volumes.
#[derive(Clone, Debug)]
pub struct SimulatedMembers {
    /// The host of each member, by rank; one at least.
    pub hosts: Vec<String>,
    /// Whether they have volumes of their own: each host one with [`Sharing::Spread`], otherwise
    /// one for all.
    pub sharing: Sharing,
    /// Phases that only read take the part of the member this number of ranks further.
    pub shift_reads: u32,
    /// The volume that all share, or that of each host in the order in which they are first named.
    pub volumes: Vec<Box<dyn VolumeModel>>,
}

/// What one member does, with its targets.
struct Share {
    place: MemberPlace,
    plan: Plan,
    prepared: Prepared,
}

/// What came of the phases.
struct Ran {
    /// By rank, and in it by phase.
    members: Vec<Vec<PhaseResult>>,
    /// Levels of the volumes, by phase.
    machine: Vec<Vec<MachineInterval>>,
    flags: Vec<String>,
}

impl SimulatedMembers {
    /// Runs a plan with all members. The result is judged as far as that can be done.
    pub(crate) fn measure(
        &self,
        plan: &Plan,
        local: &Local<'_>,
        observer: &mut dyn Observer,
    ) -> Result<RunResult, RunError> {
        let mut clock = Clock::new();
        let started_utc_ns = fathom_engine::clock::utc_now_ns();
        let engines = Engines::of(plan)?;
        let shares = self.shares(plan, &engines, &local.control)?;
        let targets = shares[0].prepared.targets.len();
        let model = self.model(targets);
        let count = shares.len() * targets;
        let world = World::modelled(Box::new(model.clone()), count, contents(plan));
        let series = series(&plan.workload);
        let sums = Sums::new(&series, &slots(&plan.workload), shares.len());
        let runners = shares.iter().enumerate().map(|(rank, share)| {
            let world = Some(world.clone());
            let begin = (Nanos::ZERO, 0);
            let runner = Runner::new(&share.plan, local, &engines, world, &share.prepared, begin);
            runner.after_targets(rank * targets)
        });
        let runners = runners.collect();
        let ran = phases(
            &shares,
            runners,
            &sums,
            &world,
            &mut clock,
            &local.control,
            observer,
        )?;
        let since = |at: Nanos| at.saturating_sub(local.process_start).0;
        let origin = Origin {
            plan,
            model: Some(&model),
            selection: engines.selection.clone(),
            flags: ran.flags.clone(),
            started_utc_ns,
            timings: Timings {
                total_ns: since(Clock::monotonic().now()),
                ..Timings::default()
            },
            io_limits: Ok(Vec::new()),
        };
        let base = provenance::of(origin, Vec::new(), &mut clock);
        Ok(put_together(
            plan,
            &base,
            shares,
            ran,
            &sums,
            started_utc_ns,
            &local.control,
        ))
    }

    /// What each member does.
    fn shares(
        &self,
        plan: &Plan,
        engines: &Engines,
        control: &Control,
    ) -> Result<Vec<Share>, RunError> {
        let of_cluster = |error: NotClustered| RunError::from(ClusterError::from(error));
        refuse_too_much(&plan.workload, self.hosts.len()).map_err(of_cluster)?;
        let travelling = Travelling::simulated(plan, self.sharing, self.shift_reads);
        let travelling = travelling.map_err(of_cluster)?;
        let mut indices: BTreeMap<&str, u32> = BTreeMap::new();
        let mut shares = Vec::new();
        for (rank, host) in self.hosts.iter().enumerate() {
            let index = indices.entry(host).or_default();
            let place = MemberPlace {
                rank: rank as u32,
                index: *index,
                members: self.hosts.len() as u32,
                host: host.clone(),
            };
            *index += 1;
            let seed = if travelling.has_one_seed() {
                plan.workload.seed()
            } else {
                seed_of(plan.workload.seed(), place.rank)
            };
            let plan = travelling.clone().on(&place, seed).map_err(of_cluster)?;
            let volume = self.volumes.first().map(AsRef::as_ref);
            let kind = engines.selection.kind;
            let prepared = prepare(&plan, kind, volume, control, &mut Silent)?;
            shares.push(Share {
                place,
                plan,
                prepared,
            });
        }
        Ok(shares)
    }

    /// The volumes of members with `targets` targets each.
    fn model(&self, targets: usize) -> Hosts {
        let mut names: Vec<&String> = Vec::new();
        let mut numbers = Vec::new();
        for host in &self.hosts {
            let known = names.iter().position(|name| *name == host);
            numbers.push(known.unwrap_or_else(|| {
                names.push(host);
                names.len() - 1
            }));
        }
        match (self.sharing, &self.volumes[..]) {
            (Sharing::Spread, volumes) => Hosts::each(volumes.to_vec(), &numbers, targets),
            (_, volumes) => Hosts::sharing(volumes[0].clone(), self.hosts.len(), targets),
        }
    }
}

/// All phases, as far as the user lets them.
fn phases(
    shares: &[Share],
    mut runners: Vec<Runner<'_, '_>>,
    sums: &Sums,
    world: &WorldRef,
    clock: &mut Clock,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<Ran, RunError> {
    let courses = shares.iter().map(|share| Listed::new(&share.plan.workload));
    let mut courses: Vec<Listed<'_>> = courses.collect();
    let mut ran = Ran {
        members: vec![Vec::new(); shares.len()],
        machine: Vec::new(),
        flags: Vec::new(),
    };
    let count = courses[0].expected();
    for number in 0..count {
        if control.wish() != Wish::Run {
            break;
        }
        let mut begun: Vec<Begun> = Vec::new();
        for (course, (runner, done)) in courses.iter_mut().zip(runners.iter().zip(&ran.members)) {
            if let Some(leg) = course.next_leg(done) {
                begun.push(runner.begin(leg, done, count, &mut Silent)?);
            }
        }
        let name = &begun[0].phase().name;
        observer.event(&Event::Members {
            line: &format!("phase {} of {count}: {name}", number + 1),
            matters: false,
        });
        let mut tellers: Vec<Teller<'_>> = (0..shares.len() as u32)
            .map(|rank| sums.teller(rank, number as u32))
            .collect();
        let config = runners[0].config();
        let plans = begun.iter().zip(&runners);
        let plans: Vec<PhasePlan<'_>> = plans.map(|(begun, runner)| begun.plan(runner)).collect();
        let observers = tellers.iter_mut();
        let mut observers: Vec<&mut dyn Observer> = observers
            .map(|teller| teller as &mut dyn Observer)
            .collect();
        let together = simulate_together(&plans, world, config, control, &mut observers)?;
        drop(plans);
        sums.seal(number as u32)
            .map_err(|error| RunError::from(ClusterError::from(NotClustered(error.to_string()))))?;
        ran.machine.push(together.machine);
        for (rank, end) in together.ends.into_iter().enumerate() {
            let result = runners[rank].end(&begun[rank], end, clock, control, &mut Silent)?;
            ran.members[rank].push(result);
        }
    }
    ran.flags = runners[0].flags().to_vec();
    Ok(ran)
}

/// One result of all.
fn put_together(
    plan: &Plan,
    base: &Provenance,
    shares: Vec<Share>,
    ran: Ran,
    sums: &Sums,
    started_utc_ns: u64,
    control: &Control,
) -> RunResult {
    let all = shares.into_iter().zip(ran.members);
    let members = all.map(|(share, phases)| member(base, share, phases, sums));
    let members = members.collect();
    let mut totals = sums.phases();
    totals.truncate(ran.machine.len());
    let outcome = MeasurementOutcome {
        members,
        phases: totals,
        invalid_below_percent: INVALID_BELOW_PERCENT,
        abandoned: None,
        interrupted: control.wish() != Wish::Run,
    };
    let mut result = result::of(plan, TRANSPORT, None, &outcome, started_utc_ns);
    result.provenance = Provenance {
        targets: result.provenance.targets,
        ..base.clone()
    };
    for (phase, machine) in result.phases.iter_mut().zip(ran.machine) {
        phase.machine = machine;
    }
    result.caveats = checks::all(&outcome, &result);
    result.state = State::of(&result.caveats);
    result
}

/// What became of a member: it finished, and judges its own part as a real one does.
fn member(base: &Provenance, share: Share, phases: Vec<PhaseResult>, sums: &Sums) -> MemberOutcome {
    let (place, workload) = (share.place, share.plan.workload);
    let seed = workload.seed();
    let starts = vec![
        Some(Start {
            late_ns: 0,
            error_ns: 0,
        });
        phases.len()
    ];
    let provenance = Provenance {
        workload,
        seed,
        host: HostInfo {
            hostname: place.host.clone(),
            ..HostInfo::default()
        },
        targets: share.prepared.infos,
        ..base.clone()
    };
    let mut own = RunResult {
        caveats: share.prepared.caveats,
        ..RunResult::unjudged(String::new(), provenance, phases)
    };
    fathom_verdict::judge(&mut own);
    let result = worker::result(Judged::new(own), false);
    MemberOutcome {
        name: Name {
            host: place.host.clone(),
            rank: Some(place.rank),
        },
        identity: Some(Identity {
            host: place.host.clone(),
            rank: Some(place.rank),
            ..Identity::default()
        }),
        counted: sums.counted(place.rank),
        is_balanced: Some(sums.are_those_of(place.rank, &result)),
        place: Some(place),
        seed,
        fate: MemberFate::Finished,
        left: Vec::new(),
        offset_ns: None,
        starts,
        result: Some(result),
    }
}

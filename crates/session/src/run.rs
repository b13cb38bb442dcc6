//! A run from its plan to its result.

use crate::account::{self, Accounts};
use crate::amounts;
use crate::counters::{Counters, Watched};
use crate::engines::Engines;
use crate::error::RunError;
use crate::idle::watch_idle;
use crate::listed::Listed;
use crate::local::Local;
use crate::plan::{Plan, Watching};
use crate::preload::preload;
use crate::prepare::{PrepareError, Prepared, PreparedJob, prepare, read_heat};
use crate::provenance::{self, Origin};
use crate::read_back;
use crate::rereading::{Rereading, rereads};
use crate::start;
use fathom_core::result::{PhaseResult, RunResult, SCHEMA_VERSION, TargetInfo, Timings};
use fathom_core::spec::{Job, Phase, Verify, Workload};
use fathom_core::{Nanos, State};
use fathom_device::{Awake, BlockDevice, DevNum, Topology};
use fathom_engine::sim::{World, WorldRef};
use fathom_engine::{
    Clock, EngineConfig, EngineKind, OpenOptions, OpenTarget, Selection, TargetKind,
};
use fathom_load::assembly::{JobTargets, PhasePlan};
use fathom_load::control::{Control, Wish};
use fathom_load::course::{Course, Leg};
use fathom_load::observer::{Event, Observer};
use fathom_load::phase::{PhaseEnd, ThreadRun, on_threads, simulate};
use fathom_load::watch::Unwatched;
use rustix::fs::Advice;
use rustix::io::Errno;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Runs the phases of a plan as they are written down. The result's state is INVALID until somebody
/// has judged it.
///
/// Files that were made are removed before this returns, whatever happens; a first request to
/// end (see [`Control`]) still gives a result.
pub(crate) fn listed(
    plan: &Plan,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    run(plan, &mut Listed::new(&plan.workload), local, observer)
}

/// The same along phases that `course` decides; each uses the targets of its template. The workload
/// in the result's provenance holds the phases as they were run.
pub(crate) fn along(
    plan: &Plan,
    course: &mut dyn Course,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    if let Some(cluster) = &local.cluster {
        return Ok(cluster.along(plan, course, &local.control, observer)?);
    }
    let mut recorded = Recorded {
        course,
        phases: Vec::new(),
    };
    let mut result = run(plan, &mut recorded, local, observer)?;
    result.provenance.workload.phases = recorded.phases;
    Ok(result)
}

/// Keeps what a course decided.
struct Recorded<'a> {
    course: &'a mut dyn Course,
    phases: Vec<Phase>,
}

impl Course for Recorded<'_> {
    fn prepared(&mut self, align_bytes: u64, room_bytes: &[u64]) {
        self.course.prepared(align_bytes, room_bytes);
    }

    fn next_leg(&mut self, done: &[PhaseResult]) -> Option<Leg> {
        let leg = self.course.next_leg(done)?;
        self.phases.push(leg.phase.clone());
        Some(leg)
    }

    fn expected(&self) -> usize {
        self.course.expected()
    }
}

fn run(
    plan: &Plan,
    course: &mut dyn Course,
    local: &Local<'_>,
    observer: &mut dyn Observer,
) -> Result<RunResult, RunError> {
    let control = &local.control;
    let mut clock = Clock::new();
    let started_utc_ns = fathom_engine::clock::utc_now_ns();
    let engines = Engines::of(plan)?;
    let selection = engines.selection.clone();
    let run_id = fathom_core::result::run_id(started_utc_ns, u64::from(std::process::id()));
    begin(
        plan,
        local,
        &selection,
        &run_id,
        started_utc_ns,
        &mut clock,
        observer,
    );
    observer.event(&Event::Engine {
        name: &selection.names(),
        reason: selection.reason.as_str(),
    });
    let awake = plan.awake.then(Awake::hold).transpose();
    let _held = awake.map_err(|cause| RunError::Awake { cause })?;
    let mut prepared = prepare(
        plan,
        selection.kind,
        local.model.as_deref(),
        control,
        observer,
    )?;
    check_traces(plan, local, &prepared)?;
    course.prepared(alignment(&prepared.infos), &rooms(&prepared));
    watch_idle(plan, &mut prepared, &mut clock, control);
    observer.event(&Event::Prepared {
        targets: &prepared.infos,
        caveats: &prepared.caveats,
    });
    let (start, base_ns) = began(selection.kind, &mut clock);
    let mut runner = Runner {
        plan,
        local,
        engines: &engines,
        world: selection
            .kind
            .is_virtual()
            .then(|| world(plan, local, prepared.targets.len())),
        prepared: &prepared,
        accounts: Accounts::new(),
        start,
        flags: Vec::new(),
        first_io: None,
    };
    runner.accounts = account::open(&plan.workload, &prepared, base_ns, runner.start);
    let phases = runner.phases(course, &mut clock, control, observer)?;
    let (workload, accounts, now) = (&plan.workload, &runner.accounts, clock.now());
    account::tell(workload, &prepared, accounts, now, observer);
    let timings = timings(local, &prepared, runner.first_io, clock.now());
    let flags = runner.flags.into_iter();
    let flags = flags.chain(plan.awake.then(|| "awake".to_owned()));
    Ok(finish(
        plan,
        local,
        run_id,
        prepared,
        phases,
        selection,
        started_utc_ns,
        timings,
        flags.collect(),
        &mut clock,
    ))
}

/// When a run begins by its clock, and the time since 1970 at the clock's zero; both 0 where time
/// is virtual.
fn began(kind: EngineKind, clock: &mut Clock) -> (Nanos, u64) {
    if kind.is_virtual() {
        return (Nanos::ZERO, 0);
    }
    let start = clock.now();
    let base_ns = fathom_engine::clock::utc_now_ns().saturating_sub(start.0);
    (start, base_ns)
}

/// How long a run took, from the start of the process.
fn timings(local: &Local<'_>, prepared: &Prepared, first_io: Option<Nanos>, now: Nanos) -> Timings {
    let since = |at: Nanos| at.saturating_sub(local.process_start).0;
    Timings {
        first_io_ns: first_io.map_or(0, since),
        layout_ns: prepared.layout_ns,
        total_ns: since(now),
    }
}

/// Tells that a run begins, with what is known of it.
fn begin(
    plan: &Plan,
    local: &Local<'_>,
    selection: &Selection,
    run_id: &str,
    started_utc_ns: u64,
    clock: &mut Clock,
    observer: &mut dyn Observer,
) {
    let origin = Origin {
        plan,
        model: local.model.as_deref(),
        selection: selection.clone(),
        flags: Vec::new(),
        started_utc_ns,
        timings: Timings::default(),
    };
    let provenance = &provenance::of(origin, Vec::new(), clock);
    let base_ns = fathom_engine::clock::utc_now_ns().saturating_sub(clock.now().0);
    observer.event(&Event::Begin {
        run_id,
        provenance,
        base_ns,
    });
}

/// Refuses traces that do not fit their targets.
fn check_traces(plan: &Plan, local: &Local<'_>, prepared: &Prepared) -> Result<(), RunError> {
    let phases = plan.workload.phases.iter().zip(&prepared.jobs);
    let jobs = phases.flat_map(|(phase, prepared)| phase.jobs.iter().zip(prepared));
    for (job, prepared_job) in jobs {
        let found = local
            .traces()
            .iter()
            .find(|(replay, _)| job.replay.as_ref() == Some(replay));
        let Some((replay, trace)) = found else {
            continue;
        };
        let targets = &prepared_job.targets;
        if targets.len() > 1 && targets.len() < trace.files.len() {
            return Err(RunError::TraceFiles {
                trace: replay.trace.clone(),
                files: trace.files.len(),
                targets: targets.len(),
            });
        }
        let end_bytes = trace.end_bytes();
        let short = targets.iter().find(|(_, window)| window.len < end_bytes);
        if let Some((target, window)) = short {
            return Err(RunError::Trace {
                trace: replay.trace.clone(),
                target: prepared.targets[*target].path.display().to_string(),
                end_bytes,
                room_bytes: window.len,
            });
        }
    }
    Ok(())
}

#[expect(
    clippy::too_many_arguments,
    reason = "the parts of one document, each used once"
)]
fn finish(
    plan: &Plan,
    local: &Local<'_>,
    run_id: String,
    prepared: Prepared,
    phases: Vec<PhaseResult>,
    selection: Selection,
    started_utc_ns: u64,
    timings: Timings,
    flags: Vec<String>,
    clock: &mut Clock,
) -> RunResult {
    let mut infos = prepared.infos;
    for info in &mut infos {
        read_heat(&mut info.devices);
    }
    let origin = Origin {
        plan,
        model: local.model.as_deref(),
        selection,
        flags,
        started_utc_ns,
        timings,
    };
    RunResult {
        schema_version: SCHEMA_VERSION,
        run_id,
        state: State::Invalid,
        caveats: prepared.caveats,
        coverage: None,
        provenance: provenance::of(origin, infos, clock),
        phases,
        ramp: None,
        probes: Vec::new(),
        micro_probes: Vec::new(),
        cliff: None,
        requirements: Vec::new(),
        cluster: None,
    }
}

/// The simulated storage of all targets.
fn world(plan: &Plan, local: &Local<'_>, targets: usize) -> WorldRef {
    match &local.model {
        Some(model) => World::modelled(model.clone(), targets, contents(plan)),
        None => World::new(&plan.engine.volume, targets, contents(plan)),
    }
}

/// Whether a simulated volume has to keep what is written to it.
fn contents(plan: &Plan) -> bool {
    let mut jobs = plan.workload.phases.iter().flat_map(|phase| &phase.jobs);
    jobs.any(|job| job.verify.stamps())
}

struct Runner<'a, 'l> {
    plan: &'a Plan,
    local: &'a Local<'l>,
    engines: &'a Engines,
    world: Option<WorldRef>,
    prepared: &'a Prepared,
    /// What is written where, by target.
    accounts: Accounts,
    start: Nanos,
    flags: Vec<String>,
    first_io: Option<Nanos>,
}

impl Runner<'_, '_> {
    /// All phases of the course, as far as the user lets them.
    fn phases(
        &mut self,
        course: &mut dyn Course,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<Vec<PhaseResult>, RunError> {
        let mut results = Vec::new();
        while control.wish() == Wish::Run {
            let Some(leg) = course.next_leg(&results) else {
                break;
            };
            let number = results.len();
            let targets = self.open(leg.template, &leg.phase)?;
            let counted = amounts::of_files(&leg.phase, &targets)?;
            observer.event(&Event::Leg {
                leg: &leg,
                targets: targets.iter().map(|job| job.paths.as_slice()).collect(),
            });
            announce(&leg.phase, number, course.expected(), observer);
            let of_phase = |jobs: &'_ BTreeMap<String, Vec<String>>| {
                let jobs = jobs.get(&leg.phase.name);
                jobs.cloned().unwrap_or_default()
            };
            let journals = of_phase(&self.plan.journals);
            let splits = of_phase(&self.plan.splits);
            let finer = leg.interval.map(|interval| Workload {
                interval,
                ..self.plan.workload.clone()
            });
            let plan = PhasePlan {
                workload: finer.as_ref().unwrap_or(&self.plan.workload),
                phase: counted.as_ref().unwrap_or(&leg.phase),
                number: number as u32,
                targets: &targets,
                stop_on_error: self.plan.stop_on_error,
                tolerated: &self.plan.tolerated,
                journals: &journals,
                splits: &splits,
                traces: self.local.traces(),
                rereads: &[],
            };
            let end = self.phase(&plan, &leg, clock, control, observer)?;
            if !leg.alone {
                self.flags = end.flags();
            }
            let write_back_ns = self.write_back(&plan, clock, control, observer)?;
            self.first_io.get_or_insert(end.timeline.start);
            if end.requests_lost() > 0 {
                let count = end.requests_lost();
                observer.event(&Event::RequestsLost { count });
            }
            if end.journal_waits() > 0 {
                let count = end.journal_waits();
                observer.event(&Event::RequestsWaited { count });
            }
            let mut result = end.into_result(&plan, leg.repeat, self.start);
            if !self.engines.differ() {
                // Then the run says it for all of them.
                result.jobs.iter_mut().for_each(|job| job.engine.clear());
            }
            if let Some(ledger) = &mut result.ledger {
                ledger.write_back_ns = write_back_ns;
            }
            self.read_back_all(&plan, &mut result, control, observer)?;
            self.reread(&plan, &mut result, clock, control, observer)?;
            observer.event(&Event::PhaseEnd { result: &result });
            results.push(result);
        }
        Ok(results)
    }

    fn config(&self) -> EngineConfig {
        let engine = &self.plan.engine;
        EngineConfig {
            submission_polling: engine.submission_polling,
            completion_polling: engine.completion_polling,
            hybrid_polling: engine.hybrid_polling,
            min_wait: engine.min_wait,
            huge_pages: engine.huge_pages,
            ..EngineConfig::default()
        }
    }

    fn phase(
        &self,
        plan: &PhasePlan<'_>,
        leg: &Leg,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<PhaseEnd, RunError> {
        let config = self.config();
        if let Some(world) = &self.world {
            return Ok(simulate(plan, world, config, control, observer)?);
        }
        let rounds = plan.phase.steady.map_or(1, |steady| steady.rounds as usize);
        // The generator alone goes nowhere: no device is to be looked at.
        let (watched, targets) = if leg.alone {
            (Watched::default(), Vec::new())
        } else {
            (self.watched(leg.template), open_targets(plan.targets))
        };
        let kind = |job: &Job| {
            if leg.alone {
                EngineKind::nowhere()
            } else {
                self.engines.of_job(job)
            }
        };
        let mut ready = |clock: &mut Clock| {
            let mut starter = self.local.starter.borrow_mut();
            if let Some(starter) = starter.as_deref_mut() {
                start::wait(starter, plan.number as usize, clock, control);
            }
        };
        let run = ThreadRun {
            ready: &mut ready,
            kind: &kind,
            config,
            affinity: &self.plan.affinity,
            clock,
            watch: if self.plan.watching == Watching::Nothing {
                Box::new(Unwatched)
            } else {
                Box::new(Counters::new(watched, targets, rounds))
            },
        };
        Ok(on_threads(plan, run, control, observer)?)
    }

    /// How long it takes to make durable what the jobs of a phase have written through the page
    /// cache; none where they have not, or where the user does not want to wait.
    fn write_back(
        &self,
        plan: &PhasePlan<'_>,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<Option<u64>, RunError> {
        let jobs = plan.phase.jobs.iter().zip(plan.targets);
        let goes_somewhere = |job: &Job| self.engines.of_job(job).is_real();
        let buffered =
            jobs.filter(|(job, _)| job.writes() && !job.durability.direct && goes_somewhere(job));
        // Of files in a directory there is no end that could be waited for alone.
        let is_one = |target: &&Arc<OpenTarget>| target.kind != TargetKind::Directory;
        let targets = buffered.flat_map(|(_, targets)| &targets.open);
        let mut targets = targets.filter(is_one).peekable();
        if targets.peek().is_none() || control.wish() != Wish::Run {
            return Ok(None);
        }
        let began = clock.now();
        for target in targets {
            let path = &target.path.to_string_lossy();
            observer.event(&Event::WriteBack { path });
            match rustix::fs::fdatasync(&target.fd) {
                Ok(()) => {}
                // Nothing of it can be durable, as of /dev/null.
                Err(Errno::INVAL | Errno::ROFS) => return Ok(None),
                Err(errno) => {
                    let failed = PrepareError::system(&target.path, "write back");
                    return Err(failed(errno.into()).into());
                }
            }
        }
        Ok(Some(clock.now().saturating_sub(began).0))
    }

    /// Reads back what the jobs that ask for it have written, and checks it.
    fn read_back_all(
        &self,
        plan: &PhasePlan<'_>,
        result: &mut PhaseResult,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let jobs = plan.phase.jobs.iter().zip(plan.targets);
        for ((job, targets), found) in jobs.zip(&mut result.jobs) {
            let seed = plan.workload.seed;
            // Where it is not known what was written, all is read back.
            let all = match job.verify {
                Verify::ReadBack => true,
                Verify::ReadWritten => rereads(job, targets).is_none(),
                Verify::Off | Verify::Stamp | Verify::Check => false,
            };
            if !all {
                continue;
            }
            if let Some(world) = &self.world {
                read_back::check_simulated(job, targets, seed, found, &world.borrow());
            } else if !targets.open.is_empty() {
                read_back::check(job, targets, seed, found, control, observer)?;
            }
        }
        Ok(())
    }

    /// Reads back what was written of the jobs that ask for no more, by their own engines.
    fn reread(
        &self,
        plan: &PhasePlan<'_>,
        result: &mut PhaseResult,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let is_real = |job: &Job| self.world.is_some() || self.engines.of_job(job).is_real();
        let rereading = Rereading::of(plan, &is_real).filter(|_| control.wish() == Wish::Run);
        let Some(rereading) = rereading else {
            return Ok(());
        };
        let phase = rereading.plan(plan);
        let mut progress = rereading.progress(observer);
        let config = self.config();
        let end = if let Some(world) = &self.world {
            simulate(&phase, world, config, control, &mut progress)?
        } else {
            let run = ThreadRun {
                ready: &mut |_| {},
                kind: &|job| self.engines.of_job(job),
                config,
                affinity: &self.plan.affinity,
                clock,
                watch: Box::new(Unwatched),
            };
            on_threads(&phase, run, control, &mut progress)?
        };
        Rereading::add(end.into_result(&phase, 0, self.start), result);
        Ok(())
    }

    /// The block devices below a phase's targets that are looked at.
    fn watched(&self, phase: usize) -> Watched {
        let used = self.prepared.jobs[phase]
            .iter()
            .flat_map(|job| &job.targets);
        let topologies: Vec<_> = used
            .map(|(target, _)| &self.prepared.targets[*target])
            // The kernel does not count commands that pass by its block layer.
            .filter(|target| target.kind != Some(TargetKind::NvmeNamespace))
            .filter_map(|target| target.topology.as_ref())
            .collect();
        let numbers = |of: fn(&Topology) -> Vec<&BlockDevice>| {
            let devices = topologies.iter().flat_map(|topology| of(topology));
            let each: BTreeSet<DevNum> = devices.map(|device| device.dev).collect();
            each.into_iter().collect::<Vec<_>>()
        };
        let trees = topologies.iter().flat_map(|topology| &topology.devices);
        let rows = trees.flat_map(fathom_device::Tree::rows);
        let stack: BTreeSet<String> = rows.map(|row| row.device.name.clone()).collect();
        Watched {
            devices: numbers(Topology::witnesses),
            below_loops: numbers(Topology::below_loops),
            stack: stack.into_iter().collect(),
        }
    }

    /// Opens the targets of a phase, each as its job needs it.
    fn open(&self, phase: usize, spec: &Phase) -> Result<Vec<JobTargets>, RunError> {
        let jobs = spec.jobs.iter().zip(&self.prepared.jobs[phase]);
        jobs.map(|(job, prepared)| self.open_job(job, prepared))
            .collect()
    }

    fn open_job(&self, job: &Job, prepared: &PreparedJob) -> Result<JobTargets, RunError> {
        let mut targets = JobTargets::default();
        let options = OpenOptions {
            read: job.reads() || job.verify == Verify::ReadWritten,
            // A flush needs no right to write.
            write: job.destroys(),
            direct: job.durability.direct,
            write_through: job.durability.write_through,
        };
        for (index, window) in &prepared.targets {
            let target = &self.prepared.targets[*index];
            targets.paths.push(target.path.display().to_string());
            targets.windows.push(*window);
            let number = u16::try_from(*index);
            targets.numbers.push(number.map_err(|_| RunError::Targets)?);
            let account = self.accounts[*index].clone();
            targets
                .written
                .push(account.filter(|_| job.verify.stamps()));
            let sync = job.files.is_some_and(|files| files.sync);
            if let Some(open) = target.open_files(sync) {
                targets.open.push(Arc::new(open?));
            } else if target.kind.is_some() {
                let open = target.open(&options)?;
                begin_state(job, &open)?;
                if job.preload {
                    preload(target, *window, &self.local.control)?;
                }
                targets.open.push(Arc::new(open));
            }
        }
        Ok(targets)
    }
}

/// Bytes that the first job of each phase can reach.
fn rooms(prepared: &Prepared) -> Vec<u64> {
    let jobs = prepared.jobs.iter().map(|phase| phase.first());
    jobs.map(|job| {
        let windows = job.iter().flat_map(|job| &job.targets);
        windows.map(|(_, window)| window.len).sum()
    })
    .collect()
}

/// To what direct requests must be aligned on all targets; 0 where nothing is known.
fn alignment(targets: &[TargetInfo]) -> u64 {
    let layouts = targets.iter().filter_map(|target| target.layout.as_ref());
    let files = layouts.filter_map(|layout| layout.direct_align_bytes.map(u64::from));
    let devices = targets.iter().flat_map(|target| &target.devices);
    files
        .chain(devices.map(|device| device.logical_block_bytes))
        .max()
        .unwrap_or(0)
}

/// What the jobs of a phase have open.
fn open_targets(jobs: &[JobTargets]) -> Vec<Arc<OpenTarget>> {
    jobs.iter().flat_map(|job| &job.open).cloned().collect()
}

/// Brings a target into the state in which its job is to find it, before any clock runs.
fn begin_state(job: &Job, target: &OpenTarget) -> Result<(), RunError> {
    let failed = |action| PrepareError::system(&target.path, action);
    if job.fresh && target.kind == TargetKind::File {
        // What lies before the job's own part is not its to empty.
        rustix::fs::ftruncate(&target.fd, job.offset.0)
            .map_err(|errno| failed("empty")(errno.into()))?;
    }
    let keeps_nothing = matches!(
        target.kind,
        TargetKind::CharDevice | TargetKind::NvmeNamespace
    );
    if job.cold && !keeps_nothing {
        rustix::fs::fsync(&target.fd).map_err(|errno| failed("write back")(errno.into()))?;
        // Only advice: whether reads came from the device is checked by what the device counted.
        let _ = rustix::fs::fadvise(&target.fd, 0, None, Advice::DontNeed);
    }
    Ok(())
}

fn announce(phase: &Phase, index: usize, count: usize, observer: &mut dyn Observer) {
    observer.event(&Event::PhaseStart {
        name: &phase.name,
        index,
        count,
        jobs: phase.jobs.iter().map(|job| job.name.as_str()).collect(),
        warm_up_ns: phase.warm_up.0,
        duration_ns: phase.duration.map(|duration| duration.0),
        cool_down_ns: phase.cool_down.0,
    });
}

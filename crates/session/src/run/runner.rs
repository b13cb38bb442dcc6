//! One leg of a course after another, on the targets of a plan.

use crate::account::{self, Accounts};
use crate::amounts;
use crate::blame::Tracer;
use crate::capture::Stack;
use crate::counters::{Counters, Watched};
use crate::engines::Engines;
use crate::error::RunError;
use crate::local::Local;
use crate::plan::{Plan, Watching};
use crate::prepare::{PrepareError, Prepared, PreparedJob, ZonesError, holds_data};
use crate::read_back;
use crate::rereading::{Rereading, rereads};
use crate::start;
use crate::write_back::WriteBack;
use fathom_core::result::PhaseResult;
use fathom_core::spec::{Job, Phase, ReadAhead, Verify, Walk, Workload};
use fathom_core::{EngineKind, Nanos};
use fathom_device::{BlockDevice, DevNum, Topology};
use fathom_engine::sim::WorldRef;
use fathom_engine::{Clock, EngineConfig, OpenOptions, OpenTarget, TargetKind};
use fathom_load::assembly::PhasePlan;
use fathom_load::control::{Control, Wish};
use fathom_load::course::{Leg, PhaseOrder};
use fathom_load::observer::{Event, Observer};
use fathom_load::phase::{PhaseEnd, ThreadRun, on_threads, simulate};
use fathom_load::targets::JobTargets;
use fathom_load::watch::{Unwatched, Watch};
use fathom_platform::fs::Advice;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A plan whose targets are prepared, on its way through its phases.
pub(crate) struct Runner<'a, 'l> {
    plan: &'a Plan,
    local: &'a Local<'l>,
    engines: &'a Engines,
    world: Option<WorldRef>,
    prepared: &'a Prepared,
    /// Number of its first target in the world, where others are in it too.
    first_target: usize,
    /// What is written where, by target.
    accounts: Accounts,
    start: Nanos,
    pub(super) flags: Vec<String>,
    pub(super) first_io: Option<Nanos>,
}

/// A leg of a course that is about to be run: what it needs is open.
pub(crate) struct Begun {
    leg: Leg,
    number: u32,
    targets: Vec<JobTargets>,
    /// The phase with the amounts that the targets have, where that is to be counted.
    counted: Option<Phase>,
    journals: Vec<String>,
    splits: Vec<String>,
    /// Those whose threads are distinguished by target.
    apart: Vec<String>,
    /// The workload with the intervals of the leg, where it has its own.
    finer: Option<Workload>,
}

impl Begun {
    /// The phase that it runs.
    pub(crate) const fn phase(&self) -> &Phase {
        &self.leg.phase
    }

    /// It as the load takes it.
    pub(crate) fn plan<'p>(&'p self, runner: &'p Runner<'_, '_>) -> PhasePlan<'p> {
        PhasePlan {
            workload: self.finer.as_ref().unwrap_or(&runner.plan.workload),
            phase: self.measured(),
            mark: runner.plan.mark(),
            number: self.number,
            targets: &self.targets,
            stop_on_error: runner.plan.stop_on_error,
            tolerated: &runner.plan.tolerated,
            journals: &self.journals,
            splits: &self.splits,
            apart: &self.apart,
            traces: runner.local.traces(),
            contents: runner.local.contents(),
            rereads: &[],
        }
    }

    /// The phase as it is measured.
    fn measured(&self) -> &Phase {
        let counted = self.counted.as_ref();
        counted.unwrap_or(&self.leg.phase)
    }
}

impl<'a, 'l> Runner<'a, 'l> {
    /// A run that begins at an instant of its clock, and the time since 1970 at the clock's zero.
    pub(crate) fn new(
        plan: &'a Plan,
        local: &'a Local<'l>,
        engines: &'a Engines,
        world: Option<WorldRef>,
        prepared: &'a Prepared,
        (start, base_ns): (Nanos, u64),
    ) -> Self {
        Self {
            plan,
            local,
            engines,
            world,
            prepared,
            first_target: 0,
            accounts: account::open(plan, prepared, base_ns, start),
            start,
            flags: Vec::new(),
            first_io: None,
        }
    }

    /// The same with targets numbered after `count` others.
    pub(crate) const fn after_targets(mut self, count: usize) -> Self {
        self.first_target = count;
        self
    }

    /// Features of the engines of the last phase.
    pub(crate) fn flags(&self) -> &[String] {
        &self.flags
    }

    /// What is written where, by target.
    pub(crate) const fn accounts(&self) -> &Accounts {
        &self.accounts
    }
}

impl Runner<'_, '_> {
    /// All phases of the course, as far as the user lets them.
    pub(super) fn phases(
        &mut self,
        course: &mut dyn PhaseOrder,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<Vec<PhaseResult>, RunError> {
        let mut results = Vec::new();
        while control.wish() == Wish::Run {
            let Some(leg) = course.next_leg(&results) else {
                break;
            };
            let expected = course.expected();
            let ended = self.leg(leg, &results, expected, clock, control, observer)?;
            observer.event(&Event::PhaseEnd { result: &ended });
            results.push(ended);
        }
        Ok(results)
    }

    /// One leg after those that are done, of `expected` ones.
    fn leg(
        &mut self,
        leg: Leg,
        done: &[PhaseResult],
        expected: usize,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<PhaseResult, RunError> {
        let begun = self.begin(leg, done, expected, observer)?;
        let plan = begun.plan(self);
        let stack = || Stack::of(self.topologies(begun.leg.template));
        let tracer = self.plan.blame.then(stack).map(Tracer::begin).transpose()?;
        let tracing = tracer.as_ref();
        let end = self.phase(&plan, &begun.leg, tracing, clock, control, observer)?;
        let mut result = self.end(&begun, end, clock, control, observer)?;
        if let Some(tracer) = tracer {
            tracer.explain(&mut result, self.start);
        }
        Ok(result)
    }

    /// Opens what a leg needs, numbered after those that are done, and reports it.
    pub(crate) fn begin(
        &self,
        leg: Leg,
        done: &[PhaseResult],
        expected: usize,
        observer: &mut dyn Observer,
    ) -> Result<Begun, RunError> {
        let targets = self.open(leg.template, &leg.phase)?;
        let counted = amounts::counted(&leg.phase, &targets, done)?;
        let number = done.len();
        observer.event(&Event::Leg {
            leg: &leg,
            targets: targets.iter().map(|job| job.paths.as_slice()).collect(),
        });
        announce(&leg.phase, number, expected, observer);
        let of_phase = |jobs: &'_ BTreeMap<String, Vec<String>>| {
            let jobs = jobs.get(&leg.phase.name);
            jobs.cloned().unwrap_or_default()
        };
        let finer = leg.interval.map(|interval| Workload {
            interval,
            ..self.plan.workload.clone()
        });
        Ok(Begun {
            number: number as u32,
            targets,
            counted,
            journals: of_phase(&self.plan.journals),
            splits: of_phase(&self.plan.splits),
            apart: of_phase(&self.plan.apart),
            finer,
            leg,
        })
    }

    /// What came of a leg, with all that is looked at after it.
    pub(crate) fn end(
        &mut self,
        begun: &Begun,
        end: PhaseEnd,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<PhaseResult, RunError> {
        if !begun.leg.alone {
            self.flags = end.flags();
        }
        self.first_io.get_or_insert(end.timeline.start);
        let plan = begun.plan(self);
        let write_back = self.write_back(&plan, clock, control, observer);
        tell_left(&end, observer);
        let start = end.timeline.start;
        let mut result = end.into_result(&plan, begun.leg.repeat, self.start);
        if !self.engines.differ() {
            // Then the run says it for all of them.
            result.jobs.iter_mut().for_each(|job| job.engine.clear());
        }
        write_back.note(&mut result);
        self.read_back_all(&plan, &mut result, control, observer)?;
        self.reread((&plan, start), &mut result, clock, control, observer)?;
        // The jobs of a later phase read back what they have written themselves.
        for account in self.accounts.iter().flatten() {
            account.forget_places();
        }
        Ok(result)
    }

    pub(crate) fn config(&self) -> EngineConfig {
        let engine = &self.plan.engine;
        EngineConfig {
            submission_polling: engine.submission_polling,
            submission_cpu: engine.submission_cpu,
            completion_polling: engine.completion_polling,
            hybrid_polling: engine.hybrid_polling,
            min_wait: engine.min_wait,
            huge_pages: engine.huge_pages || self.replays(),
            ..EngineConfig::default()
        }
    }

    /// Whether recorded requests are made again. A large one from many small pages would be split.
    fn replays(&self) -> bool {
        let phases = self.plan.workload.phases.iter();
        let mut jobs = phases.flat_map(|phase| &phase.jobs);
        jobs.any(|job| job.replay.is_some())
    }

    fn phase(
        &self,
        plan: &PhasePlan<'_>,
        leg: &Leg,
        tracer: Option<&Tracer>,
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
        let mut unseen = None;
        let mut ready = |clock: &mut Clock| {
            let mut starter = self.local.starter.borrow_mut();
            if let Some(starter) = starter.as_deref_mut() {
                start::wait(starter, plan.number as usize, clock, control);
            }
            // All members have ended the phase before by now.
            unseen = self.check_seen(leg).err();
            if unseen.is_some() {
                control.interrupt();
            }
        };
        let watch: Box<dyn Watch> = if self.plan.watching == Watching::Nothing {
            Box::new(Unwatched)
        } else {
            Box::new(Counters::new(watched, targets, rounds))
        };
        let run = ThreadRun {
            ready: &mut ready,
            kind: &kind,
            config,
            affinity: &self.plan.affinity,
            clock,
            watch: match tracer {
                Some(tracer) => tracer.along(watch, plan.phase.warm_up),
                None => watch,
            },
        };
        let end = on_threads(plan, run, control, observer);
        unseen.map_or_else(|| Ok(end?), Err)
    }

    /// Refuses to read what another member has written where nothing of it is seen: holes are no
    /// storage.
    fn check_seen(&self, leg: &Leg) -> Result<(), RunError> {
        let earlier = self.plan.workload.phases.iter().take(leg.template);
        let is_written = earlier.flat_map(|phase| &phase.jobs).any(Job::destroys);
        let Some(rank) = self.plan.reads_from.filter(|_| is_written && !leg.alone) else {
            return Ok(());
        };
        let jobs = leg.phase.jobs.iter().zip(&self.prepared.jobs[leg.template]);
        for (job, prepared) in jobs.filter(|(job, _)| !job.destroys()) {
            let is_real = self.engines.of_job(job).is_real();
            for (index, window) in prepared.targets.iter().filter(|_| is_real) {
                let target = &self.prepared.targets[*index];
                if target.kind != Some(TargetKind::File) {
                    continue;
                }
                let length = match job.access.walk {
                    Walk::Zones { length, .. } => length.0.min(window.len),
                    _ => window.len,
                };
                let options = OpenOptions {
                    read: true,
                    ..OpenOptions::default()
                };
                // Opened anew: a file server tells only then what others have done.
                let open = target.open(&options)?;
                let examined = PrepareError::system(&target.path, "examine");
                let there = holds_data(&open.fd, window.start, window.start + length);
                if !there.map_err(examined)? {
                    let path = target.path.display().to_string();
                    return Err(RunError::NotSeen { path, rank });
                }
            }
        }
        Ok(())
    }

    /// Makes durable what the jobs of a phase have written through the page cache, where they have
    /// and the user does not mind to wait.
    fn write_back(
        &self,
        plan: &PhasePlan<'_>,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> WriteBack {
        let jobs = plan.phase.jobs.iter().zip(plan.targets).enumerate();
        let goes_somewhere = |job: &Job| self.engines.of_job(job).is_real();
        let buffered = jobs
            .filter(|(_, (job, _))| job.writes() && !job.durability.direct && goes_somewhere(job));
        // Of files in a directory there is no end that could be waited for alone.
        let is_one = |target: &&Arc<OpenTarget>| target.kind != TargetKind::Directory;
        let targets = buffered.flat_map(|(index, (_, targets))| {
            let open = targets.open.iter().filter(is_one);
            open.map(move |target| (index, target.as_ref()))
        });
        let targets: Vec<(usize, &OpenTarget)> = targets.collect();
        if targets.is_empty() || control.wish() != Wish::Run {
            return WriteBack::default();
        }
        WriteBack::of(&targets, clock, observer)
    }

    /// Reads back what the jobs that ask for it have written, and checks it.
    fn read_back_all(
        &self,
        plan: &PhasePlan<'_>,
        result: &mut PhaseResult,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        if control.hangs() {
            return Ok(());
        }
        let jobs = plan.phase.jobs.iter().zip(plan.targets);
        for ((job, targets), found) in jobs.zip(&mut result.jobs) {
            let run = plan.mark.run;
            // Where it is not known what was written, all is read back.
            let all = match job.verify {
                Verify::ReadBack => true,
                Verify::ReadWritten => rereads(job, targets, Nanos::ZERO).is_none(),
                Verify::Off | Verify::Stamp | Verify::Check => false,
            };
            if !all || !job.verify.checks() {
                continue;
            }
            if let Some(world) = &self.world {
                read_back::check_simulated(job, targets, run, found, &world.borrow());
            } else if !targets.open.is_empty() {
                read_back::check(job, targets, run, found, control, observer)?;
            }
        }
        Ok(())
    }

    /// Reads back what was written of the jobs that ask for no more, by their own engines. With the
    /// phase comes when it began.
    fn reread(
        &self,
        (plan, start): (&PhasePlan<'_>, Nanos),
        result: &mut PhaseResult,
        clock: &mut Clock,
        control: &Control,
        observer: &mut dyn Observer,
    ) -> Result<(), RunError> {
        let is_real = |job: &Job| self.world.is_some() || self.engines.of_job(job).is_real();
        let rereading =
            Rereading::of(plan, start, &is_real).filter(|_| control.wish() == Wish::Run);
        let Some(rereading) = rereading else {
            return Ok(());
        };
        let phase = rereading.plan(plan);
        let mut progress = rereading.progress(start, observer);
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
        tell_left(&end, observer);
        Rereading::add(end.into_result(&phase, 0, self.start), result);
        Ok(())
    }

    /// What lies below a phase's targets.
    fn topologies(&self, phase: usize) -> impl Iterator<Item = &Topology> {
        let jobs = self.prepared.jobs[phase].iter();
        jobs.flat_map(|job| &job.targets)
            .map(|(target, _)| &self.prepared.targets[*target])
            // The kernel does not count commands that pass by its block layer.
            .filter(|target| target.kind != Some(TargetKind::NvmeNamespace))
            .filter_map(|target| target.topology.as_ref())
    }

    /// The block devices below a phase's targets that are looked at.
    fn watched(&self, phase: usize) -> Watched {
        let topologies: Vec<_> = self.topologies(phase).collect();
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
            limits: self
                .prepared
                .io_limits
                .as_ref()
                .cloned()
                .unwrap_or_default(),
        }
    }

    /// Opens the targets of a phase, each as its job needs it.
    fn open(&self, phase: usize, spec: &Phase) -> Result<Vec<JobTargets>, RunError> {
        let prepared = &self.prepared.jobs[phase];
        self.check_zones(spec, prepared)?;
        let jobs = spec.jobs.iter().zip(prepared);
        jobs.map(|(job, prepared)| self.open_job(job, prepared))
            .collect()
    }

    /// Refuses several jobs on the zones of one target: neither would know what the other opens.
    fn check_zones(&self, spec: &Phase, prepared: &[PreparedJob]) -> Result<(), RunError> {
        let mut known = BTreeSet::new();
        for (job, prepared) in spec.jobs.iter().zip(prepared) {
            if !job.access.walk.is_at_write_pointers() {
                continue;
            }
            for (target, _) in &prepared.targets {
                if !known.insert(*target) {
                    let path = &self.prepared.targets[*target].path;
                    return Err(ZonesError::twice(job, path).into());
                }
            }
        }
        Ok(())
    }

    fn open_job(&self, job: &Job, prepared: &PreparedJob) -> Result<JobTargets, RunError> {
        let mut targets = JobTargets::default();
        // A mapping cannot be written to without being read.
        let options = OpenOptions {
            read: job.reads()
                || job.verify == Verify::ReadWritten
                || self.engines.of_job(job).capabilities().maps_targets,
            // A flush needs no right to write.
            write: job.destroys(),
            direct: job.durability.direct,
            write_through: job.durability.write_through,
        };
        for (index, window) in &prepared.targets {
            let target = &self.prepared.targets[*index];
            targets.paths.push(target.path.display().to_string());
            let number = u16::try_from(self.first_target + *index);
            targets.numbers.push(number.map_err(|_| RunError::Targets)?);
            let account = self.accounts[*index].clone();
            targets
                .written
                .push(account.filter(|_| job.verify.stamps()));
            let sync = job.files.is_some_and(|files| files.sync);
            if let Some(open) = target.open_files(sync) {
                targets.open.push(Arc::new(open?));
            } else if target.kind.is_some() {
                let mut open = target.open(&options)?;
                open.random = job.is_random();
                match job.compat().read_ahead {
                    None if open.random && !open.direct => open.expect_random(),
                    Some(ReadAhead::Sequential) => open.expect_sequential(),
                    None => {}
                }
                open.appends = job.access.walk.appends();
                begin_state(job, &open)?;
                let zones = target.zone_shares(job, &open, *window)?;
                targets.zones.push(zones);
                targets.open.push(Arc::new(open));
            }
            targets.windows.push(*window);
        }
        Ok(targets)
    }
}

/// Tells what journals lack.
fn tell_left(end: &PhaseEnd, observer: &mut dyn Observer) {
    if end.requests_lost() > 0 {
        let count = end.requests_lost();
        observer.event(&Event::RequestsLost { count });
    }
    if end.journal_waits() > 0 {
        let count = end.journal_waits();
        observer.event(&Event::RequestsWaited { count });
    }
}

/// What the jobs of a phase have open.
fn open_targets(jobs: &[JobTargets]) -> Vec<Arc<OpenTarget>> {
    jobs.iter().flat_map(|job| &job.open).cloned().collect()
}

/// Brings a target into the state in which its job is to find it, before any clock runs.
fn begin_state(job: &Job, target: &OpenTarget) -> Result<(), RunError> {
    let failed = |action| PrepareError::system(&target.path, action);
    // A job that only reads is fresh where another member fills the file.
    let is_emptied = job.fresh && !job.compat().uncut;
    if is_emptied && job.destroys() && target.kind == TargetKind::File {
        // What lies before the job's own part is not its to empty.
        fathom_platform::fs::ftruncate(&target.fd, job.offset.0)
            .map_err(|errno| failed("empty")(errno.into()))?;
    }
    let keeps_nothing = matches!(
        target.kind,
        TargetKind::CharDevice | TargetKind::NvmeNamespace
    );
    if job.cold && !keeps_nothing {
        fathom_platform::fs::fsync(&target.fd)
            .map_err(|errno| failed("write back")(errno.into()))?;
        // Only advice: whether reads came from the device is checked by what the device counted.
        let _ = fathom_platform::fs::fadvise(&target.fd, 0, None, Advice::DontNeed);
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

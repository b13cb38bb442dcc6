//! A workload in virtual time, built in a few words.

use fathom_core::result::PhaseResult;
use fathom_core::spec::{Arrivals, IoKind, Job, Pacing, Phase, Replay, Workload};
use fathom_core::{Bytes, Nanos, Op, Rate, Tolerated};
use fathom_device::zone_report::Zone;
use fathom_engine::EngineConfig;
use fathom_engine::sim::{SimVolume, Stall, World, WorldRef};
use fathom_load::assembly::PhasePlan;
use fathom_load::control::Control;
use fathom_load::observer::{Observer, Silent};
use fathom_load::phase::simulate;
use fathom_load::replay::ReplayInput;
use fathom_load::request::Window;
use fathom_load::targets::JobTargets;
use fathom_load::verify::Mark;
use fathom_load::zones::{ZoneLimits, ZoneShare, shares};
use std::sync::Arc;

/// A workload of one phase on one volume, to be bent before it runs.
pub(crate) struct Scenario {
    pub(crate) workload: Workload,
    pub(crate) volume: SimVolume,
    /// Keep what is written, so that it can be read back.
    pub(crate) contents: bool,
    pub(crate) stop_on_error: bool,
    pub(crate) tolerated: Tolerated,
    /// Jobs whose requests are told.
    pub(crate) journals: Vec<String>,
    /// Traces that jobs replay.
    pub(crate) traces: Vec<(Replay, Arc<ReplayInput>)>,
    /// How late sleeps end, in turn.
    pub(crate) wake_ups: Vec<Nanos>,
    /// Number of volumes.
    pub(crate) targets: usize,
    /// The zones of each, for jobs that write to write pointers.
    pub(crate) zones: Vec<Zone>,
}

/// A closed loop of 4 KiB random reads at depth 1 on one thread.
pub(crate) fn job(name: &str) -> Job {
    Job {
        name: name.to_owned(),
        kinds: vec![kind(Op::Read, 4096)],
        ..Job::plain()
    }
}

/// Random requests of one size.
pub(crate) fn kind(op: Op, bytes: u64) -> IoKind {
    IoKind::plain(op, Bytes(bytes))
}

impl Scenario {
    /// One job for a second, on a volume that serves one request at a time in `service`.
    pub(crate) fn new(job: Job, service: Nanos) -> Self {
        let phase = Phase {
            duration: Some(Nanos::from_secs(1)),
            jobs: vec![job],
            ..Phase::plain()
        };
        Self {
            workload: Workload {
                name: "scenario".to_owned(),
                phases: vec![phase],
                ..Workload::plain()
            },
            volume: SimVolume {
                service,
                servers: 1,
                size_bytes: 1 << 30,
                ..SimVolume::default()
            },
            contents: false,
            stop_on_error: false,
            tolerated: Tolerated::default(),
            journals: Vec::new(),
            traces: Vec::new(),
            wake_ups: Vec::new(),
            targets: 1,
            zones: Vec::new(),
        }
    }

    /// Lasts so long.
    pub(crate) fn lasting(mut self, duration: Nanos) -> Self {
        self.phase().duration = Some(duration);
        self
    }

    /// Stalls once.
    pub(crate) fn stalling(mut self, at: Nanos, length: Nanos) -> Self {
        self.volume.stalls = vec![Stall { at, length }];
        self
    }

    pub(crate) fn phase(&mut self) -> &mut Phase {
        &mut self.workload.phases[0]
    }

    /// Runs the first phase from instant zero.
    pub(crate) fn run(&self) -> PhaseResult {
        self.run_all().swap_remove(0)
    }

    /// Runs all phases in one world.
    pub(crate) fn run_all(&self) -> Vec<PhaseResult> {
        let world = self.world(self.contents);
        let phases = self.workload.phases.iter();
        phases.map(|phase| self.run_phase(phase, &world)).collect()
    }

    /// Runs all phases on a volume that keeps what is written, and gives the pages of 4 KiB that
    /// it holds.
    pub(crate) fn written_pages(&self) -> Vec<u64> {
        let world = self.world(true);
        for phase in &self.workload.phases {
            self.run_phase(phase, &world);
        }
        world.borrow().written_pages(0)
    }

    /// Runs the first phase and tells somebody how it goes.
    pub(crate) fn run_observed(&self, observer: &mut dyn Observer) -> PhaseResult {
        let world = self.world(self.contents);
        self.run_heard(&self.workload.phases[0], &world, observer)
    }

    fn world(&self, contents: bool) -> WorldRef {
        let world = World::new(&self.volume, self.targets, contents);
        world.borrow_mut().wake_late(self.wake_ups.clone());
        world
    }

    fn run_phase(&self, phase: &Phase, world: &WorldRef) -> PhaseResult {
        self.run_heard(phase, world, &mut Silent)
    }

    fn run_heard(
        &self,
        phase: &Phase,
        world: &WorldRef,
        observer: &mut dyn Observer,
    ) -> PhaseResult {
        let found = fathom_core::spec::validate::validate(&self.workload);
        assert_eq!(found, [], "the scenario is a valid workload");
        let window = Window {
            start: 0,
            len: self.volume.size_bytes,
        };
        let targets = JobTargets {
            open: Vec::new(),
            paths: vec!["sim".to_owned(); self.targets],
            windows: vec![window; self.targets],
            numbers: (0..self.targets as u16).collect(),
            ..JobTargets::default()
        };
        let of_job = |job: &Job| JobTargets {
            zones: vec![self.shares(job, window); self.targets],
            ..targets.clone()
        };
        let targets: Vec<JobTargets> = phase.jobs.iter().map(of_job).collect();
        let plan = self.plan(phase, &targets);
        let config = EngineConfig::default();
        let end = simulate(&plan, world, config, &Control::new(), observer)
            .expect("the simulation runs to its end");
        end.into_result(&plan, 1, Nanos::ZERO)
    }

    /// The zones of each thread of a job.
    fn shares(&self, job: &Job, window: Window) -> Vec<ZoneShare> {
        if !job.access.walk.is_at_write_pointers() {
            return Vec::new();
        }
        let len = job.largest_io().0 as u32;
        let limits = ZoneLimits::default();
        shares(&self.zones, window, len, job.threads, limits).expect("there are enough zones")
    }

    /// The plan of a phase of it on these targets.
    pub(crate) fn plan<'a>(&'a self, phase: &'a Phase, targets: &'a [JobTargets]) -> PhasePlan<'a> {
        PhasePlan {
            workload: &self.workload,
            phase,
            mark: Mark {
                run: 1,
                seed: self.workload.seed(),
                salt: self.workload.salt(),
            },
            number: 0,
            targets,
            stop_on_error: self.stop_on_error,
            tolerated: &self.tolerated,
            journals: &self.journals,
            splits: &[],
            apart: &[],
            traces: &self.traces,
            contents: &[],
            rereads: &[],
        }
    }
}

/// An open load of `rate` requests a second.
pub(crate) fn open(rate: f64, arrivals: Arrivals) -> Pacing {
    Pacing::Open {
        rate: Rate::Iops(rate),
        arrivals,
    }
}

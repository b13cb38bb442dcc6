//! A phase in virtual time: the same workers, interleaved by the simulator's driver; of one host or
//! of several that run it together.

use super::{PhaseEnd, end_reason, steer};
use crate::aggregate::Aggregator;
use crate::assembly::{PhasePlan, WorkerSeed};
use crate::control::{Control, Wish};
use crate::error::LoadError;
use crate::levels::Levels;
use crate::observer::{Event, Observer};
use crate::shared::Shared;
use crate::simulated::SimulatedCounters;
use crate::steady::SteadyWatch;
use crate::timeline::Timeline;
use crate::watch::Counted;
use crate::worker::{Worker, WorkerOutcome};
use fathom_core::Nanos;
use fathom_core::result::MachineInterval;
use fathom_engine::EngineConfig;
use fathom_engine::engines::sim::SimEngine;
use fathom_engine::sim::{WorldRef, drive};
use std::sync::Arc;

/// Virtual time between two looks of the watcher.
const WATCH: Nanos = Nanos::from_millis(1);
/// Virtual time between two ticks that the observer gets.
const TICK: Nanos = Nanos::from_millis(100);

/// What those who ran a phase together left behind.
#[derive(Debug)]
pub struct Together {
    /// What each left behind, in their order.
    pub ends: Vec<PhaseEnd>,
    /// The levels of the volumes that they had in common.
    pub machine: Vec<MachineInterval>,
}

/// Runs a phase in the virtual time of `world`.
pub fn simulate(
    plan: &PhasePlan<'_>,
    world: &WorldRef,
    config: EngineConfig,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<PhaseEnd, LoadError> {
    let measure = world.borrow().now() + plan.phase.warm_up;
    // Which rounds of a steady state are measured, only its end tells.
    let measure = plan.phase.steady.is_none().then_some(measure);
    let mut counters = SimulatedCounters::new(world.clone(), measure);
    let mut party = Party::new(std::slice::from_ref(plan), world, config);
    party.begin();
    let levels = party.run(world, control, &mut [observer], |now, party| {
        counters.watch(now, party.measure_end());
    })?;
    let now = world.borrow().now();
    let mut counted = counters.finish(now);
    counted.machine = levels.finish(now, party.measure_end());
    let mut ends = party.into_ends(control);
    let mut end = ends.pop().expect("there was one plan");
    end.counted = counted;
    Ok(end)
}

/// Runs phases of several plans, one at least, in the virtual time of one world: they begin at one
/// instant, and each ends by itself. Each has its observer.
pub fn simulate_together(
    plans: &[PhasePlan<'_>],
    world: &WorldRef,
    config: EngineConfig,
    control: &Control,
    observers: &mut [&mut dyn Observer],
) -> Result<Together, LoadError> {
    let mut party = Party::new(plans, world, config);
    party.begin();
    let levels = party.run(world, control, observers, |_, _| {})?;
    let now = world.borrow().now();
    let machine = levels.finish(now, party.measure_end());
    let ends = party.into_ends(control);
    Ok(Together { ends, machine })
}

/// One of those who run a phase together.
struct Member<'a> {
    plan: &'a PhasePlan<'a>,
    shared: Arc<Shared>,
    aggregator: Aggregator,
    timeline: Timeline,
    /// How many of the workers are its own.
    workers: usize,
}

/// All who run a phase together.
struct Party<'a> {
    members: Vec<Member<'a>>,
    /// Of one member after the other.
    workers: Vec<Worker<SimEngine>>,
    looked: Nanos,
    told: Nanos,
}

impl<'a> Party<'a> {
    fn new(plans: &'a [PhasePlan<'a>], world: &WorldRef, config: EngineConfig) -> Self {
        let start = world.borrow().now();
        let mut workers = Vec::new();
        let mut member = |plan: &'a PhasePlan<'a>| {
            let assembly = plan.assemble(config);
            let steady = plan.phase.steady.map(SteadyWatch::new);
            let interval = plan.workload.interval;
            let jobs = plan.phase.jobs.len();
            let own = workers_in(world, assembly.workers);
            let member = Member {
                plan,
                aggregator: Aggregator::new(jobs, assembly.links, interval, steady),
                timeline: timeline(plan, start),
                shared: assembly.shared,
                workers: own.len(),
            };
            workers.extend(own);
            member
        };
        Self {
            members: plans.iter().map(&mut member).collect(),
            workers,
            looked: start,
            told: start,
        }
    }

    fn begin(&mut self) {
        for member in &mut self.members {
            let Timeline {
                start,
                measure,
                measure_end,
                ..
            } = member.timeline;
            member.shared.begin(start, measure, measure_end);
            member.timeline.load_end = member.shared.load_end();
            member.aggregator.begin(start);
        }
        for worker in &mut self.workers {
            worker.begin();
        }
    }

    /// Runs until all have ended. `counts` gets each instant.
    fn run(
        &mut self,
        world: &WorldRef,
        control: &Control,
        observers: &mut [&mut dyn Observer],
        mut counts: impl FnMut(Nanos, &Self),
    ) -> Result<Levels, LoadError> {
        let mut workers = std::mem::take(&mut self.workers);
        let mut levels = Levels::new(world.clone(), self.members[0].timeline);
        drive(world, &mut workers, |now| {
            counts(now, self);
            levels.watch(now, &|| self.measure_end());
            self.watch(now, control, observers);
        })?;
        self.workers = workers;
        for (member, observer) in self.members.iter_mut().zip(observers) {
            member.aggregator.poll(*observer);
        }
        if control.wish() == Wish::Abort {
            return Err(LoadError::Aborted);
        }
        Ok(levels)
    }

    /// When the measured time of the last ends, as far as is known now.
    fn measure_end(&self) -> Nanos {
        let ends = self.members.iter();
        let last = ends.map(|member| member.shared.measure_end()).max();
        last.expect("there is one at least")
    }

    /// Looks after all of them every so often.
    fn watch(&mut self, now: Nanos, control: &Control, observers: &mut [&mut dyn Observer]) {
        if now.saturating_sub(self.looked) < WATCH {
            return;
        }
        self.looked = now;
        let is_told = now.saturating_sub(self.told) >= TICK;
        if is_told {
            self.told = now;
        }
        for (member, observer) in self.members.iter_mut().zip(observers) {
            member.aggregator.poll(*observer);
            steer(&member.shared, &member.aggregator, control, now);
            if is_told {
                observer.event(&member.tick(now));
            }
        }
    }

    fn into_ends(self, control: &Control) -> Vec<PhaseEnd> {
        let mut outcomes = self.workers.into_iter().map(Worker::into_outcome);
        let end = |member: Member<'_>| {
            let own = outcomes.by_ref().take(member.workers).collect();
            member.into_end(own, control)
        };
        self.members.into_iter().map(end).collect()
    }
}

impl Member<'_> {
    /// The instants of its phase as far as they are known by now.
    fn known(&self) -> Timeline {
        Timeline {
            measure: self.shared.measure(),
            measure_end: self.shared.measure_end(),
            ..self.timeline
        }
    }

    fn tick(&self, now: Nanos) -> Event<'static> {
        let timeline = self.known();
        Event::Tick {
            part: timeline.place(now).part,
            elapsed_ns: now.saturating_sub(timeline.start).0,
        }
    }

    fn into_end(self, outcomes: Vec<WorkerOutcome>, control: &Control) -> PhaseEnd {
        let interrupted = control.wish() != Wish::Run;
        let verdict = self.aggregator.verdict();
        let timeline = self.known();
        let reason = end_reason(
            self.plan.phase,
            &self.shared,
            verdict,
            interrupted,
            &outcomes,
        );
        PhaseEnd {
            timeline,
            reason,
            totals: self.aggregator.into_totals(),
            outcomes,
            counted: Counted::default(),
        }
    }
}

/// The instants of a phase that begins at one, as far as they are known beforehand; the end of all
/// load is not.
fn timeline(plan: &PhasePlan<'_>, start: Nanos) -> Timeline {
    let measure = start + plan.phase.warm_up;
    let measure_end = plan
        .measure_time()
        .map_or(Nanos::MAX, |time| measure + time);
    Timeline {
        start,
        measure,
        measure_end,
        load_end: Nanos::MAX,
        interval: plan.workload.interval,
    }
}

/// The workers, each with an engine in the world.
fn workers_in(world: &WorldRef, seeds: Vec<WorkerSeed>) -> Vec<Worker<SimEngine>> {
    let worker = |seed: WorkerSeed| {
        let config = seed.config;
        let engine = SimEngine::new(
            world.clone(),
            seed.numbers,
            config.slots,
            config.buffer_bytes,
        );
        Worker::new(engine, seed.parts)
    };
    seeds.into_iter().map(worker).collect()
}

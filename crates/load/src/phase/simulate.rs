//! A phase in virtual time: the same workers, interleaved by the simulator's driver.

use super::{PhaseEnd, end_reason, steer};
use crate::aggregate::Aggregator;
use crate::assembly::{PhasePlan, WorkerSeed};
use crate::control::{Control, Wish};
use crate::error::LoadError;
use crate::floor::Floors;
use crate::levels::Levels;
use crate::observer::{Event, Observer};
use crate::shared::Shared;
use crate::simulated::SimulatedCounters;
use crate::steady::SteadyWatch;
use crate::timeline::Timeline;
use crate::worker::Worker;
use fathom_core::Nanos;
use fathom_engine::EngineConfig;
use fathom_engine::engines::sim::SimEngine;
use fathom_engine::sim::{WorldRef, drive};

/// Virtual time between two looks of the watcher.
const WATCH: Nanos = Nanos::from_millis(1);
/// Virtual time between two ticks that the observer is told.
const TICK: Nanos = Nanos::from_millis(100);

/// Runs a phase in the virtual time of `world`.
pub fn simulate(
    plan: &PhasePlan<'_>,
    world: &WorldRef,
    config: EngineConfig,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<PhaseEnd, LoadError> {
    let assembly = plan.assemble(config);
    let shared = assembly.shared;
    let steady = plan.phase.steady.map(SteadyWatch::new);
    let interval = plan.workload.interval;
    let mut aggregator = Aggregator::new(plan.phase.jobs.len(), assembly.links, interval, steady);
    let mut workers = workers_in(world, assembly.workers);
    let start = world.borrow().now();
    let measure = start + plan.phase.warm_up;
    let measure_end = plan
        .measure_time()
        .map_or(Nanos::MAX, |time| measure + time);
    shared.begin(start, measure, measure_end);
    aggregator.begin(start, Floors::of(plan.phase));
    let timeline = Timeline {
        start,
        measure,
        measure_end,
        load_end: shared.load_end(),
        interval,
    };
    for worker in &mut workers {
        worker.begin();
    }
    let mut watcher = Watcher {
        looked: start,
        told: start,
        timeline,
        levels: Levels::new(world.clone(), timeline),
        // Which rounds of a steady state are measured, only its end tells.
        counters: SimulatedCounters::new(
            world.clone(),
            plan.phase.steady.is_none().then_some(measure),
        ),
    };
    drive(world, &mut workers, |now| {
        watcher.watch(now, &shared, &mut aggregator, control, observer);
    })?;
    aggregator.poll(observer);
    let now = world.borrow().now();
    let mut counted = watcher.counters.finish(now);
    counted.machine = watcher.levels.finish(now, shared.measure_end());
    if control.wish() == Wish::Abort {
        return Err(LoadError::Aborted);
    }
    let outcomes: Vec<_> = workers.into_iter().map(Worker::into_outcome).collect();
    let interrupted = control.wish() != Wish::Run;
    let reason = end_reason(
        plan.phase,
        &shared,
        aggregator.verdict(),
        interrupted,
        &outcomes,
    );
    let timeline = Timeline {
        measure: shared.measure(),
        measure_end: shared.measure_end(),
        ..timeline
    };
    Ok(PhaseEnd {
        timeline,
        reason,
        totals: aggregator.into_totals(),
        outcomes,
        counted,
    })
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

/// Looks after the workers every so often, in virtual time.
struct Watcher {
    looked: Nanos,
    told: Nanos,
    timeline: Timeline,
    levels: Levels,
    counters: SimulatedCounters,
}

impl Watcher {
    fn watch(
        &mut self,
        now: Nanos,
        shared: &Shared,
        aggregator: &mut Aggregator,
        control: &Control,
        observer: &mut dyn Observer,
    ) {
        self.counters.watch(now, shared.measure_end());
        self.levels.watch(now, shared);
        if now.saturating_sub(self.looked) < WATCH {
            return;
        }
        self.looked = now;
        aggregator.poll(observer);
        steer(shared, aggregator, control, now);
        if now.saturating_sub(self.told) >= TICK {
            self.told = now;
            let timeline = Timeline {
                measure: shared.measure(),
                measure_end: shared.measure_end(),
                ..self.timeline
            };
            let elapsed_ns = now.saturating_sub(timeline.start).0;
            observer.event(&Event::Tick {
                part: timeline.place(now).part,
                elapsed_ns,
            });
        }
    }
}

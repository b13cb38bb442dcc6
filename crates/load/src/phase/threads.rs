//! A phase on hardware: a thread for each worker, the main thread watches.

use super::{PhaseEnd, end_reason, steer};
use crate::aggregate::Aggregator;
use crate::assembly::{PhasePlan, WorkerSeed};
use crate::control::{Control, Wish};
use crate::error::LoadError;
use crate::floor::Floors;
use crate::observer::{Event, Observer};
use crate::shared::Shared;
use crate::start_line::StartLine;
use crate::steady::SteadyWatch;
use crate::timeline::Timeline;
use crate::watch::Watch;
use crate::worker::{Worker, WorkerOutcome};
use fathom_core::Nanos;
use fathom_core::result::ThreadUse;
use fathom_core::spec::{Job, Priority};
use fathom_device::{DeviceError, ThreadUsage};
use fathom_engine::sim::Step;
use fathom_engine::{Clock, EngineConfig, EngineError, EngineKind, EngineVisitor, OsEngine, alloc};
use rustix::thread::CpuSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

/// How often the main thread looks after the workers.
const WATCH: Duration = Duration::from_millis(100);

/// What running a phase on threads needs beside the plan.
pub struct ThreadRun<'a> {
    /// The engine of each job.
    pub kind: &'a dyn Fn(&Job) -> EngineKind,
    /// Its configuration; sizes are set for each worker.
    pub config: EngineConfig,
    /// Processors to pin threads to, in turn; empty for none.
    pub affinity: &'a [u32],
    /// The clock of the main thread.
    pub clock: &'a mut Clock,
    /// Called once all threads are ready, before the clock of the phase runs: the phase begins when
    /// it returns.
    pub ready: &'a mut dyn FnMut(&mut Clock),
    /// What is looked at beside the workers.
    pub watch: Box<dyn Watch>,
}

/// A worker thread before it knows its engine's type.
struct Visit {
    seed: WorkerSeed,
    line: Arc<StartLine>,
    processor: Option<u32>,
    /// That of its requests.
    priority: Option<Priority>,
    watcher: Thread,
}

type Outcome = Result<Option<WorkerOutcome>, EngineError>;

impl EngineVisitor for Visit {
    type Out = Outcome;

    fn visit<E: OsEngine>(self) -> Outcome {
        let ended = self.seed.parts.ended.clone();
        // Whatever happens here, the watcher must learn that this worker has ended.
        let _bell = Bell {
            ended,
            watcher: self.watcher,
        };
        let mut crossing = self.line.crossing();
        let shared = self.seed.parts.shared.clone();
        if let Some(processor) = self.processor {
            pin(processor);
        }
        let urged = self.priority.map_or(Ok(()), fathom_engine::set_io_priority);
        let made = urged
            .and_then(|()| E::open(&self.seed.config, &self.seed.targets))
            .map(|engine| Worker::new(engine, self.seed.parts));
        let mut worker = match made {
            Ok(worker) => worker,
            Err(error) => {
                self.line.fail(error);
                return Ok(None);
            }
        };
        crossing.wait();
        crossing.wait();
        if shared.aborted() {
            return Ok(None);
        }
        let before = (ThreadUsage::read(), rustix::thread::sched_getcpu());
        {
            let _sealed = alloc::seal();
            worker.begin();
            while worker.turn().inspect_err(|_| shared.abort())? != Step::Done {}
        }
        let mut outcome = worker.into_outcome();
        outcome.cpu = thread_cpu();
        outcome.usage = suffered(before);
        Ok(Some(outcome))
    }
}

/// Tells the watcher that a worker has ended, even if it panicked.
struct Bell {
    ended: Arc<AtomicBool>,
    watcher: Thread,
}

impl Drop for Bell {
    fn drop(&mut self) {
        self.ended.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

fn pin(processor: u32) {
    let mut set = CpuSet::new();
    set.set(processor as usize);
    // The processors were checked before the run; one that went offline since leaves the thread
    // where it is.
    let _ = rustix::thread::sched_setaffinity(None, &set);
}

fn thread_cpu() -> Nanos {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Nanos(time.tv_sec.unsigned_abs() * 1_000_000_000 + time.tv_nsec.unsigned_abs())
}

/// What this thread has suffered since it looked before its first request.
fn suffered((before, first): (Result<ThreadUsage, DeviceError>, usize)) -> Option<ThreadUse> {
    let used = ThreadUsage::read().ok()?.since(&before.ok()?);
    let mut processors = vec![first as u32, rustix::thread::sched_getcpu() as u32];
    processors.dedup();
    Some(ThreadUse {
        switches: used.switches,
        major_faults: used.major_faults,
        processors,
    })
}

/// Runs a phase on threads.
pub fn on_threads(
    plan: &PhasePlan<'_>,
    mut run: ThreadRun<'_>,
    control: &Control,
    observer: &mut dyn Observer,
) -> Result<PhaseEnd, LoadError> {
    let assembly = plan.assemble(run.config);
    let shared = assembly.shared;
    let steady = plan.phase.steady.map(SteadyWatch::new);
    let jobs = plan.phase.jobs.len();
    let interval = plan.workload.interval;
    let mut aggregator = Aggregator::new(jobs, assembly.links, interval, steady);
    let line = Arc::new(StartLine::new(assembly.workers.len()));
    let threads = spawn(plan, assembly.workers, &line, &run)?;

    line.wait();
    let failure = line.failure();
    let can_begin = failure.is_none() && !line.is_broken();
    if can_begin {
        (run.ready)(run.clock);
    }
    // Reading what is counted takes milliseconds, which are none of the load.
    if plan.phase.warm_up == Nanos::ZERO {
        run.watch.begin(run.clock.now());
    }
    let start = run.clock.now();
    let measure = start + plan.phase.warm_up;
    let measure_end = plan
        .measure_time()
        .map_or(Nanos::MAX, |time| measure + time);
    shared.begin(start, measure, measure_end);
    shared.watched_by(std::thread::current());
    if !can_begin {
        shared.abort();
    }
    aggregator.begin(start, Floors::of(plan.phase));
    let timeline = Timeline {
        start,
        measure,
        measure_end,
        load_end: shared.load_end(),
        interval,
    };
    run.watch.start(start, timeline.place(start).end);
    line.wait();

    let books = &mut aggregator;
    watch(&shared, books, timeline, &mut run, control, observer);
    let outcomes = join(plan, threads)?;
    aggregator.poll(observer);
    if let Some(error) = failure {
        return Err(error.into());
    }
    if control.wish() == Wish::Abort {
        return Err(LoadError::Aborted);
    }
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
    let counted = run.watch.finish(run.clock.now());
    Ok(PhaseEnd {
        timeline,
        reason,
        totals: aggregator.into_totals(),
        outcomes,
        counted,
    })
}

fn spawn(
    plan: &PhasePlan<'_>,
    workers: Vec<WorkerSeed>,
    line: &Arc<StartLine>,
    run: &ThreadRun<'_>,
) -> Result<Vec<(usize, JoinHandle<Outcome>)>, LoadError> {
    let wanted = workers.len();
    let mut threads = Vec::with_capacity(wanted);
    for (index, seed) in workers.into_iter().enumerate() {
        let job = seed.parts.job;
        let spec = &plan.phase.jobs[job];
        let name = format!("{}/{}", spec.name, seed.parts.thread);
        let processor =
            (!run.affinity.is_empty()).then(|| run.affinity[index % run.affinity.len()]);
        let visit = Visit {
            seed,
            line: line.clone(),
            processor,
            priority: spec.own_priority(),
            watcher: std::thread::current(),
        };
        let kind = (run.kind)(spec);
        let spawned = std::thread::Builder::new().name(name).spawn(move || {
            let outcome = kind.visit(visit);
            let mut outcome = outcome.expect("the simulator is not run on threads")?;
            if let Some(outcome) = &mut outcome {
                outcome.engine = Some(kind);
            }
            Ok(outcome)
        });
        match spawned {
            Ok(thread) => threads.push((job, thread)),
            // Threads that wait at the line already stay there: the process is about to end.
            Err(cause) => return Err(LoadError::Threads { wanted, cause }),
        }
    }
    Ok(threads)
}

/// Looks after a running phase until all its workers have ended.
fn watch(
    shared: &Shared,
    aggregator: &mut Aggregator,
    timeline: Timeline,
    run: &mut ThreadRun<'_>,
    control: &Control,
    observer: &mut dyn Observer,
) {
    let mut rounds = 0;
    // Without a warm-up it began with the phase.
    let mut has_begun = timeline.measure == timeline.start;
    let mut has_ended = false;
    loop {
        let ended = aggregator.all_ended();
        aggregator.poll(observer);
        let now = run.clock.now();
        let measure_end = shared.measure_end();
        let begun = aggregator.rounds();
        if !has_begun && now >= timeline.measure || begun > rounds {
            rounds = begun;
            has_begun = true;
            run.watch.begin(now);
        }
        steer(shared, aggregator, control, now);
        let is_end = ended || now >= measure_end;
        if !has_ended && has_begun && is_end {
            has_ended = true;
            run.watch.end(now);
        }
        if ended {
            return;
        }
        let place = Timeline {
            measure: shared.measure(),
            measure_end,
            ..timeline
        }
        .place(now);
        run.watch.look(now, place.end);
        let part = place.part;
        let elapsed_ns = now.saturating_sub(timeline.start).0;
        observer.event(&Event::Tick { part, elapsed_ns });
        // Wake up just at the ends of the measured time and of intervals, so that the counters
        // fit the window.
        let next = [timeline.measure, measure_end, run.watch.due()];
        let next = next
            .into_iter()
            .filter(|at| *at > now)
            .map(|at| at.saturating_sub(now).0);
        let pause = next
            .min()
            .map_or(WATCH, |ns| WATCH.min(Duration::from_nanos(ns)));
        std::thread::park_timeout(pause);
    }
}

fn join(
    plan: &PhasePlan<'_>,
    threads: Vec<(usize, JoinHandle<Outcome>)>,
) -> Result<Vec<WorkerOutcome>, LoadError> {
    let mut outcomes = Vec::new();
    let mut failure = None;
    for (job, thread) in threads {
        match thread.join() {
            Ok(Ok(outcome)) => outcomes.extend(outcome),
            Ok(Err(error)) => failure = failure.or(Some(LoadError::Engine(error))),
            Err(panic) => {
                let text = panic.downcast_ref::<&str>().map(ToString::to_string);
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                failure = Some(LoadError::Panicked {
                    job: plan.phase.jobs[job].name.clone(),
                    message: text.unwrap_or_default(),
                });
            }
        }
    }
    failure.map_or(Ok(outcomes), Err)
}

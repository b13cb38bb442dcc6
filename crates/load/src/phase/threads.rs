//! A phase on hardware: a thread for each worker, the main thread watches.

use super::{PhaseEnd, end_reason, steer};
use crate::aggregate::{Aggregator, Unheard};
use crate::assembly::{PhasePlan, WorkerSeed};
use crate::control::{Control, Wish};
use crate::error::LoadError;
use crate::observer::{Event, Observer};
use crate::platform;
use crate::shared::Shared;
use crate::start_line::StartLine;
use crate::steady::SteadyWatch;
use crate::timeline::Timeline;
use crate::watch::Watch;
use crate::worker::{ABORT_WAIT, Worker, WorkerOutcome};
use fathom_core::result::ThreadUse;
use fathom_core::spec::{Job, Phase, Priority};
use fathom_core::{EngineKind, Nanos, Op};
use fathom_device::{DeviceError, ThreadUsage};
use fathom_engine::sim::Step;
use fathom_engine::{Clock, EngineConfig, EngineError, EngineVisitor, OsEngine, alloc};
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{JoinHandle, Thread};
use std::time::Duration;

/// How often the main thread looks after the workers.
const WATCH: Duration = Duration::from_millis(100);

/// What running a phase on threads needs in addition to the plan.
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
    /// What is observed in addition to the workers.
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

type ThreadResult = Result<Option<WorkerOutcome>, EngineError>;

/// What a worker of this number ended with. It travels apart from the thread's own end, which may
/// have to wait for the kernel where requests are left in flight.
type Report = (usize, std::thread::Result<ThreadResult>);

/// The threads of a phase, by worker, and what they end with.
struct Threads {
    jobs: Vec<usize>,
    handles: Vec<JoinHandle<()>>,
    reports: Receiver<Report>,
}

impl EngineVisitor for Visit {
    type Out = ThreadResult;

    fn visit<E: OsEngine>(self) -> ThreadResult {
        let ended = self.seed.parts.ended.clone();
        // Whatever happens here, the watcher must learn that this worker has ended.
        let shared = self.seed.parts.shared.clone();
        let _bell = Bell {
            ended,
            watcher: self.watcher,
            shared: shared.clone(),
        };
        let mut crossing = self.line.crossing();
        if let Some(processor) = self.processor {
            platform::pin(processor);
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
        // It takes milliseconds on Windows, which are none of the load.
        let before = ThreadUsage::read();
        crossing.wait();
        if shared.aborted() {
            return Ok(None);
        }
        let before = (before, platform::processor());
        {
            let _sealed = alloc::seal();
            worker.begin();
            while worker.turn().inspect_err(|_| shared.abort())? != Step::Done {}
        }
        let mut outcome = worker.into_outcome();
        outcome.cpu = platform::thread_cpu();
        outcome.usage = suffered(before);
        Ok(Some(outcome))
    }
}

/// Tells the watcher that a worker has ended. If it panicked, the phase has come to nothing, and
/// the other workers end too.
struct Bell {
    ended: Arc<AtomicBool>,
    watcher: Thread,
    shared: Arc<Shared>,
}

impl Drop for Bell {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.shared.abort();
        }
        self.ended.store(true, Ordering::Release);
        self.watcher.unpark();
    }
}

/// What this thread has suffered since it looked before its first request, with its wait for the
/// start of the phase.
fn suffered((before, first): (Result<ThreadUsage, DeviceError>, u32)) -> Option<ThreadUse> {
    let used = ThreadUsage::read().ok()?.since(&before.ok()?);
    let mut processors = vec![first, platform::processor()];
    processors.dedup();
    Some(ThreadUse {
        switches: used.switches,
        major_faults: used.major_faults,
        processors,
    })
}

/// Runs a phase on threads.
#[expect(
    clippy::too_many_lines,
    reason = "from the first thread to the last one step follows the other"
)]
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
    aggregator.begin(start);
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
    watch(plan, &shared, books, timeline, &mut run, control, observer);
    let unheard = books.give_up();
    // From here on a wish to end is one that came because of what hangs.
    let interrupted = control.wish() != Wish::Run;
    let outcomes = gather(plan, threads, &unheard, run.clock.now());
    let is_left = |outcome: &WorkerOutcome| outcome.leaves_requests;
    if !unheard.is_empty() || outcomes.iter().flatten().any(is_left) {
        control.hang();
    }
    let outcomes = outcomes?;
    aggregator.poll(observer);
    if let Some(error) = failure {
        return Err(error.into());
    }
    if control.wish() == Wish::Abort {
        return Err(LoadError::Aborted);
    }
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
) -> Result<Threads, LoadError> {
    let wanted = workers.len();
    let (report, reports) = mpsc::channel();
    let mut threads = Threads {
        jobs: Vec::with_capacity(wanted),
        handles: Vec::with_capacity(wanted),
        reports,
    };
    for (index, seed) in workers.into_iter().enumerate() {
        let job = seed.parts.limits.job;
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
        let report = report.clone();
        let spawned = std::thread::Builder::new().name(name).spawn(move || {
            let work = move || {
                let outcome = fathom_engine::visit(kind, visit);
                let mut outcome = outcome.expect("the simulator is not run on threads")?;
                if let Some(outcome) = &mut outcome {
                    outcome.engine = Some(kind);
                }
                Ok(outcome)
            };
            let ended = std::panic::catch_unwind(AssertUnwindSafe(work));
            // Nobody listens any more to one that was given up.
            let _ = report.send((index, ended));
        });
        match spawned {
            Ok(handle) => {
                threads.jobs.push(job);
                threads.handles.push(handle);
            }
            // Threads that wait at the line already stay there: the process is about to end.
            Err(cause) => return Err(LoadError::Threads { wanted, cause }),
        }
    }
    Ok(threads)
}

/// Looks after a running phase until all its workers have ended, or need not be waited for.
fn watch(
    plan: &PhasePlan<'_>,
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
    let mut patience = Patience::with(plan.phase, plan.workload.interval);
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
        if ended || patience.is_over(shared, now) {
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

/// How long workers are waited for that do not end: their threads may be in a call to the kernel
/// that does not come back, where they cannot give up themselves.
struct Patience {
    /// Whether the end of the load may take any time: a flush of all that was written.
    is_endless: bool,
    aborted: Option<Nanos>,
    /// What workers that do not hang may need to see that the load is over: they sleep for an
    /// interval at most.
    grace: Nanos,
}

impl Patience {
    fn with(phase: &Phase, interval: Nanos) -> Self {
        Self {
            is_endless: phase.jobs.iter().any(|job| job.sync_at_end),
            aborted: None,
            grace: interval.saturating_add(Nanos::from_secs(2)),
        }
    }

    fn is_over(&mut self, shared: &Shared, now: Nanos) -> bool {
        let end = if shared.aborted() {
            let aborted = *self.aborted.get_or_insert(now);
            aborted.saturating_add(ABORT_WAIT)
        } else if self.is_endless {
            Nanos::MAX
        } else {
            shared.drain_end()
        };
        now >= end.saturating_add(self.grace)
    }
}

/// What all workers ended with, in their order; those that have not are taken to hang.
fn gather(
    plan: &PhasePlan<'_>,
    threads: Threads,
    unheard: &[Unheard],
    now: Nanos,
) -> Result<Vec<WorkerOutcome>, LoadError> {
    let mut reports: Vec<_> = threads.jobs.iter().map(|_| None).collect();
    for one in unheard {
        let outcome = stuck(plan, one, now);
        reports[one.worker] = Some(Ok(Ok(Some(outcome))));
    }
    let mut missing = threads.jobs.len() - unheard.len();
    while missing > 0
        && let Ok((worker, ended)) = threads.reports.recv()
    {
        // One that was given up may come after all, too late for the sums.
        if reports[worker].is_none() {
            reports[worker] = Some(ended);
            missing -= 1;
        }
    }
    let mut outcomes = Vec::new();
    let mut failure = None;
    let ended = reports.into_iter().zip(threads.jobs).zip(threads.handles);
    for ((report, job), handle) in ended {
        let leaves = matches!(&report, Some(Ok(Ok(Some(one)))) if one.leaves_requests);
        if !leaves {
            // It has reported, so it is about to end; what it had open is closed then.
            let _ = handle.join();
        }
        match report {
            Some(Ok(Ok(outcome))) => outcomes.extend(outcome),
            Some(Ok(Err(error))) => failure = failure.or(Some(LoadError::Engine(error))),
            Some(Err(panic)) => {
                let text = panic.downcast_ref::<&str>().map(ToString::to_string);
                let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
                failure = Some(LoadError::Panicked {
                    job: plan.phase.jobs[job].name.clone(),
                    message: text.unwrap_or_default(),
                });
            }
            None => {}
        }
    }
    failure.map_or(Ok(outcomes), Err)
}

/// The outcome of a worker that has not come back from the kernel. What it was asked for there is
/// known of a job with one operation.
fn stuck(plan: &PhasePlan<'_>, one: &Unheard, now: Nanos) -> WorkerOutcome {
    let job = &plan.phase.jobs[one.job];
    let mut ops = Op::ALL.into_iter().filter(|op| plan.wants(job, *op));
    let op = ops.next().filter(|_| ops.next().is_none());
    let since = one.since.min(now);
    WorkerOutcome::stuck((one.job, one.thread, job.queue_depth), op, since, now)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_that_panics_ends_its_phase() {
        let shared = Arc::new(Shared::new(&[2], 0, Nanos::ZERO));
        shared.begin(Nanos::ZERO, Nanos::ZERO, Nanos::from_secs(60));
        let ended = Arc::new(AtomicBool::new(false));
        let after = |panics: bool| {
            let bell = Bell {
                ended: ended.clone(),
                watcher: std::thread::current(),
                shared: shared.clone(),
            };
            let worker = std::thread::spawn(move || {
                let _bell = bell;
                assert!(!panics, "as planned");
            });
            let has_panicked = worker.join().is_err();
            (has_panicked, shared.aborted(), shared.load_end())
        };
        assert_eq!(after(false), (false, false, Nanos::from_secs(60)));
        assert_eq!(after(true), (true, true, Nanos::ZERO));
        assert!(ended.load(Ordering::Acquire));
    }

    #[test]
    fn a_worker_in_the_kernel_is_waited_for_as_long_as_the_others_wait() {
        let phase = Phase {
            jobs: vec![Job::plain()],
            ..Phase::plain()
        };
        let flushing = Phase {
            jobs: vec![Job {
                sync_at_end: true,
                ..Job::plain()
            }],
            ..Phase::plain()
        };
        let seconds = Nanos::from_secs;
        let shared = Shared::new(&[1], 0, Nanos::ZERO).draining(seconds(30));
        shared.begin(seconds(1), seconds(1), seconds(11));
        let with = |phase: &Phase| Patience::with(phase, seconds(1));
        let is_over = |phase: &Phase, at: u64| with(phase).is_over(&shared, seconds(at));
        assert_eq!([43, 44].map(|at| is_over(&phase, at)), [false, true]);
        // What was written may take any time to be flushed.
        assert!(!is_over(&flushing, 1000));
        shared.abort();
        let mut patience = with(&flushing);
        let over = [50, 53, 54].map(|at| patience.is_over(&shared, seconds(at)));
        assert_eq!(over, [false, false, true]);
    }
}

//! From a phase's jobs to the parts of its workers.

use crate::aggregate::WorkerLink;
use crate::amount::Amounts;
use crate::excerpt::Excerpts;
use crate::journal::{Entry, Journal};
use crate::pacer::Pacer;
use crate::replay::{ReplayInput, Replayer, Sharing};
use crate::request::Window;
use crate::rereads::Rereads;
use crate::seed::{self, Purpose};
use crate::shared::Shared;
use crate::stream::{Share, SharedCursors, Stream};
use crate::tally::{Tally, TallyLink};
use crate::target_latency::TargetLatencies;
use crate::targets::JobTargets;
use crate::verify::Mark;
use crate::worker::{ColdPasses, Depth, Limits, Payload, Turns, WorkerParts};
use fathom_core::histogram::Counts;
use fathom_core::interval::Interval;
use fathom_core::spec::{
    Cursor, DataFile, IoKind, Job, Phase, Priority, QueueScope, Replay, TargetOrder, Workload,
};
use fathom_core::{Nanos, Op, Tolerated};
use fathom_engine::{EngineConfig, OpenTarget};
use rtrb::Consumer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

/// Pages of a histogram that all threads of a phase have together: 50 threads have all of theirs.
const PAGES: usize = 50 * Counts::PAGES;
/// And each of them at least.
const LEAST_PAGES: usize = 32;

/// A phase about to be run.
#[derive(Clone, Copy, Debug)]
pub struct PhasePlan<'a> {
    /// The workload it belongs to.
    pub workload: &'a Workload,
    pub phase: &'a Phase,
    /// What separates the bytes of the run from those of others.
    pub mark: Mark,
    /// Number among all phases of all repeats, from 0.
    pub number: u32,
    /// Where the jobs' requests go, by position of the job.
    pub targets: &'a [JobTargets],
    /// End at the first error.
    pub stop_on_error: bool,
    /// Errors that do not stop the run.
    pub tolerated: &'a Tolerated,
    /// Names of the jobs that keep a journal of their requests.
    pub journals: &'a [String],
    /// Names of the jobs of whose requests the generator's own time is kept one by one; those that
    /// keep a journal do so too.
    pub splits: &'a [String],
    /// Names of the jobs whose threads are distinguished by target and interval.
    pub apart: &'a [String],
    /// The traces that jobs replay.
    pub traces: &'a [(Replay, Arc<ReplayInput>)],
    /// What the files hold that writes of jobs are parts of.
    pub contents: &'a [(DataFile, Arc<[u8]>)],
    /// For each job what it reads back of what was written, instead of drawing its requests, if it
    /// does; empty where no job does.
    pub rereads: &'a [Option<Arc<Rereads>>],
}

/// One worker to be.
#[derive(Debug)]
pub struct WorkerSeed {
    pub parts: WorkerParts,
    /// What its engine needs.
    pub config: EngineConfig,
    pub targets: Vec<Arc<OpenTarget>>,
    /// Their numbers among all of the run.
    pub numbers: Vec<u16>,
}

/// All workers of a phase, what they share, and the observer's ends.
#[derive(Debug)]
pub struct Assembly {
    pub workers: Vec<WorkerSeed>,
    /// Their links.
    pub links: Vec<WorkerLink>,
    /// What they share.
    pub shared: Arc<Shared>,
}

impl PhasePlan<'_> {
    /// Length of the phase's measured time, if it is known beforehand.
    pub fn measure_time(&self) -> Option<Nanos> {
        self.phase.duration
    }

    /// Makes the parts of all workers; allocates, opens nothing but traces that are read ahead.
    pub fn assemble(&self, config: EngineConfig) -> Assembly {
        let jobs = &self.phase.jobs;
        let at_work = |job: &Job| Amounts::of(job).threads_at_work();
        let threads: Vec<u32> = jobs.iter().map(at_work).collect();
        let with_amount = jobs.iter().filter(|job| job.ends());
        let amounts = with_amount.map(at_work).sum();
        let mut shared =
            Shared::new(&threads, amounts, self.phase.cool_down).draining(self.phase.drain_timeout);
        if self.stop_on_error {
            shared = shared.ending_at_errors(self.tolerated.clone());
        }
        let shared = Arc::new(shared);
        let mut assembly = Assembly {
            workers: Vec::new(),
            links: Vec::new(),
            shared,
        };
        for (index, job) in jobs.iter().enumerate() {
            self.assemble_job(index, job, config, &mut assembly);
        }
        assembly
    }

    /// The trace that a job replays.
    pub(crate) fn trace(&self, job: &Job) -> Option<&Arc<ReplayInput>> {
        let replay = job.replay.as_ref()?;
        let found = self.traces.iter().find(|(known, _)| known == replay);
        found.map(|(_, trace)| trace)
    }

    /// What a thread writes, and what it knows of the existing content.
    fn payload(&self, index: usize, worker: u32) -> Payload {
        let (job, targets) = (&self.phase.jobs[index], &self.targets[index]);
        let rereads = self.rereads.get(index).is_some_and(Option::is_some);
        let numbers = (self.number, worker);
        Payload::new(job, self.mark, numbers)
            .rereading(rereads || job.misses_unwritten())
            .taking(self.excerpts(job, worker))
            .knowing(&targets.written, job.largest_io().0)
    }

    /// Where the writes of a thread take their bytes from, if that is a file.
    fn excerpts(&self, job: &Job, worker: u32) -> Option<Excerpts> {
        let file = job.compat().data_file.as_ref()?;
        let (_, bytes) = self.contents.iter().find(|(known, _)| known == file)?;
        let path = [u64::from(self.number), u64::from(worker)];
        let seed = Purpose::Excerpts.seed(seed::derive(self.mark.salt, &path));
        Some(Excerpts::new(
            Arc::clone(bytes),
            job.durability.direct,
            seed,
        ))
    }

    /// What makes the requests of a trace again, or reads back what was written, if the job does
    /// so.
    fn replayer(&self, index: usize, job: &Job, thread: u32) -> Option<Replayer> {
        let targets = self.targets[index].windows.len();
        let threads = Amounts::of(job).threads_at_work();
        if let Some(Some(rereads)) = self.rereads.get(index) {
            let rereads = Arc::clone(rereads);
            return Some(Replayer::rereading(rereads, thread, threads, targets));
        }
        let trace = Arc::clone(self.trace(job)?);
        let sharing = Sharing { thread, threads };
        Some(Replayer::new(trace, job.replay.as_ref()?, sharing, targets))
    }

    /// Where the requests of a thread go one by one, if its job keeps them.
    fn journal(&self, job: &Job) -> Option<(Journal, Consumer<Entry>)> {
        let priority = job.own_priority().map_or(0, Priority::number);
        let is_kept = self.journals.contains(&job.name);
        is_kept.then(|| Journal::new(priority))
    }

    /// Whether the generator's own time is kept of each request of a job.
    fn splits(&self, job: &Job) -> bool {
        self.splits.contains(&job.name) || self.journals.contains(&job.name)
    }

    /// Whether the phase is over when all amounts are done: also without a given time.
    fn ends_by_amounts(&self) -> bool {
        self.phase.duration.is_none() && self.phase.steady.is_none()
            || self.phase.jobs.iter().all(Job::ends)
    }

    /// How many targets of a job are counted separately for each of its threads.
    fn apart(&self, index: usize, job: &Job) -> usize {
        if self.apart.contains(&job.name) {
            self.targets[index].windows.len()
        } else {
            0
        }
    }

    /// Whether a job can have an operation.
    pub(crate) fn wants(&self, job: &Job, op: Op) -> bool {
        match (op, self.trace(job)) {
            (op, Some(trace)) => trace.outline.has(op),
            (Op::Flush, None) => job.durability.sync.is_some() || job.sync_at_end,
            // The resets of zones.
            (Op::Trim, None) if job.access.walk.is_at_write_pointers() => true,
            (Op::Read, None) if job.compat().verify_backlog.is_some() => true,
            (op, None) => job.kinds.iter().any(|kind| kind.op == op),
        }
    }

    /// How long requests take at each of a thread's targets, of which `targets` are counted
    /// separately.
    fn latencies(&self, targets: usize, job: &Job) -> Option<TargetLatencies> {
        TargetLatencies::new(targets, job.threads, |op| self.wants(job, op))
    }

    /// Pages that each histogram of an interval has memory for: all of them, unless the phase has
    /// more threads than memory allows. Then each thread is slow, and its times fill few pages.
    fn pages(&self) -> usize {
        let threads = self.phase.jobs.iter().map(|job| job.threads as usize);
        (PAGES / threads.sum::<usize>().max(1)).clamp(LEAST_PAGES, Counts::PAGES)
    }

    /// A book for the operations that a job can have.
    fn tally(&self, index: usize, job: &Job) -> (Tally, TallyLink) {
        let wanted = |op| self.wants(job, op);
        let slowest = fathom_core::slowest::KEPT;
        let interval = self.workload.interval;
        // What is done to a single one is what is done at all.
        let targets = match self.apart(index, job) {
            1 => 0,
            several => several,
        };
        let (open, splits) = (job.is_open(), self.splits(job));
        let pages = self.pages();
        let empty = || {
            Interval::for_ops(wanted, open, slowest, pages)
                .splitting(splits, pages)
                .with_targets(targets)
        };
        Tally::new(empty, interval)
    }

    fn assemble_job(&self, index: usize, job: &Job, config: EngineConfig, to: &mut Assembly) {
        let targets = &self.targets[index];
        let job_seed = seed::derive(self.mark.seed, &[u64::from(self.number), index as u64]);
        let windows = targets.windows.iter();
        let cursors: Vec<_> = windows.map(|_| shared_cursors(job)).collect();
        let after = position_after(&self.phase.jobs, job);
        let amounts = Amounts::of(job);
        for thread in 0..amounts.threads_at_work() {
            let thread_seed = seed::derive(job_seed, &[u64::from(thread)]);
            let arrival_seeds = [job_seed, thread_seed].map(|of| Purpose::Arrivals.seed(of));
            let stream = |(target, window): (usize, &Window)| {
                let number = (thread + job.files.map_or(0, |files| files.shift)) % job.threads;
                let share = share_of(target, number, thread_seed, job_seed);
                let stream = Stream::new(job, *window, share, cursors[target].clone());
                stream.on_zones(targets.zones_of(target, thread))
            };
            let ((tally, link), apart) = (self.tally(index, job), self.apart(index, job));
            let (journal, entries) = self.journal(job).unzip();
            let ended = Arc::new(AtomicBool::new(false));
            to.links.push(WorkerLink {
                job: index,
                thread,
                tally: link,
                entries,
                apart,
                counts: !job.compat().idle,
                ended: ended.clone(),
            });
            to.workers.push(WorkerSeed {
                parts: WorkerParts {
                    limits: Limits {
                        job: index,
                        apart: apart > 1,
                        complete_batch: job.complete_batch.unwrap_or(1),
                        sync_at_end: job.sync_at_end,
                        time: job.stop.time,
                        delay: job.delay,
                        amounts_end_phase: self.ends_by_amounts(),
                        ends_phase: job.stop.ends_phase,
                        ends_when_full: job.stop.when_full,
                        counts_warm_up: job.stop.with_warm_up,
                        warm_up: self.phase.warm_up,
                        interval: self.workload.interval,
                    },
                    compat: job.compat().is_of_requests(),
                    thread,
                    streams: targets.windows.iter().enumerate().map(stream).collect(),
                    pacer: Pacer::new(job, thread, after, arrival_seeds),
                    tally,
                    journal,
                    splits: self.splits(job),
                    latencies: self.latencies(apart, job),
                    replay: self.replayer(index, job, thread),
                    payload: self.payload(index, to.workers.len() as u32 + 1),
                    depth: Depth::of(job),
                    submit_batch: job.submit_batch,
                    sync: job.durability.sync,
                    sync_pattern: job.sync_pattern.as_slice().into(),
                    turns: turns(job, targets.windows.len(), thread_seed),
                    passes: passes(job, &targets.windows),
                    read_back: job.compat().verify_backlog,
                    amount: amounts.share(thread),
                    cold: ColdPasses::of(job, targets),
                    shared: to.shared.clone(),
                    ended,
                },
                config: sized(config, job, Depth::of(job).slots(targets.windows.len())),
                targets: targets.open.clone(),
                numbers: targets.numbers.clone(),
            });
        }
    }
}

/// The share of a thread in one of its targets.
fn share_of(target: usize, thread: u32, thread_seed: u64, job_seed: u64) -> Share {
    Share {
        thread,
        thread_seed: Purpose::Requests(target).seed(thread_seed),
        job_seed: seed::derive(job_seed, &[u64::MAX, target as u64]),
    }
}

/// Which of several targets has its turn, where they are drawn.
fn turns(job: &Job, targets: usize, thread_seed: u64) -> Option<Turns> {
    let TargetOrder::Drawn = job.compat().target_order.filter(|_| targets > 1)?;
    let seed = Purpose::Turns.seed(thread_seed);
    Some(Turns::drawn(&job.compat().target_weights, seed))
}

/// Requests of a pass over each target, of targets of which some go on in order while others wait
/// for a flush, so that each is used to its end.
fn passes(job: &Job, windows: &[Window]) -> Box<[u64]> {
    let could_be_ahead = job.durability.sync.is_some()
        && job.queue_scope == QueueScope::Shared
        && job.queue_depth > 1;
    let is_alike = windows.iter().all(|window| window.len == windows[0].len);
    // Targets that are drawn have no turns: one of weight 0 would never end its pass.
    let is_in_turn = job.compat().target_order.is_none() && job.threads == 1;
    let is_in_order = is_in_turn && !job.is_random() && job.replay.is_none();
    let waits = could_be_ahead && is_alike && is_in_order && windows.len() > 1;
    if !waits {
        return Box::default();
    }
    let each = mean_bytes(job);
    let of = |window: &Window| ((window.len as f64 / each) as u64).max(1);
    windows.iter().map(of).collect()
}

/// Mean bytes of a request of a job.
fn mean_bytes(job: &Job) -> f64 {
    let sum = |of: &dyn Fn(&IoKind) -> f64| job.kinds.iter().map(of).sum::<f64>();
    let bytes = sum(&|kind| kind.weight * kind.block_size.0 as f64);
    (bytes / sum(&|kind| kind.weight)).max(1.0)
}

/// The configuration for the slots and the largest request of a job that moves bytes.
fn sized(config: EngineConfig, job: &Job, slots: u32) -> EngineConfig {
    EngineConfig {
        slots,
        buffer_bytes: job.largest_moved().0.max(1) as u32,
        ..config
    }
}

/// The positions that the threads of a job share on one target, if they do.
fn shared_cursors(job: &Job) -> Option<SharedCursors> {
    let is_shared = job.access.cursor == Cursor::Shared;
    is_shared.then(|| Arc::new([AtomicU64::new(0), AtomicU64::new(0)]))
}

/// The job that another one waits for.
fn position_after(jobs: &[Job], job: &Job) -> Option<usize> {
    let name = job.after.as_ref()?;
    jobs.iter().position(|other| &other.name == name)
}

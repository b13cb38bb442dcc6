//! From what a phase left behind to its result.

use crate::aggregate::Totals;
use crate::assembly::PhasePlan;
use crate::book::{JobBook, held};
use crate::replay::ReplayInput;
use crate::target_latency::together;
use crate::targets::JobTargets;
use crate::timeline::Timeline;
use crate::watch::Counted;
use crate::worker::{Late, ReplayLags, WorkerOutcome};
use fathom_core::histogram::Histogram;
use fathom_core::interval::Part;
use fathom_core::result::{
    CallCounts, Edges, EndReason, ErrorTally, JobResult, LoadModel, Pace, PhaseResult, Replayed,
    StuckThreads, TargetLatency, Verified, WorkerResult,
};
use fathom_core::spec::{Job, Pacing, QueueScope, Replay};
use fathom_core::{Nanos, Op, Rate};
use fathom_engine::Failure;

/// What a phase left behind.
#[derive(Debug)]
pub struct PhaseEnd {
    /// Its instants; the end of the measured time is the real one.
    pub timeline: Timeline,
    /// Why it ended.
    pub reason: EndReason,
    /// The sums.
    pub totals: Totals,
    pub outcomes: Vec<WorkerOutcome>,
    /// What the kernel counted.
    pub counted: Counted,
}

impl PhaseEnd {
    /// Requests that are missing in the journals.
    pub fn requests_lost(&self) -> u64 {
        let outcomes = self.outcomes.iter();
        outcomes.map(|outcome| outcome.requests_lost).sum()
    }

    /// How often workers waited for room in their journals.
    pub fn journal_waits(&self) -> u64 {
        let outcomes = self.outcomes.iter();
        outcomes.map(|outcome| outcome.journal_waits).sum()
    }

    /// Features of the workers' engines.
    pub fn flags(&self) -> Vec<String> {
        let mut outcomes = self.outcomes.iter();
        outcomes
            .find(|outcome| outcome.stuck.is_none())
            .map(|outcome| outcome.flags.clone())
            .unwrap_or_default()
    }

    /// The result; `run_start` is the instant that its times count from.
    pub fn into_result(self, plan: &PhasePlan<'_>, repeat: u32, run_start: Nanos) -> PhaseResult {
        let last = self.outcomes.iter().map(|outcome| outcome.ended_at).max();
        // Nobody was at work where all jobs are idle.
        let last = last.unwrap_or(self.timeline.measure);
        let (start, measured) = self.totals.window.unwrap_or_else(|| {
            let begin = self.timeline.measure;
            let end = self.timeline.measure_end.min(last.max(begin));
            (begin, end.saturating_sub(begin))
        });
        let cool_down = self
            .totals
            .intervals
            .iter()
            .filter(|i| i.part == Part::CoolDown);
        let cool_down_ns = cool_down.map(|interval| interval.length_ns).sum();
        let jobs = plan.phase.jobs.iter().enumerate().map(|(index, job)| {
            let of_job = |outcome: &&WorkerOutcome| outcome.job == index;
            let outcomes: Vec<&WorkerOutcome> = self.outcomes.iter().filter(of_job).collect();
            let begin = start.max(self.timeline.start.saturating_add(job.delay));
            let end = start.saturating_add(measured);
            let active = active(&outcomes, begin, end);
            let mut result = job_result(
                job,
                &self.totals.jobs[index],
                &outcomes,
                &plan.targets[index],
                (self.timeline.start, active, end),
            );
            if let (Some(curve), Some(offered)) = (&job.rate_curve, &mut result.offered_iops) {
                let since_start =
                    |at: Nanos| at.saturating_sub(self.timeline.start.saturating_add(job.delay));
                *offered *= curve.mean_between(since_start(begin), since_start(begin + active));
            }
            self.share_out(index, &mut result);
            let trace = job.replay.as_ref().zip(plan.trace(job));
            let replay = trace.map(|(replay, trace)| replayed(replay, trace, &outcomes));
            result.replay = replay.map(Box::new);
            result
        });
        let jobs: Vec<JobResult> = jobs.collect();
        let pace = self.pace(plan);
        let mut ledger = self.counted.account;
        if let Some(ledger) = &mut ledger {
            ledger.settle(jobs.iter());
        }
        PhaseResult {
            repeat,
            start_ns: start.saturating_sub(run_start).0,
            warm_up_ns: start.saturating_sub(self.timeline.start).0,
            measured_ns: measured.0,
            cool_down_ns,
            ended_by: self.reason,
            steady: self.totals.steady.clone(),
            jobs,
            intervals: self.totals.intervals,
            histogram_intervals: self.totals.histogram_intervals,
            devices: self.counted.devices,
            process: self.counted.process,
            machine: self.counted.machine,
            pace,
            ledger,
            ..PhaseResult::empty(&plan.phase.name)
        }
    }
}

impl PhaseEnd {
    /// Completions in slices of the time in which all threads were at work; none with a
    /// steady-state rule, which evaluates the pace itself.
    fn pace(&self, plan: &PhasePlan<'_>) -> Option<Pace> {
        let Timeline { start, measure, .. } = self.timeline;
        let delays = plan.phase.jobs.iter().map(|job| job.delay);
        let begin = start.saturating_add(delays.max()?);
        let is_load = |worker: &&WorkerOutcome| !plan.phase.jobs[worker.job].compat().idle;
        let workers = self.outcomes.iter().filter(is_load);
        let end = workers.map(|worker| worker.ended_at).min()?;
        if self.totals.window.is_some() {
            return None;
        }
        let after = |instant: Nanos| instant.saturating_sub(measure);
        self.totals.pace.between(after(begin), after(end))
    }

    /// Reports the threads of a job separately. A single one has done all of the job, unless its
    /// targets are counted separately too.
    fn share_out(&self, job: usize, result: &mut JobResult) {
        let workers = self.outcomes.iter().zip(&self.totals.shares);
        let shares = workers.filter(|(outcome, _)| outcome.job == job);
        if self.outcomes.len() != self.totals.shares.len() {
            return;
        }
        let several = result.workers.len() > 1;
        for (worker, (_, share)) in result.workers.iter_mut().zip(shares) {
            if several || share.tells_targets() {
                worker.share = Some(share.share(&result.targets));
            }
        }
    }
}

/// What threads replayed of a trace.
fn replayed(replay: &Replay, trace: &ReplayInput, outcomes: &[&WorkerOutcome]) -> Replayed {
    let lags = outcomes.iter().filter_map(|one| one.replay.as_deref());
    Replayed {
        recorded: trace.recorded,
        selected: trace.outline.requests(),
        order: replay.keeps_order().then(|| trace.keeps_order(replay)),
        lag: ReplayLags::together(lags),
    }
}

/// How long a job was at work from its start: until its last worker had done its amount, or all the
/// time.
fn active(outcomes: &[&WorkerOutcome], begin: Nanos, end: Nanos) -> Nanos {
    let possible = end.saturating_sub(begin);
    if outcomes.is_empty() || outcomes.iter().any(|outcome| !outcome.amount_done) {
        return possible;
    }
    let last = outcomes
        .iter()
        .map(|outcome| outcome.ended_at)
        .max()
        .unwrap_or(begin);
    last.saturating_sub(begin).min(possible)
}

/// How long the flushes after the last requests went on behind the measured time, if there were
/// any.
fn end_flush(outcomes: &[&WorkerOutcome], end: Nanos) -> Option<u64> {
    let flushes = outcomes.iter().filter_map(|outcome| outcome.end_flush);
    let behind = flushes.map(|(begun, ended)| ended.saturating_sub(begun.max(end)).0);
    behind.max()
}

fn job_result(
    job: &Job,
    book: &JobBook,
    outcomes: &[&WorkerOutcome],
    targets: &JobTargets,
    (begin, active, end): (Nanos, Nanos, Nanos),
) -> JobResult {
    let lanes = match job.queue_scope {
        QueueScope::PerTarget => targets.windows.len() as u64,
        QueueScope::Shared => 1,
    };
    let mut result = JobResult {
        name: job.name.clone(),
        load_model: match job.pacing {
            _ if job.is_open() => LoadModel::Open,
            Pacing::Closed { .. } => LoadModel::Closed,
            Pacing::Open { .. } => LoadModel::Open,
            Pacing::Cyclic { .. } | Pacing::Triggered { .. } => LoadModel::Bursts,
        },
        targets: targets.paths.clone(),
        engine: engine(outcomes),
        threads: job.threads,
        active_ns: active.0,
        queue_depth: u64::from(job.threads) * u64::from(job.queue_depth) * lanes,
        queue_depth_possible: outcomes
            .iter()
            .map(|outcome| u64::from(outcome.slots))
            .sum(),
        queue_depth_held: held(book.in_flight_ns, active),
        submitted: book.issued,
        completed: book.sum(|op| op.ios),
        failed: book.sum(|op| op.errors),
        edges: edges(book),
        calls: calls(book, outcomes).filter(|_| !job.compat().idle),
        offered_iops: offered(job),
        due: job.pacing.is_open().then_some(book.due),
        max_lag_ns: job.is_open().then(|| {
            outcomes
                .iter()
                .map(|outcome| outcome.max_lag.0)
                .max()
                .unwrap_or(0)
        }),
        queued: job
            .is_open()
            .then(|| outcomes.iter().map(|outcome| outcome.queued).sum()),
        burst_ns: bursts(outcomes),
        end_flush_ns: end_flush(outcomes, end),
        verified: verified(outcomes),
        errors: errors(outcomes, targets),
        target_latencies: target_latencies(outcomes, targets),
        workers: outcomes
            .iter()
            .map(|outcome| worker_result(job, outcome))
            .collect(),
        ..JobResult::default()
    };
    if job.compat().idle {
        result.queue_depth_possible = result.queue_depth;
    }
    for op in Op::ALL {
        let book = book.ops[op].as_ref();
        result.ops[op] = book.map(|book| {
            book.with_late(late(outcomes, op, end))
                .result(active, begin)
        });
    }
    result.stuck = stuck(outcomes);
    result
}

/// The requests of an operation that were in flight at the end of the measured time and had not
/// ended long after. What a search for a depth measured before is none of it.
fn late<'a>(outcomes: &'a [&WorkerOutcome], op: Op, end: Nanos) -> impl Iterator<Item = &'a Late> {
    let all = outcomes.iter().flat_map(|outcome| &outcome.late);
    all.filter(move |late| late.op == op && late.io.completed >= end)
}

/// The threads that have not come back from the kernel.
fn stuck(outcomes: &[&WorkerOutcome]) -> Option<StuckThreads> {
    let stuck = || outcomes.iter().filter_map(|outcome| outcome.stuck);
    let longest = stuck().max()?;
    Some(StuckThreads {
        threads: stuck().count() as u32,
        longest_ns: longest.0,
    })
}

/// How long requests took at each target, where that was kept of all threads.
fn target_latencies(outcomes: &[&WorkerOutcome], targets: &JobTargets) -> Vec<TargetLatency> {
    let kept = outcomes.iter().map(|one| one.target_latencies.as_deref());
    let kept: Option<Vec<_>> = kept.collect();
    kept.map_or_else(Vec::new, |kept| together(&kept, &targets.paths))
}

/// What made the requests of all threads.
fn engine(outcomes: &[&WorkerOutcome]) -> String {
    let kinds = outcomes.iter().find_map(|outcome| outcome.engine);
    kinds.map_or_else(String::new, |kind| kind.name().to_owned())
}

/// The calls of all threads, where they have not done something else than requests. A thread that
/// keeps one in flight hands each over by a call of its own, and is not asked.
fn calls(book: &JobBook, outcomes: &[&WorkerOutcome]) -> Option<CallCounts> {
    let mut sum = CallCounts::default();
    for outcome in outcomes {
        sum += outcome.calls;
    }
    let counted: u64 = sum.in_flight.iter().sum();
    if counted == 0 && outcomes.iter().all(|outcome| outcome.slots == 1) {
        sum.alone(book.issued);
    }
    (sum != CallCounts::default()).then_some(sum)
}

/// Requests in flight at the start of the measured time, and what of them and of those submitted is
/// left at its end.
fn edges(book: &JobBook) -> Option<Edges> {
    let before = book.in_flight_before?;
    let ended = book.sum(|op| op.ios + op.errors + op.short);
    Some(Edges {
        before,
        after: (before + book.issued).saturating_sub(ended),
    })
}

/// Requests a second that an open load offers; for a rate in bytes, by the mean size.
fn offered(job: &Job) -> Option<f64> {
    let Pacing::Open { rate, .. } = job.pacing else {
        return None;
    };
    Some(match rate {
        Rate::Iops(rate) => rate,
        Rate::BytesPerSecond(rate) => {
            let weight: f64 = job.kinds.iter().map(|kind| kind.weight).sum();
            let bytes: f64 = job
                .kinds
                .iter()
                .map(|kind| kind.weight * kind.block_size.0 as f64)
                .sum();
            rate / (bytes / weight)
        }
    })
}

fn bursts(outcomes: &[&WorkerOutcome]) -> Option<fathom_core::summary::LatencySummary> {
    let mut sum = Histogram::new();
    for outcome in outcomes {
        if let Some(bursts) = &outcome.bursts {
            sum.add(bursts);
        }
    }
    (!sum.is_empty()).then(|| sum.summary())
}

fn verified(outcomes: &[&WorkerOutcome]) -> Option<Verified> {
    let found = outcomes.iter().filter_map(|outcome| outcome.verified);
    found.reduce(|mut sum, more| {
        sum += more;
        sum
    })
}

fn errors(outcomes: &[&WorkerOutcome], targets: &JobTargets) -> Vec<ErrorTally> {
    let mut tallies: Vec<ErrorTally> = Vec::new();
    for error in outcomes.iter().flat_map(|outcome| &outcome.errors) {
        let target = targets
            .paths
            .get(usize::from(error.target))
            .cloned()
            .unwrap_or_default();
        let op = if error.errno == 0 {
            "verify"
        } else {
            error.op.name()
        };
        let errno = Failure::of_number(error.errno).errno();
        let message = errno_message(error.errno);
        let same = |tally: &&mut ErrorTally| {
            (tally.op == op && tally.target == target)
                && (tally.errno == errno && tally.message == message)
        };
        if let Some(tally) = tallies.iter_mut().find(same) {
            tally.count += error.count;
            let most = ErrorTally::offsets_kept(error.errno);
            let room = most.saturating_sub(tally.first_offsets.len());
            tally
                .first_offsets
                .extend(error.first_offsets().iter().take(room));
        } else {
            tallies.push(ErrorTally {
                op: op.to_owned(),
                errno,
                message: message.clone(),
                count: error.count,
                target,
                first_offsets: error.first_offsets().to_vec(),
            });
        }
    }
    tallies
}

/// A system error number in words, or that of a failure with what the device said of it.
pub fn errno_message(number: i32) -> String {
    if number == 0 {
        return "the block read is not the one written".to_owned();
    }
    let failure = Failure::of_number(number);
    let text = std::io::Error::from_raw_os_error(failure.errno()).to_string();
    let end = text.rfind(" (os error").unwrap_or(text.len());
    let words = &text[..end];
    match failure.status() {
        Some(status) => format!("{words} ({status})"),
        None => words.to_owned(),
    }
}

fn worker_result(job: &Job, outcome: &WorkerOutcome) -> WorkerResult {
    WorkerResult {
        thread: outcome.thread,
        issued: if job.compat().idle { 0 } else { outcome.issued },
        cpu_ns: outcome.cpu.0,
        long_intervals: outcome.long_intervals,
        turns: outcome.turns,
        submit_batch: outcome.submit_batch,
        spin_ns: outcome.spin.filter(|_| job.is_open()).map(|spin| spin.0),
        usage: outcome.usage.clone(),
        share: None,
    }
}

//! Traces the block requests of a phase in addition to the load, and explains the slowest requests
//! of this process.

use crate::capture::{Book, CaptureError, Recorder, Sink, Stack, Wanted, stack};
use crate::error::RunError;
use crate::plan::Plan;
use fathom_capture::blame::{Counted, LeftOut, Names, of_spool};
use fathom_capture::file::Spool;
use fathom_capture::{EventKind, Matched, Request};
use fathom_core::histogram::Histogram;
use fathom_core::result::blame::{Blame, PhaseBlame, Reap};
use fathom_core::result::{OpResult, PhaseResult};
use fathom_core::spec::{Job, Workload};
use fathom_core::summary::LatencySummary;
use fathom_core::{EngineKind, Nanos, Op, figure};
use fathom_device::BlockDevice;
use fathom_load::watch::{Counted as Watched, Watch};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread::JoinHandle;

/// What to do where disks of volumes are not known.
const ONE_DISK: &str = "; `fathom capture --device DISK --events blame` looks at one disk";

/// Bytes of packed requests in memory: about six million requests.
const MOST_BYTES: usize = 64 << 20;
/// Largest share by which the numbers of requests of the program and of the block layer may differ
/// where their percentiles are compared.
const MOST_APART: f64 = 0.05;
/// Percentiles that are compared.
const PERCENTILES: [&str; 3] = ["50", "99", "99.9"];
/// Operations that are one request of the block layer, unless it is split or merged.
const OPS: [Op; 3] = [Op::Read, Op::Write, Op::Trim];

/// Refuses a plan whose block requests cannot be traced.
///
/// # Errors
///
/// [`RunError::Blame`], [`RunError::BlameEngine`], [`RunError::BlameBuffered`],
/// [`RunError::BlameFiles`]
pub fn check(plan: &Plan) -> Result<(), RunError> {
    if !plan.blame {
        return Ok(());
    }
    check_workload(&plan.workload, plan.engine.kind)?;
    let bound = plan.targets.iter().map(|target| target.path.clone());
    let mut devices = Stack::default();
    for path in bound.chain(plan.workload.named_paths()) {
        let path = std::path::absolute(&path).unwrap_or(path);
        devices.add(stack(&[there(&path)]).map_err(|error| named(error, path))?);
    }
    // It is removed at once: whether there can be one is known by then.
    Recorder::begin(&wanted(devices))?;
    Ok(())
}

/// Refuses a workload that makes no block requests of its own. An engine for all jobs comes before
/// theirs.
///
/// # Errors
///
/// [`RunError::BlameEngine`], [`RunError::BlameBuffered`], [`RunError::BlameFiles`]
pub fn check_workload(workload: &Workload, engine: Option<EngineKind>) -> Result<(), RunError> {
    let jobs = || workload.phases.iter().flat_map(|phase| &phase.jobs);
    if jobs().all(is_written_later) {
        let is_of_files = jobs().any(|job| job.files.is_some());
        return Err(if is_of_files {
            RunError::BlameFiles
        } else {
            RunError::BlameBuffered
        });
    }
    let engines = jobs().filter_map(|job| engine.or(job.engine));
    let has_none = |engine: &EngineKind| !engine.is_real() || engine.capabilities().takes_namespace;
    if let Some(engine) = engines.into_iter().find(has_none) {
        return Err(RunError::BlameEngine {
            engine: engine.name(),
        });
    }
    Ok(())
}

/// Whether the kernel makes all requests of a job, after the program has written to the page cache
/// or changed directories.
fn is_written_later(job: &Job) -> bool {
    let durability = &job.durability;
    let is_synced = durability.sync.is_some() || job.files.is_some_and(|files| files.sync);
    let is_buffered = !durability.direct && !durability.write_through && !is_synced;
    is_buffered && !job.reads() && (job.writes() || job.files.is_some())
}

/// The path, or the nearest directory above it that is there.
fn there(path: &Path) -> PathBuf {
    let there = path.ancestors().find(|one| one.exists());
    there.unwrap_or(path).to_owned()
}

/// An error about a directory is one about the target that is to be made in it.
fn named(error: CaptureError, path: PathBuf) -> CaptureError {
    match error {
        CaptureError::NoDisk { cause, .. } => CaptureError::NoDisk { path, cause },
        other => other,
    }
}

fn wanted(stack: Stack) -> Wanted {
    Wanted {
        disks: stack.disks,
        volumes: stack.volumes,
        is_for_blame: true,
        ..Wanted::default()
    }
}

fn names(stack: &Stack) -> Names {
    let of = |devices: &[BlockDevice]| devices.iter().map(|one| one.name.clone()).collect();
    Names {
        devices: of(&stack.disks),
        volumes: of(&stack.volumes),
        left_out: LeftOut::default(),
    }
}

/// What the thread that reads events is asked for.
#[derive(Debug)]
struct Marks {
    /// Requests that completed before this instant of the monotonic clock are dropped.
    from_ns: AtomicU64,
    is_over: AtomicBool,
}

/// Reads the events of a phase on a thread of its own.
#[derive(Debug)]
pub(crate) struct Tracer {
    marks: Arc<Marks>,
    thread: Option<JoinHandle<Result<Traced, CaptureError>>>,
}

/// What was read.
#[derive(Debug)]
struct Traced {
    memory: Memory,
    lost_events: u64,
    missing_events: Vec<String>,
    names: Names,
    /// Numbers of its events and requests.
    matched: Matched,
}

/// Keeps requests in memory.
#[derive(Debug)]
struct Memory {
    marks: Arc<Marks>,
    start: Nanos,
    book: Book,
    spool: Spool,
}

impl Memory {
    fn new(start: Nanos, marks: Arc<Marks>) -> Self {
        Self {
            marks,
            start,
            book: Book::new(None, false),
            spool: Spool::new(MOST_BYTES),
        }
    }
}

impl Sink for Memory {
    fn book(&mut self) -> &mut Book {
        &mut self.book
    }

    fn add(&mut self, requests: &mut Vec<Request>) -> io::Result<()> {
        let from_ns = self.marks.from_ns.load(Ordering::Acquire);
        for mut request in requests.drain(..) {
            let service_ns = request.service_ns.unwrap_or(0);
            let done_ns = self
                .start
                .0
                .saturating_add(request.at_ns)
                .saturating_add(service_ns);
            let Some((task, _)) = self
                .book
                .number(request.task)
                .filter(|_| done_ns >= from_ns)
            else {
                continue;
            };
            request.task = task;
            self.spool.add(request);
        }
        Ok(())
    }
}

impl Tracer {
    /// Starts to record the requests of disks.
    ///
    /// # Errors
    ///
    /// [`CaptureError::Tracing`]
    pub(crate) fn begin(stack: Stack) -> Result<Self, CaptureError> {
        let names = names(&stack);
        let recorder = Recorder::begin(&wanted(stack))?;
        let marks = Arc::new(Marks {
            from_ns: AtomicU64::new(u64::MAX),
            is_over: AtomicBool::new(false),
        });
        let of_thread = marks.clone();
        let thread = std::thread::Builder::new().name("blame".to_owned());
        let thread = thread.spawn(move || record(recorder, of_thread, names));
        let thread = thread.map_err(|error| CaptureError::Tracing(error.to_string()))?;
        Ok(Self {
            marks,
            thread: Some(thread),
        })
    }

    /// A watch that also tells this when the measured time starts, after a warm-up, and ends.
    pub(crate) fn along(&self, watch: Box<dyn Watch>, warm_up: Nanos) -> Box<dyn Watch> {
        Box::new(Along {
            watch,
            warm_up,
            marks: self.marks.clone(),
        })
    }

    /// Explains the measured time of a phase, in a run that started at an instant of the monotonic
    /// clock.
    pub(crate) fn explain(mut self, phase: &mut PhaseResult, run_start: Nanos) {
        let from = run_start + Nanos(phase.start_ns);
        let until = from + Nanos(phase.measured_ns);
        let blame = match self.join() {
            Ok(traced) => traced.of_phase(phase, from..until),
            Err(error) => PhaseBlame {
                reason: Some(error.because()),
                ..PhaseBlame::default()
            },
        };
        phase.blame = Some(Box::new(blame));
    }

    fn join(&mut self) -> Result<Traced, CaptureError> {
        self.marks.is_over.store(true, Ordering::Release);
        let ended = self.thread.take().map(JoinHandle::join);
        let failed = || CaptureError::Tracing("the thread that reads the events failed".to_owned());
        ended.and_then(Result::ok).unwrap_or_else(|| Err(failed()))
    }
}

impl Drop for Tracer {
    fn drop(&mut self) {
        // The tracing instance goes with the thread.
        if self.thread.is_some() {
            let _ = self.join();
        }
    }
}

fn record(mut recorder: Recorder, marks: Arc<Marks>, names: Names) -> Result<Traced, CaptureError> {
    let mut memory = Memory::new(recorder.start(), marks);
    while !memory.marks.is_over.load(Ordering::Acquire) {
        recorder.wait(None);
        recorder.look(&mut memory)?;
    }
    let missing_events = recorder.missing_events();
    let tail = recorder.end(&mut memory)?;
    Ok(Traced {
        memory,
        lost_events: tail.lost_events,
        missing_events,
        names,
        matched: tail.matched,
    })
}

impl Traced {
    /// What the requests of a phase waited for.
    fn of_phase(&self, phase: &PhaseResult, window: Range<Nanos>) -> PhaseBlame {
        let own = std::process::id().to_string();
        let mut found = self.blame(window, Some(&own));
        if let Some(blame) = &found.blame {
            found.reap = reap(phase, blame, found.share_looked_at);
        }
        found
    }

    /// The names, and the volumes whose requests were not followed.
    fn names_left_out(&self) -> Result<Names, String> {
        let volumes = &self.names.volumes;
        let left_out = LeftOut::of(volumes, &self.missing_events, &self.matched);
        Ok(Names {
            left_out: left_out.map_err(|reason| reason + ONE_DISK)?,
            ..self.names.clone()
        })
    }

    /// The same of a process by its number, or of the one with the most requests.
    fn blame(&self, window: Range<Nanos>, pid: Option<&str>) -> PhaseBlame {
        let Memory {
            spool, book, start, ..
        } = &self.memory;
        let since = |at: Nanos| at.saturating_sub(*start).0;
        let window = since(window.start)..since(window.end);
        let queued = EventKind::Queued.event_name();
        let explained = if self.lost_events > 0 {
            let events = figure::plural(self.lost_events, "event");
            Err(format!("the kernel lost {events}"))
        } else if self.missing_events.iter().any(|event| event == queued) {
            Err(format!("this kernel has no event {queued}"))
        } else {
            self.names_left_out().and_then(|names| {
                let explained = of_spool(spool, book.tasks(), &window, pid, &names);
                explained.map_err(|counted| match names.left_out.reasons.join("; ") {
                    reasons if reasons.is_empty() => too_few(&counted, pid),
                    reasons => reasons + ONE_DISK,
                })
            })
        };
        let (blame, reason) = match explained {
            Ok(blame) => (Some(blame), None),
            Err(reason) => (None, Some(reason)),
        };
        PhaseBlame {
            blame,
            reason,
            lost_events: self.lost_events,
            missing_events: self.missing_events.clone(),
            share_looked_at: spool.share(),
            reap: Vec::new(),
        }
    }
}

/// Explains the slowest requests of disks while they are watched.
#[derive(Debug)]
pub struct LiveBlame {
    recorder: Recorder,
    traced: Traced,
    /// When [`Self::of_last`] was asked last, and the events that were lost by then.
    last: (Nanos, u64),
    /// Why nothing more can be read.
    failed: Option<String>,
}

impl LiveBlame {
    /// Starts to record the requests of the disks below paths; without paths, of all disks.
    ///
    /// # Errors
    ///
    /// [`RunError::Blame`]
    pub fn begin(paths: &[PathBuf]) -> Result<Self, RunError> {
        let stack = stack(paths)?;
        let names = names(&stack);
        let recorder = Recorder::begin(&wanted(stack))?;
        let marks = Arc::new(Marks {
            from_ns: AtomicU64::new(0),
            is_over: AtomicBool::new(false),
        });
        Ok(Self {
            traced: Traced {
                memory: Memory::new(recorder.start(), marks),
                lost_events: 0,
                missing_events: recorder.missing_events(),
                names,
                matched: Matched::default(),
            },
            last: (recorder.start(), 0),
            recorder,
            failed: None,
        })
    }

    /// Takes in what was recorded so far; to be called several times a second.
    pub fn gather(&mut self) {
        let found = self.recorder.look(&mut self.traced.memory);
        let lost = found.and_then(|()| self.recorder.lost());
        self.traced.matched = self.recorder.counts();
        match lost {
            Ok(lost) => self.traced.lost_events = lost,
            Err(error) => self.failed = Some(error.because()),
        }
    }

    /// What the process with the most requests waited for since the last call, and how long that
    /// is.
    pub fn of_last(&mut self) -> (PhaseBlame, Nanos) {
        let now = self.recorder.clock.now();
        let (from, lost_before) = self.last;
        let lost = self.traced.lost_events;
        self.traced.lost_events = lost - lost_before;
        let found = self.explained(from..now);
        self.traced.lost_events = lost;
        self.last = (now, lost);
        (found, now.saturating_sub(from))
    }

    /// The same of the whole time.
    pub fn of_all(&mut self) -> (PhaseBlame, Nanos) {
        let now = self.recorder.clock.now();
        let from = self.recorder.start();
        (self.explained(from..now), now.saturating_sub(from))
    }

    fn explained(&self, window: Range<Nanos>) -> PhaseBlame {
        match &self.failed {
            None => self.traced.blame(window, None),
            Some(reason) => PhaseBlame {
                reason: Some(reason.clone()),
                ..PhaseBlame::default()
            },
        }
    }
}

/// Why the requests of a process, or of any, cannot be explained.
fn too_few(counted: &[Counted], pid: Option<&str>) -> String {
    let is_it = |one: &&Counted| pid.is_some_and(|pid| one.owner.is_called(pid));
    let others = counted.iter().filter(|one| !is_it(one) && one.requests > 0);
    let most = others.max_by_key(|one| one.requests);
    let most = most.map(|one| format!("{} made {}", one.owner, figure::count(one.requests)));
    let Some(pid) = pid else {
        return most.map_or_else(
            || "no process made a request".to_owned(),
            |most| format!("no process made 100 requests, which are needed; {most}"),
        );
    };
    let own = counted.iter().find(|one| one.owner.is_called(pid));
    let own = figure::plural(own.map_or(0, |one| one.requests), "request");
    let most = most.map_or_else(String::new, |most| format!("; {most}"));
    format!(
        "the kernel recorded {own} of this process from queueing to completion, and 100 are \
         needed{most}"
    )
}

/// The percentiles of the program and of the block layer, where both have about the same number of
/// requests: a request that is split or merged has no counterpart.
fn reap(phase: &PhaseResult, blame: &Blame, share: f64) -> Vec<Reap> {
    let ops = phase.jobs.iter().flat_map(|job| job.ops.present());
    let ops = ops.filter(|(op, _)| OPS.contains(op));
    let Some(program) = together(ops.map(|(_, op)| op)) else {
        return Vec::new();
    };
    let block = blame.time_ns.count as f64 / share;
    let apart = (block / program.count.max(1) as f64 - 1.0).abs();
    if apart > MOST_APART {
        return Vec::new();
    }
    let both = PERCENTILES.into_iter().filter_map(|of| {
        Some(Reap {
            of: of.to_owned(),
            program_ns: program.percentile(of)?,
            block_ns: blame.time_ns.percentile(of)?,
        })
    });
    both.collect()
}

/// The service times of several operations; none where one has no histogram.
fn together<'a>(ops: impl Iterator<Item = &'a OpResult>) -> Option<LatencySummary> {
    let mut all = Histogram::new();
    for op in ops.filter(|op| op.ios > 0) {
        all.add(&op.service_histogram.as_ref()?.decode().ok()?);
    }
    Some(all.summary())
}

/// Watches a phase, and tells a tracer where its measured time starts and ends.
struct Along {
    watch: Box<dyn Watch>,
    warm_up: Nanos,
    marks: Arc<Marks>,
}

impl Watch for Along {
    fn start(&mut self, start: Nanos, end: Nanos) {
        let from = start.saturating_add(self.warm_up);
        self.marks.from_ns.store(from.0, Ordering::Release);
        self.watch.start(start, end);
    }

    fn begin(&mut self, now: Nanos) {
        self.watch.begin(now);
    }

    fn end(&mut self, now: Nanos) {
        self.marks.is_over.store(true, Ordering::Release);
        self.watch.end(now);
    }

    fn look(&mut self, now: Nanos, end: Nanos) {
        self.watch.look(now, end);
    }

    fn due(&self) -> Nanos {
        self.watch.due()
    }

    fn finish(self: Box<Self>, now: Nanos) -> Watched {
        self.watch.finish(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_capture::{Above, Early, Flags};
    use fathom_core::fixture;
    use fathom_core::result::EncodedHistogram;
    use fathom_core::result::blame::{Cause, Owner, OwnerKind};

    /// This process, and one that has ended.
    const OTHER: i32 = -7;

    fn own() -> i32 {
        std::process::id() as i32
    }

    fn memory(start_ns: u64, from_ns: u64) -> Memory {
        let marks = Arc::new(Marks {
            from_ns: AtomicU64::new(from_ns),
            is_over: AtomicBool::new(false),
        });
        let mut memory = Memory::new(Nanos(start_ns), marks);
        let comm = |name: &str| {
            let mut comm = [0; 16];
            comm[..name.len()].copy_from_slice(name.as_bytes());
            comm
        };
        let tasks = vec![(own(), comm("fathom")), (OTHER, comm("dd"))];
        memory.book.enter(tasks);
        memory
    }

    /// A read of 80 to 86 µs each millisecond by the first task; before each hundredth of them 16
    /// writes of 1 MiB by the second, for which it waits.
    fn requests(count: u64) -> Vec<Request> {
        let request = |task: u32, at_us: u64, held_us: u64, service_us: u64| Request {
            at_ns: at_us * 1000,
            service_ns: Some(service_us * 1000),
            device: 0,
            offset: 0,
            bytes: if task == 0 { 4096 } else { 1 << 20 },
            flags: if task == 0 { Flags::READ } else { Flags::WRITE },
            task,
            early: Early {
                queued_ns: Some((held_us + 2) * 1000),
                asked_ns: Some(held_us * 1000),
                inserted_ns: None,
                above: None,
            },
        };
        let mut all = Vec::new();
        for number in 0..count {
            let at_us = number * 1000 + number / 40 * 10_000;
            if number % 40 < 39 {
                all.push(request(0, at_us, 1, 80 + number % 7));
                continue;
            }
            all.extend((0..16).map(|write| request(1, at_us, 1, (write + 1) * 250)));
            all.push(request(0, at_us + 4000, 3990, 80));
        }
        all
    }

    fn traced(requests: &[Request], lost_events: u64) -> Traced {
        let mut memory = memory(1000, 0);
        memory.add(&mut requests.to_vec()).expect("memory");
        Traced {
            memory,
            lost_events,
            missing_events: Vec::new(),
            names: Names::default(),
            matched: Matched::default(),
        }
    }

    /// A phase whose program sees each request take 8 µs or more longer than the block layer does;
    /// buckets of histograms add to it.
    fn phase(requests: u64) -> PhaseResult {
        let mut phase = fixture::random_read().phases.remove(0);
        let mut times = Histogram::new();
        times.record_n(93_000, requests * 39 / 40);
        times.record_n(4_082_000, requests / 40);
        let read = phase.jobs[0].ops[Op::Read].as_mut().expect("it reads");
        read.ios = requests;
        read.service_histogram = Some(EncodedHistogram::of(&times));
        phase
    }

    const ALL: Range<Nanos> = Nanos(0)..Nanos::MAX;

    #[test]
    fn a_neighbour_is_named_with_the_wait_outside_of_the_block_layer() {
        let found = traced(&requests(2000), 0).of_phase(&phase(2000), ALL);
        let blame = found.blame.expect("an explanation");
        let Cause::Neighbour { owner, .. } = &blame.cause else {
            panic!("{blame:?}");
        };
        let expected = Owner {
            name: "dd".to_owned(),
            pid: Some(OTHER),
            kind: OwnerKind::Process,
        };
        assert_eq!((owner, blame.owner.pid), (&expected, Some(own())));
        let reap = found.reap.iter();
        let reap: Vec<_> = reap
            .map(|one| (one.of.as_str(), one.difference_ns() / 1000))
            .collect();
        assert_eq!(reap, [("50", 7), ("99", 11)]);
        assert_eq!((found.reason, found.share_looked_at), (None, 1.0));
    }

    #[test]
    fn nobody_is_accused_where_nobody_was() {
        let quiet: Vec<_> = requests(2000)
            .into_iter()
            .filter(|one| one.task == 0)
            .collect();
        let quiet: Vec<_> = quiet
            .into_iter()
            .filter(|one| one.early.asked_ns == Some(1000))
            .collect();
        let found = traced(&quiet, 0).of_phase(&phase(2000), ALL);
        assert_eq!(found.blame.map(|blame| blame.cause), Some(Cause::None));
    }

    #[test]
    fn lost_events_accuse_nobody() {
        let found = traced(&requests(2000), 12).of_phase(&phase(2000), ALL);
        let expected = PhaseBlame {
            reason: Some("the kernel lost 12 events".to_owned()),
            lost_events: 12,
            share_looked_at: 1.0,
            ..PhaseBlame::default()
        };
        assert_eq!(found, expected);
        let mut traced = traced(&requests(2000), 0);
        traced.missing_events.push("block_bio_queue".to_owned());
        let reason = traced.of_phase(&phase(2000), ALL).reason;
        assert_eq!(
            reason.as_deref(),
            Some("this kernel has no event block_bio_queue")
        );
    }

    #[test]
    fn a_volume_whose_disks_are_unknown_is_not_split() {
        let mut requests = requests(2000);
        for request in &mut requests {
            let (volume, last) = (0, None);
            request.early.above = Some(Above { volume, last });
        }
        let mut traced = traced(&requests, 0);
        traced.names.volumes.push("dm-0".to_owned());
        traced.matched.not_followed = 2000;
        let found = traced.of_phase(&phase(2000), ALL);
        let expected = "the kernel does not record which disks served 2000 of 2000 requests of \
                        dm-0; `fathom capture --device DISK --events blame` looks at one disk";
        assert_eq!(
            (found.reason.as_deref(), found.blame),
            (Some(expected), None)
        );
    }

    #[test]
    fn requests_of_workers_of_the_kernel_are_not_taken_for_ours() {
        let mut all = requests(2000);
        all.retain(|one| one.task == 1 || one.at_ns < 20_000_000);
        let reason = traced(&all, 0).of_phase(&phase(2000), ALL).reason;
        let expected = "the kernel recorded 20 requests of this process from queueing to \
                        completion, and 100 are needed; `dd` (pid -7) made 800";
        assert_eq!(reason.as_deref(), Some(expected));
    }

    #[test]
    fn split_requests_have_no_counterpart() {
        let found = traced(&requests(2000), 0).of_phase(&phase(1000), ALL);
        assert_eq!((found.reap, found.blame.is_some()), (Vec::new(), true));
    }

    #[test]
    fn requests_before_the_measured_time_are_dropped() {
        let mut memory = memory(5000, u64::MAX);
        let all = requests(39);
        memory.add(&mut all.clone()).expect("memory");
        memory.marks.from_ns.store(10_000_000, Ordering::Release);
        memory.add(&mut all.clone()).expect("memory");
        let mut kept = Vec::new();
        memory
            .spool
            .read(0, &mut |chunk| kept.extend_from_slice(chunk));
        assert_eq!(kept, all[10..]);
    }
}

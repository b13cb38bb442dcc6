//! What the workers of a phase read of each other: the end of the measured time, the ends of
//! bursts, whether somebody failed. Written a few times a phase, never per request.

use fathom_core::{Nanos, Op, Tolerated};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::thread::Thread;

/// State of a phase that all its workers see.
#[derive(Debug)]
pub struct Shared {
    /// Begin of the phase on the engines' clock; set once, before any worker starts.
    start_ns: AtomicU64,
    /// Begin of the measured time.
    measure_ns: AtomicU64,
    /// End of the measured time. Moves earlier when the phase is ended early.
    measure_end_ns: AtomicU64,
    /// Who looks after the phase.
    watcher: OnceLock<Thread>,
    /// Load after the measured time.
    cool_down_ns: AtomicU64,
    /// How long what is in flight at the end of the load is waited for.
    drain_timeout: Nanos,
    /// End at the first error that is not one of these; none to go on with any.
    ends_at_errors: Option<Tolerated>,
    failed: AtomicBool,
    overloaded: AtomicBool,
    aborted: AtomicBool,
    /// Workers that have an amount to do and are not through.
    amounts_left: AtomicU32,
    ended_by_amount: AtomicU8,
    bursts: Box<[BurstSignal]>,
}

/// Counts the ends of one job's bursts.
#[derive(Debug)]
struct BurstSignal {
    threads: u64,
    thread_ends: AtomicU64,
}

impl Shared {
    /// The state of a phase with these threads a job; `amounts` workers end by themselves.
    pub fn new(threads: &[u32], amounts: u32, cool_down: Nanos) -> Self {
        let bursts = threads
            .iter()
            .map(|&threads| BurstSignal {
                threads: u64::from(threads.max(1)),
                thread_ends: AtomicU64::new(0),
            })
            .collect();
        Self {
            start_ns: AtomicU64::new(0),
            measure_ns: AtomicU64::new(0),
            measure_end_ns: AtomicU64::new(u64::MAX),
            watcher: OnceLock::new(),
            cool_down_ns: AtomicU64::new(cool_down.0),
            drain_timeout: Nanos::MAX,
            ends_at_errors: None,
            failed: AtomicBool::new(false),
            overloaded: AtomicBool::new(false),
            aborted: AtomicBool::new(false),
            amounts_left: AtomicU32::new(amounts),
            ended_by_amount: AtomicU8::new(0),
            bursts,
        }
    }

    /// Which ends at the first error that is not tolerated.
    #[must_use]
    pub fn ending_at_errors(mut self, tolerated: Tolerated) -> Self {
        self.ends_at_errors = Some(tolerated);
        self
    }

    /// Sets how long to wait for what is in flight at the end of the load.
    #[must_use]
    pub fn draining(mut self, timeout: Nanos) -> Self {
        self.drain_timeout = timeout;
        self
    }

    /// Sets the begins, and the end if it is known. Before the workers start.
    pub fn begin(&self, start: Nanos, measure: Nanos, measure_end: Nanos) {
        self.start_ns.store(start.0, Ordering::Release);
        self.measure_ns.store(measure.0, Ordering::Release);
        self.measure_end_ns.store(measure_end.0, Ordering::Release);
    }

    /// Who is woken by the workers.
    pub fn watched_by(&self, watcher: Thread) {
        // There is one watcher; a second would change nothing.
        let _ = self.watcher.set(watcher);
    }

    /// Who looks after the workers, if that is another thread.
    pub fn watcher(&self) -> Option<&Thread> {
        self.watcher.get()
    }

    /// Begin of the phase.
    pub fn start(&self) -> Nanos {
        Nanos(self.start_ns.load(Ordering::Acquire))
    }

    /// Begin of the measured time as it is known now.
    pub fn measure(&self) -> Nanos {
        Nanos(self.measure_ns.load(Ordering::Acquire))
    }

    /// End of the measured time as it is known now. A plain load on x86.
    #[inline]
    pub fn measure_end(&self) -> Nanos {
        Nanos(self.measure_end_ns.load(Ordering::Relaxed))
    }

    pub fn load_end(&self) -> Nanos {
        let cool_down = Nanos(self.cool_down_ns.load(Ordering::Relaxed));
        self.measure_end().saturating_add(cool_down)
    }

    /// When the wait for what is in flight ends.
    pub fn drain_end(&self) -> Nanos {
        self.load_end().saturating_add(self.drain_timeout)
    }

    /// Ends the measured time at `at`, or at the instant it would end anyway.
    pub fn end_at(&self, at: Nanos) {
        self.measure_end_ns.fetch_min(at.0, Ordering::AcqRel);
    }

    /// Ends all load at `at`, without a cool-down.
    pub fn leave_at(&self, at: Nanos) {
        self.cool_down_ns.store(0, Ordering::Relaxed);
        self.end_at(at);
    }

    /// A worker with an amount to do is through; the last one may end the phase.
    pub fn amount_done(&self, at: Nanos, ends_phase: bool) {
        if self.amounts_left.fetch_sub(1, Ordering::Relaxed) == 1 && ends_phase {
            self.leave_by_amount(at);
        }
    }

    /// Ends the phase because of an amount that is done.
    pub fn leave_by_amount(&self, at: Nanos) {
        self.ended_by_amount.store(1, Ordering::Relaxed);
        self.leave_at(at);
    }

    /// Whether the phase ended because its amounts were done.
    pub fn ended_by_amount(&self) -> bool {
        self.ended_by_amount.load(Ordering::Relaxed) == 1
    }

    /// Notes an I/O error, and ends the load if it is to do so; the number of one that a check
    /// found is 0.
    pub fn note_error(&self, at: Nanos, op: Op, number: i32) {
        if let Some(tolerated) = &self.ends_at_errors
            && !tolerated.has(op, number)
        {
            self.failed.store(true, Ordering::Relaxed);
            self.leave_at(at);
        }
    }

    /// Whether an error ended the phase.
    pub fn failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// An open load is beyond hope of catching up; ends the phase.
    pub fn give_up(&self, at: Nanos) {
        self.overloaded.store(true, Ordering::Relaxed);
        self.leave_at(at);
    }

    /// Whether an open load gave up.
    pub fn overloaded(&self) -> bool {
        self.overloaded.load(Ordering::Relaxed)
    }

    /// The user wants out: no report will be made.
    pub fn abort(&self) {
        self.aborted.store(true, Ordering::Relaxed);
        self.leave_at(Nanos::ZERO);
    }

    /// Whether the user wants out.
    pub fn aborted(&self) -> bool {
        self.aborted.load(Ordering::Relaxed)
    }

    /// One thread of `job` has ended its part of a burst.
    pub fn burst_ended(&self, job: usize) {
        self.bursts[job].thread_ends.fetch_add(1, Ordering::Release);
    }

    /// How many bursts of `job` all its threads have ended.
    pub fn bursts_ended(&self, job: usize) -> u64 {
        let signal = &self.bursts[job];
        signal.thread_ends.load(Ordering::Acquire) / signal.threads
    }
}

//! The results of a worker at its end, apart from the intervals.

use super::{Late, ReplayLags};
use crate::tally::ErrorCount;
use crate::target_latency::TargetLatencies;
use fathom_core::histogram::Histogram;
use fathom_core::result::{CallCounts, ThreadUse, Verified};
use fathom_core::slowest::SlowIo;
use fathom_core::{EngineKind, Nanos, Op};

/// The end of one worker.
#[derive(Clone, Debug, Default)]
pub struct WorkerOutcome {
    /// Position of its job in the phase.
    pub job: usize,
    /// Number of the thread in its job.
    pub thread: u32,
    /// Requests that could be in flight.
    pub slots: u32,
    /// Requests handed to the engine.
    pub issued: u64,
    /// Requests that failed.
    pub failed: u64,
    /// Calls of the engine.
    pub turns: u64,
    /// The calls in the measured time.
    pub calls: CallCounts,
    /// Requests submitted at once at most, where that is limited or learned.
    pub submit_batch: Option<u32>,
    /// How long before its instant a wait stopped sleeping at the end, where that is learned.
    pub spin: Option<Nanos>,
    /// Intervals lengthened because the observer was late.
    pub long_intervals: u64,
    /// Processor time of the thread.
    pub cpu: Nanos,
    /// What the thread suffered under load, if it is one.
    pub usage: Option<ThreadUse>,
    /// Instant of its last completion.
    pub ended_at: Nanos,
    /// Requests that were in flight at the end of the measured time and took long, or had not ended
    /// when the wait for them did.
    pub late: Vec<Late>,
    /// Whether requests are in flight that nobody waits for.
    pub leaves_requests: bool,
    /// How long a call to the kernel had lasted at least, if the thread had not come back from it.
    pub stuck: Option<Nanos>,
    /// Begin and end of the flushes after its last request, where there were any.
    pub end_flush: Option<(Nanos, Nanos)>,
    /// Whether it ended because its amount was done.
    pub amount_done: bool,
    /// Longest time from intended start to issue.
    pub max_lag: Nanos,
    /// Requests of batches that waited for a free slot.
    pub queued: u64,
    /// How late it issued its requests, if it replayed them at their times.
    pub replay: Option<Box<ReplayLags>>,
    /// Lengths of its bursts, if it worked in bursts.
    pub bursts: Option<Histogram>,
    /// What verification found, if it was on.
    pub verified: Option<Verified>,
    /// Errors by kind.
    pub errors: Vec<ErrorCount>,
    /// How long requests took at each of its targets, where that is kept.
    pub target_latencies: Option<Box<TargetLatencies>>,
    /// Requests for which its journal had no room.
    pub requests_lost: u64,
    /// How often it waited for room there.
    pub journal_waits: u64,
    /// Its engine; none in the simulator.
    pub engine: Option<EngineKind>,
    /// Features of its engine.
    pub flags: Vec<String>,
}

impl WorkerOutcome {
    /// That of a thread that has not come back from the kernel: its call began before `since`, and
    /// is one of `op` where only that is possible.
    pub(crate) fn stuck(
        (job, thread, slots): (usize, u32, u32),
        op: Option<Op>,
        since: Nanos,
        now: Nanos,
    ) -> Self {
        let io = SlowIo {
            intended: since,
            issued: since,
            completed: now,
            offset: 0,
            len: 0,
            target: 0,
        };
        Self {
            late: op
                .map(|op| Late {
                    op,
                    io,
                    has_returned: false,
                })
                .into_iter()
                .collect(),
            leaves_requests: true,
            stuck: Some(now.saturating_sub(since)),
            ended_at: now,
            ..Self::new(job, thread, slots, None)
        }
    }

    pub(super) fn new(
        job: usize,
        thread: u32,
        slots: u32,
        latencies: Option<TargetLatencies>,
    ) -> Self {
        Self {
            job,
            thread,
            slots,
            late: Vec::with_capacity(slots as usize),
            target_latencies: latencies.map(Box::new),
            ..Self::default()
        }
    }
}

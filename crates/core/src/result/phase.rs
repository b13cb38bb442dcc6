//! What one phase did: its jobs, its time series, the machine meanwhile.

use super::blame::PhaseBlame;
use super::{
    Bound, CallCounts, DeviceUse, EncodedHistogram, ErrorTally, Ledger, MachineInterval, OpResult,
    Pace, ProcessUse, ReadBackResult, Replayed, StuckThreads, TargetLatency, Verified, WorkerShare,
};
use crate::interval::Part;
use crate::op::PerOp;
use crate::spec::SteadyMetric;
use crate::summary::LatencySummary;
use serde::{Deserialize, Serialize};

/// Why the measured time ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EndReason {
    /// Its time was over.
    #[default]
    Duration,
    /// The jobs had done their bytes or requests.
    Amount,
    /// The load was steady.
    Steady,
    /// It was not steady after the most rounds allowed.
    NotSteady,
    /// The user asked for it.
    Interrupted,
    /// An error, with `--stop-on-error`, or none of the jobs could go on.
    Errors,
    /// An open load fell behind its schedule beyond hope.
    Overloaded,
}

/// How requests came about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LoadModel {
    /// A completion makes room for the next request.
    #[default]
    Closed,
    /// Requests arrive by the clock.
    Open,
    /// Bursts by the clock or after another job's, closed within.
    Bursts,
}

/// One phase of one repeat.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PhaseResult {
    /// Name of the phase.
    pub name: String,
    /// Which repeat of the workload, from 1.
    pub repeat: u32,
    /// Begin of the measured time, nanoseconds after the start of the run.
    pub start_ns: u64,
    /// Warm-up before it, nanoseconds.
    pub warm_up_ns: u64,
    /// Length of the measured time, nanoseconds.
    pub measured_ns: u64,
    /// Load after it, nanoseconds.
    pub cool_down_ns: u64,
    /// Why it ended.
    pub ended_by: EndReason,
    /// How the steady-state rule went, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub steady: Option<SteadyReport>,
    /// One entry for each job, in the order of the specification.
    pub jobs: Vec<JobResult>,
    /// The time series, warm-up and cool-down included and marked.
    pub intervals: Vec<IntervalResult>,
    /// How many neighbouring intervals each histogram of `intervals` spans; above 1 only in very
    /// long runs.
    pub histogram_intervals: u32,
    /// What the block devices themselves counted over the measured time.
    pub devices: Vec<DeviceUse>,
    /// What the whole process used over the measured time.
    pub process: ProcessUse,
    /// The machine during the `intervals`, warm-up and cool-down included.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machine: Vec<MachineInterval>,
    /// Completions in slices of the measured time, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<Pace>,
    /// The account of the measured time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ledger: Option<Box<Ledger>>,
    /// Why it was not faster, where that was asked or is plain.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<Box<Bound>>,
    /// What its slowest requests waited for, where they were traced.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub blame: Option<Box<PhaseBlame>>,
}

impl PhaseResult {
    /// A phase in which nothing happened, and which ended when its time was over.
    pub fn empty(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            repeat: 1,
            histogram_intervals: 1,
            ..Self::default()
        }
    }
}

/// How the steady-state rule went.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteadyReport {
    /// Whether the last window passed.
    pub reached: bool,
    /// All rounds, oldest first, in the metric's unit.
    pub rounds: Vec<f64>,
    /// Range of the last window in percent of its mean.
    pub range_percent: f64,
    /// Excursion of its best-fit line in percent of its mean.
    pub excursion_percent: f64,
    /// The limits that it did not keep; results of before it was known have none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missed: Vec<SteadyMiss>,
}

/// A limit that the last window did not keep.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SteadyMiss {
    /// What is limited.
    pub limit: SteadyLimit,
    /// The metric that `found` and `allowed` are in the unit of; both are percent of the window's
    /// mean without it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metric: Option<SteadyMetric>,
    /// What it was in the window.
    pub found: f64,
    /// What it may be.
    pub allowed: f64,
}

/// What a steady-state rule limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum SteadyLimit {
    /// Largest less smallest round.
    Range,
    /// Move of the best-fit line over the window.
    Excursion,
    /// Largest distance of a round from the mean.
    Deviation,
    /// Move of the best-fit line from one round to the next.
    Slope,
}

/// One job over the measured time.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JobResult {
    /// Name of the job.
    pub name: String,
    /// How requests came about.
    pub load_model: LoadModel,
    /// Paths used.
    pub targets: Vec<String>,
    /// The engine that made its requests, where the jobs of the run have several; else that of
    /// the run did.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Number of threads.
    pub threads: u32,
    /// Time over which the job was at work in the measured time, nanoseconds; shorter than that
    /// of the phase when it had done its amount before. All its rates are over this time.
    pub active_ns: u64,
    /// Outstanding requests that the specification allows, over all threads and targets.
    pub queue_depth: u64,
    /// Outstanding requests that the engine allows; smaller for synchronous engines.
    pub queue_depth_possible: u64,
    /// Mean number of outstanding requests: the integral over time divided by the time.
    pub queue_depth_held: f64,
    /// Requests handed to the engine in the measured time.
    pub submitted: u64,
    /// Requests that completed with all their bytes in it.
    pub completed: u64,
    /// Requests that completed with an error in it.
    pub failed: u64,
    /// Requests in flight at its edges, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub edges: Option<Edges>,
    /// Threads that did not come back after its end, if there were any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stuck: Option<StuckThreads>,
    /// The calls of the engine in it, where they were counted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<CallCounts>,
    /// What each operation did, under its name; only operations that the job has are there.
    #[serde(flatten)]
    pub ops: PerOp<Option<OpResult>>,
    /// Requests a second that an open load was to make.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offered_iops: Option<f64>,
    /// Arrivals that were due in the measured time (open loads).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<u64>,
    /// Longest time from intended start to issue (open loads).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_lag_ns: Option<u64>,
    /// Requests of an open load that were late because all slots were in use, at most; the others
    /// were late by the generator alone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queued: Option<u64>,
    /// What it replayed of a trace, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub replay: Option<Box<Replayed>>,
    /// Lengths of the job's bursts, if it works in bursts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub burst_ns: Option<LatencySummary>,
    /// How long the flushes after the last requests (`sync_at_end`) went on behind the measured
    /// time: of the thread that took longest, 0 where all of it was inside.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end_flush_ns: Option<u64>,
    /// Issue to completion of reads and writes together, where the source of an import tells it
    /// and has no histograms to add up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub total_service_ns: Option<LatencySummary>,
    /// Blocks whose self-description was checked, and found wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
    /// What was read back after the measured time, if the requests for it were counted; in none of
    /// the other figures but `verified` and `errors`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub read_back: Option<Box<ReadBackResult>>,
    /// Errors by kind.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub errors: Vec<ErrorTally>,
    /// The requests by target, where a thread has several and they were kept apart, in the order of
    /// `targets`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub target_latencies: Vec<TargetLatency>,
    /// The threads.
    pub workers: Vec<WorkerResult>,
}

/// Requests in flight at the edges of the measured time: those submitted in it and those before are
/// as many as those that completed, failed or were short in it and those after.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Edges {
    /// At its start: handed over in the warm-up.
    pub before: u64,
    /// At its end.
    pub after: u64,
}

impl JobResult {
    /// Requests that completed without error and with fewer bytes than asked.
    pub fn short(&self) -> u64 {
        self.ops.present().map(|(_, op)| op.short).sum()
    }
}

/// One thread of a job.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WorkerResult {
    /// Number within the job.
    pub thread: u32,
    /// Requests handed to the engine, warm-up and cool-down included.
    pub issued: u64,
    /// Processor time of the thread, nanoseconds, over its whole life.
    pub cpu_ns: u64,
    /// Intervals that had to be lengthened because the observer was late.
    pub long_intervals: u64,
    /// Calls of the engine.
    pub turns: u64,
    /// Requests that it submitted at once at most; none where the engine takes all that is ready.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submit_batch: Option<u32>,
    /// How long before its instant a wait of an open load stopped sleeping: learned from the sleeps
    /// of the thread, as it was at the end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spin_ns: Option<u64>,
    /// What it suffered under load, warm-up and cool-down included, if the system reports it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usage: Option<ThreadUse>,
    /// What it did in the measured time, if that was kept apart from the other threads'.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub share: Option<WorkerShare>,
}

/// What a thread suffered.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ThreadUse {
    /// Times that it gave up its processor or was made to.
    pub switches: u64,
    /// Its page faults that needed I/O.
    pub major_faults: u64,
    /// Processors that it was on at its first and at its last request, each once.
    pub processors: Vec<u32>,
}

/// One interval of the time series.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalResult {
    /// Which part of the phase.
    pub part: Part,
    /// Start, nanoseconds after the start of the phase (warm-up included).
    pub start_ns: u64,
    /// Length in nanoseconds.
    pub length_ns: u64,
    /// One entry for each job that has anything to say, by its position in `jobs`.
    pub jobs: Vec<IntervalJob>,
}

/// One job in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalJob {
    /// Position in the phase's `jobs`.
    pub job: u32,
    /// Mean number of outstanding requests.
    pub queue_depth_held: f64,
    /// What each operation did, under its name.
    #[serde(flatten)]
    pub ops: PerOp<Option<IntervalOp>>,
}

impl IntervalJob {
    /// Requests of all operations that completed.
    pub fn ios(&self) -> u64 {
        self.ops.present().map(|(_, op)| op.ios).sum()
    }
}

/// One operation of one job in one interval.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct IntervalOp {
    /// Completed without error.
    pub ios: u64,
    /// Bytes moved.
    pub bytes: u64,
    /// Completed with an error.
    pub errors: u64,
    /// Issue to completion.
    pub service_ns: LatencySummary,
    /// Intended start to completion; only of open loads, where it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_ns: Option<LatencySummary>,
    /// All service times of this interval, or of the group of `histogram_intervals` intervals
    /// that begins with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub service_histogram: Option<EncodedHistogram>,
    /// Likewise the response times of open loads.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub response_histogram: Option<EncodedHistogram>,
}

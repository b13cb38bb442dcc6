//! `fathom run`.

use super::{ClusterArgs, EngineArgs, OutputArgs, OverrideArgs, SaveArgs, TargetArg};
use crate::stop::Stop;
use clap::Args;
use fathom_core::units::UnitError;
use fathom_core::{Bytes, Cap, Percent, Tolerated};
use fathom_device::Destroy;
use fathom_session::cluster::{Cluster, SimulatedMembers};
use fathom_session::plan::MadeFiles;
use fathom_verdict::Requirement;
use std::num::NonZeroU32;
use std::str::FromStr;

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Profiles or TOML files
    #[arg(required_unless_present_any = ["replay", "rw"], value_name = "NAME|FILE.toml")]
    pub(crate) workloads: Vec<String>,
    /// Files, directories (for a scratch file) or block devices, also serial:NUMBER; ROLE=PATH sets
    /// one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    #[command(flatten)]
    pub(crate) replay: ReplayArgs,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

/// Requests that were recorded, instead of a workload.
#[derive(Args, Debug)]
#[command(next_help_heading = "Replay")]
pub(crate) struct ReplayArgs {
    /// Replay the requests of FILE, of `fathom capture` or another tool
    ///
    /// Other tools: fio (I/O log), blktrace, blkparse, perf script, trace-cmd, vscsiStats, xperf,
    /// MQSim; CSV of MSR Cambridge, Alibaba and Tencent; oracleGeneral.
    #[arg(long, value_name = "FILE", conflicts_with = "workloads")]
    pub(crate) replay: Option<String>,
    /// Percentage of the recorded speed, or max for as fast as completions allow [default: 100]
    ///
    /// With max, a request waits until no more are outstanding than were when it was recorded.
    /// With unordered it does not.
    #[arg(long, value_name = "PERCENT|max|unordered", requires = "replay")]
    pub(crate) replay_speed: Option<ReplaySpeed>,
    /// Threads that share the recorded requests by the thread that issued them [default: 1]
    #[arg(long, value_name = "N", requires = "replay")]
    pub(crate) replay_threads: Option<NonZeroU32>,
    /// Replay only the requests of processes with this name; repeatable
    ///
    /// `fathom show FILE` prints the names.
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub(crate) replay_process: Vec<String>,
    /// Replay only the requests of the role with this name; repeatable
    ///
    /// `fathom learn FILE` prints the names.
    #[arg(long, value_name = "NAME", requires = "replay")]
    pub(crate) replay_role: Vec<String>,
    /// Replay only requests that start at these recorded offsets, such as 10GiB..20GiB
    ///
    /// The first offset is included, the second is not. Without one of them, the region is open at
    /// that end. Flushes are kept.
    #[arg(long, value_name = "START..END", requires = "replay")]
    pub(crate) replay_region: Option<ReplayRegion>,
    /// Replay on a smaller target: regions of 1 MiB without requests take no space
    #[arg(long, requires = "replay")]
    pub(crate) replay_pack: bool,
}

/// How fast recorded requests are made again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ReplaySpeed {
    /// Share of the recorded speed.
    Share(Percent),
    /// As fast as completions allow, with no more outstanding than was recorded.
    Most,
    /// As fast as completions allow.
    Unordered,
}

impl FromStr for ReplaySpeed {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "max" => return Ok(Self::Most),
            "unordered" => return Ok(Self::Unordered),
            _ => {}
        }
        // Percent ends at 100.
        let number = text.trim_end_matches('%').parse::<f64>().ok();
        let share = number.filter(|number| number.is_finite() && *number > 0.0);
        let share =
            share.ok_or("expected a percentage above 0, such as 200, or max or unordered")?;
        Ok(Self::Share(Percent(share)))
    }
}

/// Recorded offsets whose requests are made again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ReplayRegion {
    /// The first; 0 without it.
    pub(crate) start: Option<Bytes>,
    /// The one behind the last; none without it.
    pub(crate) end: Option<Bytes>,
}

impl FromStr for ReplayRegion {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let size = |text: &str| match text.trim() {
            "" => Ok(None),
            text => text
                .parse()
                .map(Some)
                .map_err(|error: UnitError| error.to_string()),
        };
        let (start, end) = text
            .split_once("..")
            .ok_or("expected two offsets, such as 10GiB..20GiB, 10GiB.. or ..20GiB")?;
        let (start, end) = (size(start)?, size(end)?);
        if end.is_some_and(|end| end <= start.unwrap_or_default()) {
            return Err("the region ends before it starts".to_owned());
        }
        Ok(Self { start, end })
    }
}

/// What `run`, `quick` and `ramp` have in common.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct RunOptions {
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) explain: ExplainArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
    /// Members that are there already, for one run of several; without them they are called.
    #[arg(skip)]
    pub(crate) members: Option<Cluster>,
    /// Members that are simulated here, in the place of this host.
    #[arg(skip)]
    pub(crate) simulated: Option<SimulatedMembers>,
    /// What ends the run with others of its kind; without it a signal ends this one alone.
    #[arg(skip)]
    pub(crate) stop: Option<Stop>,
}

/// Options that search for the limit and check the numbers.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Find the limit, check the numbers")]
pub(crate) struct ExplainArgs {
    /// After each phase, search for the limit: repeat it for 5 s with double depth, double threads,
    /// another block size, single requests
    ///
    /// If the rate dropped and the phase only wrote, 5 s of reads follow: they show whether reads
    /// have the same limit. If a burst bucket ran empty, and an idle time of at most one minute
    /// refills it enough, a second burst follows that idle time.
    #[arg(long, alias = "explain", conflicts_with = "blame")]
    pub(crate) find_limit: bool,
    /// Test the storage at the end with 30 s of writes: flushes, zeros, repeated data, misaligned
    /// requests
    ///
    /// This needs the same write permission as a job. In addition, the devices are watched for 3 s
    /// before the run, and the load generator is measured alone for 2 s after each phase.
    #[arg(long, conflicts_with = "blame")]
    pub(crate) probe: bool,
    /// Measure the size of the fast write cache: at the end, write up to SIZE at full rate for at
    /// most 10 minutes
    ///
    /// The writes go to the target of the run, never beyond its end and never twice to the same
    /// offset. This needs the same write permission as a job.
    #[arg(long, value_name = "SIZE", conflicts_with = "blame")]
    pub(crate) cliff: Option<Bytes>,
    #[command(flatten)]
    pub(crate) tracing: TracingArgs,
    /// Requirement: a state (valid, qualified, suspect) or a limit such as 'p99<=2ms',
    /// 'iops>=30000', 'PHASE:read.throughput>=1GB/s'; repeatable
    ///
    /// Exit status: 7 for a worse state, 8 for INVALID, 1 for a missed limit, 5 if there are too
    /// few requests to decide. Each limit applies to each phase. Rates (iops, throughput) and
    /// errors are summed over jobs and operations except flushes. Latencies (mean, max, p50, p90,
    /// p99, p99.9 …) apply to each operation. Optional prefixes: PHASE: or PHASE/JOB:, then read.,
    /// write., trim. or flush.
    #[arg(long, value_name = "STATE|LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// Known limit, such as vm=1920iops or link=125MB/s; NAME.reads or NAME.writes for one
    /// direction; repeatable
    #[arg(long, value_name = "NAME=RATE")]
    pub(crate) cap: Vec<Cap>,
}

/// The option that explains slow requests: of commands that measure workloads of their own, and of
/// those in the words of other programs.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct TracingArgs {
    /// Trace the block requests (as root), and name what the slowest ones of each phase waited for
    ///
    /// It needs a mounted tracefs. The trace costs 250 to 870 ns of CPU time per request. Only the
    /// measured time counts, not the layout or the warm-up. The result names the processes that
    /// the load waited for.
    #[arg(long)]
    pub(crate) blame: bool,
}

impl ExplainArgs {
    /// Whether short runs are wanted in addition to the phases.
    pub(crate) const fn probes(&self) -> bool {
        self.find_limit || self.probe || self.cliff.is_some()
    }
}

/// Options for data that may be overwritten, and files that stay.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Safety")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct SafetyArgs {
    /// Device to overwrite, with its current contents: /dev/sdb=ext4, serial:S3EV0001=ext4, or
    /// =data for unknown content
    #[arg(long, value_name = "DEVICE[=SIGNATURE]")]
    pub(crate) destroy: Vec<Destroy>,
    /// Allow overwriting existing files that fathom did not create: targets, and for now also
    /// --output files (prefer --replace-results)
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Allow replacing existing --output files, never a target
    #[arg(long)]
    pub(crate) replace_results: bool,
    /// Open nothing for writing: create, fill or extend no file
    #[arg(long, conflicts_with_all = ["destroy", "overwrite"])]
    pub(crate) read_only: bool,
    /// Keep the files created for the run
    #[arg(long)]
    pub(crate) keep: bool,
    /// Lend them to later runs of this process, which removes them itself.
    #[arg(skip)]
    pub(crate) lends: bool,
    /// Stop at the first I/O error
    #[arg(long)]
    pub(crate) stop_on_error: bool,
    /// Errors that do not stop the run.
    #[arg(skip)]
    pub(crate) tolerated: Tolerated,
}

impl SafetyArgs {
    /// What becomes of files that are made.
    pub(crate) const fn made_files(&self) -> MadeFiles {
        match (self.keep, self.lends) {
            (true, _) => MadeFiles::Kept,
            (false, true) => MadeFiles::Lent,
            (false, false) => MadeFiles::Removed,
        }
    }
}

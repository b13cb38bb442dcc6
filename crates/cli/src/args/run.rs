//! `fathom run`.

use super::{ClusterArgs, EngineArgs, OutputArgs, OverrideArgs, SaveArgs, TargetArg};
use crate::stop::Stop;
use clap::Args;
use fathom_core::{Bytes, Cap, Tolerated};
use fathom_device::Destroy;
use fathom_session::cluster::{Cluster, SimulatedMembers};
use fathom_session::plan::MadeFiles;
use fathom_verdict::Requirement;

/// Run workloads on targets, one after another
///
/// A workload is the name of a profile (`fathom profiles` lists them) or a TOML file. Each has a
/// result of its own. Without --target a scratch file is made in the current directory.
#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    /// Profiles or TOML files
    #[arg(required = true, value_name = "NAME|FILE.toml")]
    pub(crate) workloads: Vec<String>,
    /// Files, directories (a scratch file is made there) or devices, also as serial:NUMBER;
    /// ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    #[command(flatten)]
    pub(crate) options: RunOptions,
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

/// Why was it not faster, and is it true?
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Why not faster, and is it true")]
pub(crate) struct ExplainArgs {
    /// After each phase run it again for 5 s with twice the outstanding requests, twice the
    /// threads, another block size and a single request, and say what held it back
    ///
    /// Where the rate fell, a load of writes is followed by reads; after a burst bucket ran dry
    /// comes a rest of up to a minute, with no load, and a second burst.
    #[arg(long)]
    pub(crate) explain: bool,
    /// Find out what the storage does with flushes, zeros, repeats and misaligned requests, by half
    /// a minute of writes at the end, to where the run goes
    ///
    /// It needs the permission to write there as a job would. The devices are watched for 3 s
    /// before the run, and the generator is run alone for 2 s after each phase.
    #[arg(long)]
    pub(crate) probe: bool,
    /// Find out how much the storage takes fast: at the end write up to so much, one place after
    /// another at full rate, for 10 minutes at most
    ///
    /// It goes to where the run goes, never beyond the target's end and never twice to the same
    /// place, and needs the permission to write there as a job would.
    #[arg(long, value_name = "SIZE")]
    pub(crate) cliff: Option<Bytes>,
    /// What the result has to show: a state (valid, qualified, suspect) or a limit, as
    /// 'p99<=2ms', 'iops>=30000', 'PHASE:read.throughput>=1GB/s'; any number
    ///
    /// A worse state ends with status 7, or 8 if it is INVALID; a limit that was missed with 1, one
    /// of which there are too few requests to tell with 5. A limit is asked of each phase: rates
    /// (iops, throughput) and errors of the sum over jobs and operations but flushes, times (mean,
    /// max, p50, p90, p99, p99.9 …) of each operation. Before it may stand PHASE: or PHASE/JOB:,
    /// and read., write., trim. or flush.
    #[arg(long, value_name = "STATE|LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// A limit that is known, as vm=1920iops or link=125MB/s; NAME.reads and NAME.writes for one
    /// direction; any number
    #[arg(long, value_name = "NAME=RATE")]
    pub(crate) cap: Vec<Cap>,
}

/// What may be lost, and what stays.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Safety")]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct SafetyArgs {
    /// Device whose contents may be destroyed; with what it carries, as /dev/sdb=ext4 or
    /// serial:S3EV0001=ext4; with =data for content that has no known signature
    #[arg(long, value_name = "DEVICE[=SIGNATURE]")]
    pub(crate) destroy: Vec<Destroy>,
    /// Existing files that fathom did not make may be overwritten: targets, and (for now; say
    /// --replace-results) those of --output
    #[arg(long)]
    pub(crate) overwrite: bool,
    /// Results that are there may be replaced: files of --output, never a target
    #[arg(long)]
    pub(crate) replace_results: bool,
    /// Nothing is opened for writing: no file is made, laid out or made longer
    #[arg(long, conflicts_with_all = ["destroy", "overwrite"])]
    pub(crate) read_only: bool,
    /// Leave files that were made for the run
    #[arg(long)]
    pub(crate) keep: bool,
    /// Lend them to later runs of this process, which removes them itself.
    #[arg(skip)]
    pub(crate) lends: bool,
    /// End at the first I/O error
    #[arg(long)]
    pub(crate) stop_on_error: bool,
    /// Errors that do not end it all the same.
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

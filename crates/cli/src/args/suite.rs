//! `fathom suite`.

use super::diskspd::drive;
use super::seconds::seconds;
use super::{EngineArgs, OverrideArgs, SafetyArgs, SaveArgs, TargetArg};
use clap::Args;
use fathom_core::Nanos;
use fathom_verdict::Requirement;
use std::path::PathBuf;

/// Run many workloads that answer one question, as one thing that can be taken up again
///
/// Without a name the suites that come with fathom are listed. Each run's result is kept in a
/// folder as it ends; called again with the same folder, the suite goes on where it was left. At
/// the end there is one report of all runs, which is also kept there.
#[expect(
    clippy::struct_excessive_bools,
    reason = "the switches of a command line"
)]
#[derive(Args, Debug)]
pub(crate) struct SuiteArgs {
    /// A suite that comes with fathom, a TOML file, or a script of DISKSPD (.txt, .cmd, .bat, .sh)
    #[arg(value_name = "NAME|FILE.toml")]
    pub(crate) suite: Option<String>,
    /// Where a drive of Windows is in a script of DISKSPD, as r=/mnt/r for r:\temp\io.dat; any
    /// number of times
    #[arg(long, value_name = "LETTER=DIR", value_parser = drive)]
    pub(crate) map_drive: Vec<(char, PathBuf)>,
    /// Files, directories (a scratch file is made there) or devices; ROLE=PATH for one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    /// Folder of the results; made if it is not there
    #[arg(long, value_name = "FOLDER")]
    pub(crate) into: Option<PathBuf>,
    /// Run in random order, another in each pass; the seed is --seed
    #[arg(long)]
    pub(crate) shuffle: bool,
    /// What each result has to show, as for `fathom run`; any number
    #[arg(long, value_name = "STATE|LIMIT")]
    pub(crate) require: Vec<Requirement>,
    /// Begin a pass (--repeat) so long after the one before began, as 1h; each stays in the history
    /// under the suite's tag
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) every: Option<Nanos>,
    /// Show the runs of the suite, and do nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines also in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

//! What the commands with other programs' options have of Fathom's own.

use super::engine::EngineArgs;
use super::output::{OutputSpec, output_help};
use super::run::SafetyArgs;
use super::store::SaveArgs;
use clap::Args;

/// Fathom's own options; they come before those of the other program.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Fathom's own")]
pub(crate) struct ForeignOptions {
    /// Write the result in this form instead of the other program's; any number of times
    #[arg(long, alias = "out", value_name = "FORMAT[:FILE]", long_help = output_help())]
    pub(crate) output: Vec<OutputSpec>,
    /// Show the workload as TOML, and do nothing
    #[arg(long)]
    pub(crate) print: bool,
    /// Show no progress and no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Show progress as plain lines also in a terminal
    #[arg(long)]
    pub(crate) no_live: bool,
    #[command(flatten)]
    pub(crate) engine: EngineArgs,
    #[command(flatten)]
    pub(crate) safety: SafetyArgs,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

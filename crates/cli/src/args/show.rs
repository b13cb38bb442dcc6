//! `fathom show`.

use super::output::output_help;
use super::{OutputSpec, ReplaceArgs, StoreArgs};
use clap::Args;

/// Show the report of a run again
///
/// A run is called by the first digits of its id, as `fathom history` shows them; by @latest,
/// @latest~2 and so on; by tag:NAME, which is the latest run with that tag; or by a file that holds
/// its result, - for standard input.
#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Write the result as text, json or another format, to standard output or to a file; any
    /// number of times
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        default_value = "text",
        hide_default_value = true,
        long_help = output_help("-o", "the brief format")
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// The result for programs, as `--output json`
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,
    /// Print nothing beside what goes to files
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

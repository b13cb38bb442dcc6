//! `fathom show`.

use super::output::output_help;
use super::{OutputSpec, ReplaceArgs, StoreArgs};
use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct ShowArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Write the result as text, json or another format to standard output or a file; repeatable
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("-o", "the summary")
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Print all details instead of one screen; same as `--output text`
    #[arg(long)]
    pub(crate) full: bool,
    /// Print JSON; same as `--output json`
    #[arg(long, conflicts_with_all = ["output", "full"])]
    pub(crate) json: bool,
    /// Print nothing except what goes to files
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

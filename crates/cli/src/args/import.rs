//! `fathom import`.

use super::output::output_help;
use super::{OutputSpec, ReplaceArgs, SaveArgs};
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Result files, folders, archives or mailboxes; - for standard input
    #[arg(required = true, value_name = "RESULT")]
    pub(crate) results: Vec<PathBuf>,
    /// Write the result in a format to standard output or a file [default: text for other programs;
    /// fathom runs are counted]
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("-o", "the summary")
    )]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Suppress notes
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

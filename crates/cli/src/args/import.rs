//! `fathom import`.

use super::{OutputSpec, ReplaceArgs, SaveArgs};
use clap::Args;
use std::path::PathBuf;

/// Keep results from elsewhere in the history, also those of fio and DISKSPD
///
/// Bundles that `fathom export` has written, JSON results of fathom; fio's JSON and json+, its logs
/// (the files of a run together), DISKSPD's text and XML. Of other programs only what a source says
/// is taken, and the report lists what it does not say.
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Files with results, - for standard input
    #[arg(required = true, value_name = "RESULT")]
    pub(crate) results: Vec<PathBuf>,
    /// Write the result as text, json or another form, to standard output or to a file; any
    /// number of times
    ///
    /// With several results, `{name}` in FILE stands for the name of each. Without this option,
    /// results of other programs are shown as text, and runs of fathom only counted.
    #[arg(long, value_name = "FORMAT[:FILE]")]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Show no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

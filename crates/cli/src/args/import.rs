//! `fathom import`.

use super::output::output_help;
use super::{OutputSpec, ReplaceArgs, SaveArgs};
use clap::Args;
use std::path::PathBuf;

/// Keep results from elsewhere, also of fio, DISKSPD and Iometer
///
/// Bundles that `fathom export` has written, JSON results of fathom; fio's JSON and json+, its logs
/// (the files of a run together), DISKSPD's text and XML, the table of Iometer. Of other programs
/// only what a source says is taken, and the report lists what it does not say.
///
/// A folder, an archive (.tar, .tar.gz) and a mail or mailbox (mbox) are searched for results;
/// what else is in them is passed over and counted.
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Files with results, folders, archives and mailboxes of them; - for standard input
    #[arg(required = true, value_name = "RESULT")]
    pub(crate) results: Vec<PathBuf>,
    /// Write the result in a format, to standard output or to a file; without this, results of
    /// other programs are shown as text, and runs of fathom only counted
    #[arg(
        short = 'o',
        long,
        alias = "out",
        value_name = "FORMAT[:FILE]",
        long_help = output_help("-o", "the brief format")
    )]
    pub(crate) output: Vec<OutputSpec>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Show no notes
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) save: SaveArgs,
}

//! `fathom import`.

use super::output::output_help;
use super::{OutputSpec, ReplaceArgs, SaveArgs};
use clap::Args;
use std::path::PathBuf;

/// Import results of fio, DISKSPD, Iometer or another fathom
///
/// Reads bundles of `fathom export`; JSON results of fathom; JSON, json+ and logs of fio (all logs
/// of a run together); text and XML of DISKSPD; the CSV table of Iometer. The report lists values
/// that the source does not contain.
///
/// Folders, archives (.tar, .tar.gz), mails and mailboxes (mbox) are searched for results. Other
/// files in them are skipped and counted.
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

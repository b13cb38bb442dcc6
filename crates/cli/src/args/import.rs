//! `fathom import`.

use super::OutputSpec;
use clap::Args;
use std::path::PathBuf;

/// Read results that fio or DISKSPD have written
///
/// fio's JSON and json+, its logs (the files of a run together), DISKSPD's text and XML. Only what
/// a source says is taken; the report lists what it does not say.
#[derive(Args, Debug)]
pub(crate) struct ImportArgs {
    /// Files with results, - for standard input
    #[arg(required = true, value_name = "RESULT")]
    pub(crate) results: Vec<PathBuf>,
    /// Write the result as text, json or another form, to standard output or to a file; any
    /// number of times
    ///
    /// With several results, `{name}` in FILE stands for the name of each.
    #[arg(
        long,
        value_name = "FORMAT[:FILE]",
        default_value = "text",
        hide_default_value = true
    )]
    pub(crate) output: Vec<OutputSpec>,
    /// Show no notes
    #[arg(long)]
    pub(crate) quiet: bool,
}

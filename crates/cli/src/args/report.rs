//! `fathom report`.

use super::{MatrixArgs, ReplaceArgs, StoreArgs, format};
use clap::Args;
use std::path::PathBuf;

/// Write an HTML report with charts, for one run or several
///
/// The file is self-contained and loads nothing from the network. RUN is the first digits of an id,
/// @latest, tag:NAME (all runs with the tag), a result file, or the folder of a suite (all of its
/// runs). The suite plan (suite.json) in a folder is ignored.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// Output file, as FILE or html:FILE; - for standard output
    #[arg(
        short = 'o',
        long,
        visible_alias = "out",
        value_name = "FILE.html",
        required = true,
        value_parser = page_file
    )]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) matrix: MatrixArgs,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

fn page_file(text: &str) -> Result<PathBuf, String> {
    format::only("html", text)
}

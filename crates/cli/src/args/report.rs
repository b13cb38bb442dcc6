//! `fathom report`.

use super::{MatrixArgs, ReplaceArgs, StoreArgs, format};
use clap::Args;
use std::path::PathBuf;

/// Draw runs as one HTML page with charts, several side by side
///
/// The file holds all that it needs and fetches nothing. A run is called as by `fathom compare`: by
/// the first digits of its id, @latest, tag:NAME for all runs with that tag, a file that holds its
/// result, or the folder of a suite for all of its runs; the plan of a suite (suite.json) beside
/// results is passed over.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// File to write, as FILE or html:FILE; - for standard output
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

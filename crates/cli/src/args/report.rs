//! `fathom report`.

use super::{MatrixArgs, ReplaceArgs, StoreArgs};
use clap::Args;
use std::path::PathBuf;

/// Draw runs as one HTML file, with charts; several runs side by side
///
/// The file holds all that it needs and fetches nothing. A run is called as by `fathom show`: by
/// the first digits of its id, @latest, tag:NAME, a file that holds its result, or the folder of a
/// suite for all of its runs.
#[derive(Args, Debug)]
pub(crate) struct ReportArgs {
    /// Runs
    #[arg(required = true, value_name = "RUN")]
    pub(crate) runs: Vec<String>,
    /// File to write; - for standard output
    #[arg(short = 'o', long, value_name = "FILE.html", required = true)]
    pub(crate) out: PathBuf,
    #[command(flatten)]
    pub(crate) matrix: MatrixArgs,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

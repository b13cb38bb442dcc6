//! `fathom report`.

use super::{MatrixArgs, ReplaceArgs, StoreArgs, format};
use clap::Args;
use std::path::PathBuf;

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

//! `fathom clean`.

use super::StoreArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct CleanArgs {
    /// Directories to search, and files
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

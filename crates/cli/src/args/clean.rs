//! `fathom clean`.

use super::StoreArgs;
use clap::Args;
use std::path::PathBuf;

/// Remove the scratch files of killed runs
///
/// Searches the given directories [default: current directory], and those where the history lists
/// interrupted runs. A file is removed only if its mark shows a temporary file of an ended process,
/// and only if it is unchanged. Files kept by --keep remain.
#[derive(Args, Debug)]
pub(crate) struct CleanArgs {
    /// Directories to search, and files
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

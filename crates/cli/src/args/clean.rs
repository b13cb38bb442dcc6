//! `fathom clean`.

use super::StoreArgs;
use clap::Args;
use std::path::PathBuf;

/// Remove the scratch files of runs that were killed
///
/// Looks in the directories given, in the current one without any, and where the history says that
/// interrupted runs were. A file is removed only if its mark says that a run made it to remove it
/// at its end, that run's process is gone, and the file is still what it made. What --keep has left
/// stays.
#[derive(Args, Debug)]
pub(crate) struct CleanArgs {
    /// Directories to look in, and files
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

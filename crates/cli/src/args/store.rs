//! `--store FILE` and `--no-save`: where the history lies, and what is not kept in it.

use clap::Args;
use std::path::PathBuf;

/// Where the history lies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StoreArgs {
    /// File of the history, instead of that in FATHOM_STORE or in the user's data directory
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

/// Whether a run is kept, and where.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "History")]
pub(crate) struct SaveArgs {
    /// Do not keep the run in the history
    #[arg(long, conflicts_with = "store")]
    pub(crate) no_save: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

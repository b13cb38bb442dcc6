//! `--store FILE`: where the history lies.

use clap::Args;
use std::path::PathBuf;

/// Where the history lies.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct StoreArgs {
    /// File of the history, instead of that in FATHOM_STORE or in the user's data directory
    #[arg(long, value_name = "FILE")]
    pub(crate) store: Option<PathBuf>,
}

//! `fathom verify`.

use super::StoreArgs;
use clap::Args;
use fathom_core::Bytes;
use std::path::PathBuf;

/// Check the blocks that an earlier run stamped
///
/// The run must have been made with `verify` other than off, and the file kept (--keep). If it is
/// in the history, each block is held against the write that was acknowledged last; else only
/// against what it says of itself, so that old data would not be seen. Ends with status 3 if a
/// block is wrong.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// File or device
    pub(crate) path: PathBuf,
    /// Where to begin
    #[arg(long, value_name = "SIZE", default_value = "0")]
    pub(crate) offset: Bytes,
    /// How much to check; without it, to the end
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<Bytes>,
    /// Accept only blocks of runs with this seed; without it, of any run that the history does not
    /// rule out
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

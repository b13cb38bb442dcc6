//! `fathom verify`.

use super::StoreArgs;
use clap::Args;
use fathom_core::Bytes;
use std::path::PathBuf;

/// Check the blocks stamped by an earlier run
///
/// The earlier run must have used `verify` other than off and kept its file (--keep). If the run is
/// in the history, each block is compared with the last acknowledged write. Otherwise each block is
/// checked only against its own stamp, so outdated data is not detected. The exit status is 3 if a
/// block is wrong.
#[derive(Args, Debug)]
pub(crate) struct VerifyArgs {
    /// File or device
    pub(crate) path: PathBuf,
    /// Start offset
    #[arg(long, value_name = "SIZE", default_value = "0")]
    pub(crate) offset: Bytes,
    /// Number of bytes to check [default: to the end]
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<Bytes>,
    /// Accept only blocks from runs with this seed [default: any run that the history does not
    /// exclude]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Suppress progress
    #[arg(long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) store: StoreArgs,
}

//! `fathom verify`.

use super::StoreArgs;
use clap::Args;
use fathom_core::Bytes;
use std::path::PathBuf;

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

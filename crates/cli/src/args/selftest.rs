//! `fathom selftest`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct SelftestArgs {
    /// Directory on the disk to test with
    #[arg(default_value = ".")]
    pub(crate) folder: PathBuf,
    /// Test with short loads, in about half a minute
    #[arg(long)]
    pub(crate) short: bool,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

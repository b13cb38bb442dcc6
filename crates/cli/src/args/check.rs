//! `fathom check`.

use clap::Args;
use std::path::PathBuf;

/// Say what would be measured under a path, and whether it is fit to be
///
/// Looks and writes nothing. The exit status says it: 0 fit, 7 with doubts, 8 unfit.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// A file, a directory or a block device
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,
    /// Do not look for 3 s whether others use the disks
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

//! `fathom quick`.

use super::RunOptions;
use clap::Args;
use std::path::PathBuf;

/// Measure the disk under a directory in about 45 s
///
/// Runs the profile `quick`: sequential 1 MiB at depth 8, random 4 KiB at depth 32 and at depth 1,
/// each read and written, and commits: 4 KiB written, then fdatasync, one at a time. In a directory
/// a scratch file is made, and removed at the end.
#[derive(Args, Debug)]
pub(crate) struct QuickArgs {
    /// Directory, file or device, also as serial:NUMBER
    #[arg(default_value = ".")]
    pub(crate) path: PathBuf,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

//! `fathom selftest`.

use clap::Args;
use std::path::PathBuf;

/// Test fathom itself on this machine, in about three minutes
///
/// Writes and reads one file of its own and removes it. Each engine writes data
/// that is read back. Then the counters of the disk, direct I/O, an open load and commits are
/// tested. fio and DISKSPD run the same load where they are installed. The table has no host name
/// and no path, so it can be sent to the developers.
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

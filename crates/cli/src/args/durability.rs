//! `fathom durability`.

use clap::Args;
use fathom_core::{Bytes, Nanos};
use fathom_device::Destroy;
use fathom_durability::Promise;
use fathom_session::durability::LogAddress;
use std::path::PathBuf;

#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct DurabilityArgs {
    /// File, directory (for a new folder) or device, also serial:NUMBER
    #[arg(long, value_name = "PATH", required_unless_present = "keep")]
    pub(crate) target: Option<PathBuf>,
    /// Log for acknowledgements: file on other storage, pipe, serial line, HOST:PORT, or
    /// exec:COMMAND that echoes each line; with --verify, the log
    #[arg(
        long = "ack-log",
        alias = "witness",
        value_name = "FILE|HOST:PORT|exec:COMMAND"
    )]
    pub(crate) witness: LogAddress,
    /// Promises to test in turn: write, flush, fua, dsync; for a directory also rename and append
    #[arg(
        long,
        value_name = "PROMISE",
        value_delimiter = ',',
        default_value = "flush",
        conflicts_with_all = ["verify", "keep"]
    )]
    pub(crate) promise: Vec<Promise>,
    /// Size of a write
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "4KiB",
        conflicts_with_all = ["verify", "keep"]
    )]
    pub(crate) block_size: Bytes,
    /// Space per promise [default: 64 MiB, or the free space if smaller]
    #[arg(long, value_name = "SIZE", conflicts_with_all = ["verify", "keep"])]
    pub(crate) size: Option<Bytes>,
    /// Writes before each flush of the promise `flush`
    #[arg(
        long,
        value_name = "N",
        default_value_t = 8,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000),
        conflicts_with_all = ["verify", "keep"]
    )]
    pub(crate) flush_every: u64,
    /// Write through the page cache
    #[arg(long, conflicts_with_all = ["verify", "keep"])]
    pub(crate) no_direct: bool,
    /// Stop after DURATION without a power cut [default: never]
    #[arg(long, value_name = "DURATION", conflicts_with_all = ["verify", "keep"])]
    pub(crate) time: Option<Nanos>,
    /// Stop after N writes and flushes
    #[arg(long, value_name = "N", conflicts_with_all = ["verify", "keep"])]
    pub(crate) steps: Option<u64>,
    /// Device to overwrite, with its current contents: /dev/sdb=ext4, serial:S3EV0001=ext4, or
    /// =data for unknown content
    #[arg(
        long,
        value_name = "DEVICE[=SIGNATURE]",
        conflicts_with_all = ["verify", "keep"],
        help_heading = "Safety"
    )]
    pub(crate) destroy: Vec<Destroy>,
    /// Allow overwriting a target file that fathom did not create
    #[arg(long, conflicts_with_all = ["verify", "keep"], help_heading = "Safety")]
    pub(crate) overwrite: bool,
    /// Write nothing; verify what survived of an earlier run
    #[arg(long, conflicts_with = "keep", help_heading = "After the power cut")]
    pub(crate) verify: bool,
    /// Confirm the power cut if this host cannot see it: only the storage lost power, or the writer
    /// had ended
    #[arg(long, requires = "verify", help_heading = "After the power cut")]
    pub(crate) power_was_cut: bool,
    /// Print JSON
    #[arg(long, requires = "verify", help_heading = "After the power cut")]
    pub(crate) json: bool,
    /// Run as acknowledgement server for a writer on another host; listen on ADDRESS, such as
    /// 0.0.0.0:7711
    ///
    /// Acknowledgements go to the file of --ack-log until the writer has disconnected.
    #[arg(
        long = "ack-server",
        alias = "keep",
        value_name = "ADDRESS",
        conflicts_with = "target",
        help_heading = "Acknowledgement server"
    )]
    pub(crate) keep: Option<String>,
    /// Suppress progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

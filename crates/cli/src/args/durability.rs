//! `fathom durability`.

use clap::Args;
use fathom_core::{Bytes, Nanos};
use fathom_device::Destroy;
use fathom_durability::Promise;
use fathom_session::durability::Place;
use std::path::PathBuf;

/// Say which acknowledged writes are there after power was cut
///
/// First it writes, and tells a witness of each acknowledgement before the next write; then power
/// is cut; then --verify holds what is there against what the witness knows. Status 0: each promise
/// was kept; 3: one was broken; 5: it cannot be told.
#[derive(Args, Debug)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "independent switches of the command line"
)]
pub(crate) struct DurabilityArgs {
    /// File, directory (a folder is made there) or device, also as serial:NUMBER
    #[arg(long, value_name = "PATH", required_unless_present = "keep")]
    pub(crate) target: Option<PathBuf>,
    /// Who is told: a file on other storage, a pipe or serial line, HOST:PORT, or exec:COMMAND that
    /// says each line again as `tee` does; with --verify the log that it kept
    #[arg(long, value_name = "FILE|HOST:PORT|exec:COMMAND")]
    pub(crate) witness: Place,
    /// What is tried, in turn: write, flush, fua, dsync; in a directory rename and append too
    #[arg(
        long,
        value_name = "PROMISE",
        value_delimiter = ',',
        default_value = "flush",
        conflicts_with_all = ["verify", "keep"]
    )]
    pub(crate) promise: Vec<Promise>,
    /// Bytes of a write
    #[arg(
        long,
        value_name = "SIZE",
        default_value = "4KiB",
        conflicts_with_all = ["verify", "keep"]
    )]
    pub(crate) block_size: Bytes,
    /// How much each promise has to itself; without it 64 MiB, or what there is
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
    /// End after so long, if nobody cuts the power; without it, never
    #[arg(long, value_name = "DURATION", conflicts_with_all = ["verify", "keep"])]
    pub(crate) time: Option<Nanos>,
    /// End after so many writes and flushes
    #[arg(long, value_name = "N", conflicts_with_all = ["verify", "keep"])]
    pub(crate) steps: Option<u64>,
    /// Device whose contents may be destroyed; with what it carries, as /dev/sdb=ext4 or
    /// serial:S3EV0001=ext4; with =data for content that has no known signature
    #[arg(
        long,
        value_name = "DEVICE[=SIGNATURE]",
        conflicts_with_all = ["verify", "keep"],
        help_heading = "Safety"
    )]
    pub(crate) destroy: Vec<Destroy>,
    /// A target that is a file which fathom did not make may be overwritten
    #[arg(long, conflicts_with_all = ["verify", "keep"], help_heading = "Safety")]
    pub(crate) overwrite: bool,
    /// Write nothing: say what of an earlier run is there
    #[arg(long, conflicts_with = "keep", help_heading = "After the cut")]
    pub(crate) verify: bool,
    /// Power was cut, though that cannot be seen from here: only the storage lost it, or the writer
    /// had ended by then
    #[arg(long, requires = "verify", help_heading = "After the cut")]
    pub(crate) power_was_cut: bool,
    /// As JSON
    #[arg(long, requires = "verify", help_heading = "After the cut")]
    pub(crate) json: bool,
    /// Be the witness of a writer on another host: listen at this address of ours, as 0.0.0.0:7711,
    /// and keep in the file --witness what it says until it has gone
    #[arg(
        long,
        value_name = "ADDRESS",
        conflicts_with = "target",
        help_heading = "As a witness"
    )]
    pub(crate) keep: Option<String>,
    /// Show no progress
    #[arg(long)]
    pub(crate) quiet: bool,
}

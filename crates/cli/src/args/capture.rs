//! `fathom capture`.

use super::ReplaceArgs;
use super::seconds::seconds;
use clap::{Args, ValueEnum};
use fathom_core::{Bytes, Nanos};
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct CaptureArgs {
    /// Devices by kernel name or path [default: all disks]
    ///
    /// A logical volume, a RAID array or a partition stands for the disks below it.
    #[arg(long, value_name = "DEV", value_delimiter = ',')]
    pub(crate) device: Vec<PathBuf>,
    /// Files or directories: the disks below their file system
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Vec<PathBuf>,
    /// Record only the requests of this process and its threads
    #[arg(long, value_name = "N", conflicts_with_all = ["comm", "cgroup"])]
    pub(crate) pid: Option<i32>,
    /// Record only the requests of processes or threads with this name
    #[arg(long, value_name = "NAME", conflicts_with = "cgroup")]
    pub(crate) comm: Option<String>,
    /// Record only the requests of processes in this control group and below it, as in
    /// /proc/PID/cgroup
    #[arg(long, value_name = "GROUP")]
    pub(crate) cgroup: Option<String>,
    /// Events to record (`blame` adds the waits before the issue, for `fathom blame`)
    ///
    /// With `blame`, the file also has when each request was queued, got a tag and was inserted
    /// into a scheduler, and who queued it. It needs the requests of all processes.
    #[arg(long, value_name = "SET", default_value = "replay")]
    pub(crate) events: EventSet,
    /// Duration; without a unit, in seconds [default: until Ctrl-C]
    #[arg(long, value_name = "DURATION", value_parser = seconds)]
    pub(crate) time: Option<Nanos>,
    /// File to write
    #[arg(short, long, visible_alias = "out", value_name = "FILE")]
    pub(crate) output: PathBuf,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Replace the names and numbers of processes and devices by ordinal numbers
    #[arg(long)]
    pub(crate) anonymise: bool,
    /// Kernel memory for the events of each CPU [default: 64MiB for all, 1MiB to 8MiB for each]
    #[arg(long, value_name = "SIZE")]
    pub(crate) buffer: Option<Bytes>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which of the kernel's events are recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum EventSet {
    /// Issue and completion of each request
    Replay,
    /// Also the steps before the issue: queueing, tag, scheduler
    Blame,
}

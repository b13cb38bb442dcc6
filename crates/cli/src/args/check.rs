//! `fathom check`.

use super::InstanceOptions;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// File, directory or block device
    #[arg(value_name = "PATH", required_unless_present = "target")]
    path: Option<PathBuf>,
    /// Same as PATH
    #[arg(long, value_name = "PATH", conflicts_with = "path")]
    target: Option<PathBuf>,
    /// Skip the 3 s check for other users of the disks
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Also check the machine and file system against an application vendor's recommendations
    #[arg(long, value_name = "APPLICATION", value_enum)]
    pub(crate) advice: Option<Advice>,
    /// With --advice sas: 150 MB/s per core, for heavy analytics
    #[arg(long, requires = "advice")]
    pub(crate) sas_heavy: bool,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl CheckArgs {
    /// The path to check; the parser requires one of the two.
    pub(crate) fn place(&self) -> PathBuf {
        self.path
            .clone()
            .or(self.target.clone())
            .unwrap_or_default()
    }
}

/// Whose advice.
#[derive(clap::ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
    /// SAS: xfs, dirty pages, read-ahead, memory and MB/s for each core, network, no GPU.
    Sas,
}

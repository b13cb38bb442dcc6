//! `fathom check`.

use super::InstanceOptions;
use clap::Args;
use std::path::PathBuf;

/// Say what would be measured under a path, and if it is fit to be
///
/// Looks and writes nothing. The exit status says it: 0 fit, 7 with doubts or against advice that
/// was asked for, 8 unfit.
#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    /// A file, a directory or a block device
    #[arg(value_name = "PATH", required_unless_present = "target")]
    path: Option<PathBuf>,
    /// The same, as other commands have it
    #[arg(long, value_name = "PATH", conflicts_with = "path")]
    target: Option<PathBuf>,
    /// Do not look for 3 s whether others use the disks
    #[arg(long)]
    pub(crate) no_wait: bool,
    /// Hold machine and file system against what an application's vendor advises too
    #[arg(long, value_name = "APPLICATION", value_enum)]
    pub(crate) advice: Option<Advice>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl CheckArgs {
    /// What is to be looked at: one of the two is there, as the parser sees to.
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
    /// SAS: xfs, dirty pages, read-ahead, memory for each core, network.
    Sas,
}

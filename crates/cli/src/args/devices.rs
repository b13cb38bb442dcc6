//! `fathom devices`.

use clap::Args;

/// List block devices, how they are stacked, what is mounted
#[derive(Args, Debug)]
pub(crate) struct DevicesArgs {
    /// As JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Also those of size 0, such as unattached loop devices
    #[arg(long)]
    pub(crate) all: bool,
}

//! `fathom devices`.

use clap::Args;

#[derive(Args, Debug)]
pub(crate) struct DevicesArgs {
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Include devices of size 0, such as unattached loop devices
    #[arg(long)]
    pub(crate) all: bool,
}

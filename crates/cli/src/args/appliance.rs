//! `fathom appliance`, which the live image calls.

use clap::{Args, ValueEnum};

#[derive(Args, Debug)]
pub(crate) struct ApplianceArgs {
    /// Task to run
    #[arg(value_enum)]
    pub(crate) part: AppliancePart,
}

/// Task of a machine started from the live image.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AppliancePart {
    /// Run the job from the kernel command line, a USB stick or the image
    Job,
    /// Show the menu on a console
    Menu,
}

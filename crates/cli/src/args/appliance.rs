//! `fathom appliance`, which the live image calls.

use clap::{Args, ValueEnum};

/// What a machine does that was started from the live image
#[derive(Args, Debug)]
pub(crate) struct ApplianceArgs {
    /// Which part of it
    #[arg(value_enum)]
    pub(crate) part: AppliancePart,
}

/// A part of what it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AppliancePart {
    /// The job of the kernel's command line, of a stick, or of the image
    Job,
    /// The menu on a console
    Menu,
}

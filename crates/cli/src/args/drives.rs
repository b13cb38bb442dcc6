//! Where drives of Windows are, for inputs that were written there.

use clap::Args;
use fathom_tools::{Drive, drive};

/// Where drives of Windows are.
#[derive(Args, Clone, Debug)]
pub(crate) struct DriveArgs {
    /// Directory for a Windows drive, such as r=/mnt/r for r:\temp\io.dat; repeatable
    #[arg(long, alias = "map", value_name = "LETTER=DIR", value_parser = drive)]
    pub(crate) map_drive: Vec<Drive>,
}

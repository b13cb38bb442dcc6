//! `fathom iometer`.

use crate::args::{DriveArgs, ForeignArgs, RunOptions, TargetArg};
use clap::Args;
use fathom_tools::Beside;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct IometerArgs {
    /// Configuration file
    #[arg(value_name = "FILE.icf")]
    pub(crate) file: String,
    /// File for Iometer's result table
    #[arg(value_name = "RESULTS.csv")]
    pub(crate) results: Option<PathBuf>,
    /// Files, directories (for a scratch file) or block devices, also serial:NUMBER; ROLE=PATH sets
    /// one role
    #[arg(long, value_name = "PATH", value_delimiter = ',')]
    pub(crate) target: Vec<TargetArg>,
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    #[command(flatten)]
    pub(crate) options: RunOptions,
}

impl ForeignArgs for IometerArgs {
    fn program(&self) -> &'static str {
        "iometer"
    }

    fn words(&self) -> Vec<String> {
        vec![self.file.clone()]
    }

    fn beside(&self) -> Beside {
        Beside {
            table: self.results.clone(),
            drives: self.drives.map_drive.clone(),
            is_timed: self.options.overrides.has("time"),
            ..Beside::default()
        }
    }

    fn run_options(&self) -> Option<&RunOptions> {
        Some(&self.options)
    }

    fn targets(&self) -> &[TargetArg] {
        &self.target
    }
}

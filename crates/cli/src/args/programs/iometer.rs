//! `fathom iometer`.

use crate::args::{DriveArgs, ForeignArgs, RunOptions, TargetArg};
use clap::Args;
use fathom_tools::Beside;
use std::path::PathBuf;

/// Run a configuration file of Iometer
///
/// Targets that are not paths become roles; a note says which, and --target ROLE=PATH binds them.
/// On a drive that --map-drive says the place of, Iometer's file iobw.tst is used.
#[derive(Args, Debug)]
pub(crate) struct IometerArgs {
    /// Configuration file
    #[arg(value_name = "FILE.icf")]
    pub(crate) file: String,
    /// File for the table that Iometer writes
    #[arg(value_name = "RESULTS.csv")]
    pub(crate) results: Option<PathBuf>,
    /// Files, directories (a scratch file is made there) or devices, also as serial:NUMBER;
    /// ROLE=PATH for one role
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

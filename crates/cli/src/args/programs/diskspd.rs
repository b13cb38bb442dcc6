//! `fathom diskspd`.

use crate::args::{DriveArgs, ForeignArgs, ForeignCall};
use clap::{ArgAction, Args};
use fathom_tools::Beside;

/// Run a DISKSPD command line and print a DISKSPD report
///
/// Accepts the options of DISKSPD 2.2 and its XML profiles; `-?` lists them. The report goes to
/// standard output. Differences from DISKSPD are reported on standard error. Fathom's own options
/// come before those of DISKSPD. A link named diskspd to fathom works the same way.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .required(false)
    .value_name("ARG")
    .help("Options and targets of DISKSPD")))]
#[command(disable_help_flag = true)]
pub(crate) struct DiskspdArgs {
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Print help; `-h` belongs to DISKSPD
    #[arg(long, action = ArgAction::HelpLong)]
    help: Option<bool>,
    #[command(flatten)]
    pub(crate) call: ForeignCall,
}

impl ForeignArgs for DiskspdArgs {
    fn program(&self) -> &'static str {
        "diskspd"
    }

    fn call(&self) -> Option<&ForeignCall> {
        Some(&self.call)
    }

    fn beside(&self) -> Beside {
        Beside {
            drives: self.drives.map_drive.clone(),
            ..Beside::default()
        }
    }
}

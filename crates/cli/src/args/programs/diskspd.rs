//! `fathom diskspd`.

use crate::args::{DriveArgs, ForeignArgs, ForeignCall};
use clap::{ArgAction, Args};
use fathom_tools::Beside;

/// Run a command line of DISKSPD, and report as DISKSPD does
///
/// Takes the options of DISKSPD 2.2 and its XML profiles; `-?` lists them. What is not as DISKSPD
/// does it is told on standard error, the report is on standard output. Fathom's own options come
/// before DISKSPD's. A program of the name diskspd that is a link to fathom takes the same.
#[derive(Args, Debug)]
#[command(mut_arg("words", |words| words
    .required(false)
    .value_name("ARG")
    .help("DISKSPD's options and targets")))]
#[command(disable_help_flag = true)]
pub(crate) struct DiskspdArgs {
    #[command(flatten)]
    pub(crate) drives: DriveArgs,
    /// Print help; `-h` is DISKSPD's
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

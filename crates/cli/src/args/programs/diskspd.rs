//! `fathom diskspd`.

use crate::args::{DriveArgs, ForeignArgs, ForeignCall};
use clap::{ArgAction, Args};
use fathom_tools::Beside;

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

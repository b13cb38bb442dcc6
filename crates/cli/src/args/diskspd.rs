//! `fathom diskspd`.

use super::ForeignOptions;
use clap::{ArgAction, Args};

/// Run a command line of DISKSPD, and report as DISKSPD does
///
/// Takes the options of DISKSPD 2.2 and its XML profiles; `-?` lists them. What is not as DISKSPD
/// does it is told on standard error, the report is on standard output. Fathom's own options come
/// before DISKSPD's. A program of the name diskspd that is a link to fathom takes the same.
#[derive(Args, Debug)]
#[command(disable_help_flag = true)]
pub(crate) struct DiskspdArgs {
    #[command(flatten)]
    pub(crate) options: ForeignOptions,
    /// Print help; `-h` is DISKSPD's
    #[arg(long, action = ArgAction::HelpLong)]
    help: Option<bool>,
    /// DISKSPD's options and targets
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "ARG"
    )]
    pub(crate) words: Vec<String>,
}

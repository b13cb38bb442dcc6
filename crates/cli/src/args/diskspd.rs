//! `fathom diskspd`.

use super::{ForeignArgs, ForeignCall};
use clap::{ArgAction, Args};
use fathom_tools::Beside;
use std::path::PathBuf;

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
    /// Where a drive of Windows is here, as r=/mnt/r for r:\temp\io.dat; any number of times
    #[arg(long, alias = "map", value_name = "LETTER=DIR", value_parser = drive)]
    pub(crate) map_drive: Vec<(char, PathBuf)>,
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
            drives: self.map_drive.clone(),
            ..Beside::default()
        }
    }
}

/// A drive of Windows, and where it is here.
pub(crate) fn drive(text: &str) -> Result<(char, PathBuf), String> {
    let wrong = || "expected a letter and a folder, as in r=/mnt/r".to_owned();
    let (letter, folder) = text.split_once('=').ok_or_else(wrong)?;
    let mut letters = letter.trim_end_matches(':').chars();
    match (letters.next(), letters.next()) {
        (Some(letter), None) if letter.is_ascii_alphabetic() && !folder.is_empty() => {
            Ok((letter.to_ascii_lowercase(), folder.into()))
        }
        _ => Err(wrong()),
    }
}

//! `fathom studies`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use fathom_tools::studies::NAMES;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct StudiesArgs {
    /// Study to compute again
    #[arg(value_name = "STUDY", value_parser = PossibleValuesParser::new(NAMES))]
    pub(crate) study: Option<String>,
    /// Also run the commands that need a disk, on this directory
    #[arg(long, value_name = "DIR", requires = "study")]
    pub(crate) target: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

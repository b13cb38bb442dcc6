//! `fathom studies`.

use clap::Args;
use clap::builder::PossibleValuesParser;
use fathom_tools::studies::NAMES;
use std::path::PathBuf;

/// List the figures of published studies, or compute them again
///
/// Without STUDY all claims are listed: the figure of the study, the figure that fathom computes,
/// and the command. With STUDY the commands run now. The exit status is 1 if a figure is not the
/// listed one. Commands that need a disk only run with --target.
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

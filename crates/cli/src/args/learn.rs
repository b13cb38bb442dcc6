//! `fathom learn`.

use super::ReplaceArgs;
use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct LearnArgs {
    /// File of `fathom capture`, or a trace of another tool
    #[arg(value_name = "TRACE")]
    pub(crate) trace: PathBuf,
    /// Write the workload to this file; - for standard output instead of the report
    #[arg(short, long, visible_alias = "out", value_name = "FILE|-")]
    pub(crate) output: Option<PathBuf>,
    /// Compare the trace with this capture of a run of the twin
    ///
    /// This compares service times too. Without it, requests are generated without I/O.
    #[arg(long, value_name = "TRACE")]
    pub(crate) against: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) replace: ReplaceArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

//! `fathom blame`.

use clap::Args;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct BlameArgs {
    /// File of `fathom capture --events blame`
    #[arg(value_name = "CAPTURE")]
    pub(crate) capture: PathBuf,
    /// Process whose requests are explained, by name or number [default: that with the most
    /// requests]
    #[arg(long, value_name = "NAME|PID")]
    pub(crate) process: Option<String>,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

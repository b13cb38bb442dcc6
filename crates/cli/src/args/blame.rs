//! `fathom blame`.

use clap::Args;
use std::path::PathBuf;

/// Explain why the slowest requests of a capture are slow
///
/// Reads a file of `fathom capture --events blame`. Splits the time of each request into submit
/// (waiting for a tag), held (waiting for the driver) and device. Names what the slow requests
/// waited for, if something stands out: other processes, flushes, own requests, tags, a throttle.
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

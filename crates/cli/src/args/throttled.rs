//! `fathom throttled`.

use super::LimitArgs;
use super::seconds::seconds;
use clap::Args;
use fathom_core::Nanos;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub(crate) struct ThrottledArgs {
    /// Files, directories, or devices by kernel name or path [default: all disks that were ever
    /// used]
    #[arg(value_name = "PATH|DEV", conflicts_with = "pid")]
    pub(crate) paths: Vec<PathBuf>,
    /// Process: the disks of its open files, and the limits of its control groups
    #[arg(long, value_name = "N")]
    pub(crate) pid: Option<i32>,
    /// Length of the observation, at least 1s; without a unit, in seconds
    #[arg(long, value_name = "DURATION", default_value = "5s", value_parser = observation)]
    pub(crate) time: Nanos,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Limits are kept over windows of some 100 ms, so a shorter observation shows chance.
fn observation(text: &str) -> Result<Nanos, String> {
    let time = seconds(text)?;
    if time >= Nanos::from_secs(1) {
        Ok(time)
    } else {
        Err("expected at least 1s".to_owned())
    }
}

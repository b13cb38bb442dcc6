//! `fathom throttled`.

use super::seconds::seconds;
use super::{CatalogOptions, InstanceOptions};
use clap::Args;
use fathom_core::{Cap, Nanos};
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
    /// Volume below the paths, such as gp3:500GiB:4000iops or 4x gp2:250GiB, with its limits in the
    /// catalogue
    ///
    /// credit= sets the burst credit at the start of the observation, as in gp2:250GiB:credit=50%.
    #[arg(long, value_name = "VOLUME")]
    pub(crate) volume: Option<String>,
    #[command(flatten)]
    pub(crate) instance: InstanceOptions,
    /// Known limit, such as vm=1920iops or link=125MB/s; NAME.reads or NAME.writes for one
    /// direction; repeatable
    #[arg(long, value_name = "NAME=RATE")]
    pub(crate) cap: Vec<Cap>,
    #[command(flatten)]
    pub(crate) catalog: CatalogOptions,
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

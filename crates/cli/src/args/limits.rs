//! Limits of a live system that are known from the command line and the catalogue.

use super::{CatalogOptions, InstanceOptions};
use clap::Args;
use fathom_core::Cap;

/// Limits that a live system is compared with.
#[derive(Args, Clone, Debug)]
pub(crate) struct LimitArgs {
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
}

impl LimitArgs {
    /// The first option given that names a limit.
    pub(crate) fn named(&self) -> Option<&'static str> {
        let all = [
            ("--volume", self.volume.is_some()),
            ("--instance", self.instance.instance.is_some()),
            ("--cap", !self.cap.is_empty()),
        ];
        let named = all.into_iter().find(|(_, is_given)| *is_given);
        named.map(|(name, _)| name)
    }
}

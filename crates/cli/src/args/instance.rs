//! The instance before the volumes.

use clap::Args;

/// Which instance is meant.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InstanceOptions {
    /// The instance before the volumes, as r5d.xlarge or E32s_v3; NAME/nvme or NAME/scsi where
    /// its limits differ by that; with its credit at the begin, as B2ms:credit=0%; `here` for that
    /// of this machine, as far as it can be seen
    #[arg(long, value_name = "NAME")]
    pub(crate) instance: Option<String>,
    /// With --instance here: the metadata service of the cloud may be asked, over the network
    #[arg(long, requires = "instance")]
    pub(crate) metadata: bool,
}

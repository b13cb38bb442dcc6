//! The instance before the volumes.

use clap::Args;

/// The instance that the volumes are attached to.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct InstanceOptions {
    /// Instance that the volumes are attached to, such as r5d.xlarge, B2ms:credit=0%, or `here` for
    /// this machine
    ///
    /// NAME/nvme or NAME/scsi selects the attachment if the limits depend on it. credit= sets the
    /// burst credit at the start. `here` detects the instance as far as possible.
    #[arg(long, value_name = "NAME")]
    pub(crate) instance: Option<String>,
    /// With --instance here: allow a network query to the cloud's metadata service
    #[arg(long, requires = "instance")]
    pub(crate) metadata: bool,
}

//! What EBS volumes counted.

use crate::check::{Code, Entry, Example, entry};
use fathom_core::Level;

pub(crate) const ENTRY: Entry = entry! { EbsCounts: Beside, Nothing, "note",
    "a run on EBS volumes that report their own counters: the counts during the run",
    [],
    Example::Said(|| {
        let message = "EBS counted 100,000 requests on nvme1n1. The load exceeded the instance's \
                       IOPS for 95.0 % of the run, the volume's IOPS for 1.0 % of the run";
        Code::EbsCounts.caveat(Level::Note, message)
    })
};

//! Writes that become several requests on the members of a RAID.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::{count, outstanding};

/// Writes from which a share means something, and the largest that is not split.
const LEAST: f64 = 1000.0;
const LARGEST: f64 = 65_536.0;

/// Reads of members for each write, where hardly anything was read of the array.
const READS: f64 = 0.5;
const HARDLY: f64 = 0.05;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let array = evidence.disks.iter().find(|disk| disk.is_stacked)?;
    let writes = array.requests.1;
    let is_raid = array.name.starts_with("md") && array.requests.0 < writes * HARDLY;
    let is_small = evidence.load.block.is_some_and(|block| block <= LARGEST);
    if !is_raid || !is_small || writes < LEAST {
        return None;
    }
    let members = evidence.disks.iter().filter(|disk| !disk.is_stacked);
    let (reads, written) = members.fold((0.0, 0.0), |sum, disk| {
        (sum.0 + disk.requests.0, sum.1 + disk.requests.1)
    });
    (reads >= writes * READS).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Limit,
            format!(
                "Each write became {} requests on the disks of the array: it reads data or parity \
                first.",
                outstanding((reads + written) / writes)
            ),
        )
        .because(format!(
            "{} received {} writes and hardly any reads; its members served {} reads and {} \
                writes. RAID 5 and 6 read before each write that fills no stripe. \
                A resync, or other load on the same disks, looks the same.",
            array.name,
            count(writes as u64),
            count(reads as u64),
            count(written as u64)
        ))
        .remedy(
            "Write whole stripes (block size = chunk size x data disks), or use RAID 10 for small \
            writes.",
        )
        .by(&["disks"])
    })
}

//! Requests of a guest that are faster than a guest reaches a disk.

use super::{Said, memory};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::layers::{Kind, layer};
use fathom_core::figure::{iops, time};

/// A request leaves the guest, passes the host's kernel and the drive, and comes back.
const FASTEST_NS: f64 = 20e3;

/// The largest request whose time is no transfer.
const LARGEST: f64 = 16_384.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let layers = load.layers.iter().filter_map(|index| layer(*index));
    let is_guest = layers.into_iter().any(|(_, kind)| kind == Kind::Guest);
    let is_alone = evidence.total_depth() == Some(1.0) && load.jobs.is_some();
    let is_small = load.block.is_some_and(|block| block <= LARGEST);
    let is_virtual = ["/dev/vd", "/dev/xvd", "/dev/sd"]
        .iter()
        .any(|start| load.target.starts_with(start));
    let reads = load.read_percent.is_some_and(|share| share > 0.0);
    let is_asked =
        is_guest && is_virtual && reads && is_alone && is_small && load.direct == Some(true);
    if !is_asked || memory::look(evidence).is_some() {
        return None;
    }
    let rate = evidence.iops()?;
    let each = 1e9 / rate;
    (each < FASTEST_NS).then(|| {
        let headline = format!(
            "The host's memory probably answered: {} for each request is too short for a guest \
             and a disk.",
            time(each)
        );
        Said::new(Certainty::Suspected, Effect::Elsewhere, headline)
            .because(format!(
                "{} requests a second, one at a time. Direct I/O in the guest does not bypass the \
                 page cache of the host, through which a disk image is opened by default.",
                iops(rate)
            ))
            .remedy(
                "Open the image with direct I/O on the host (cache=none, or direct=on), and watch \
                 the host's disk with iostat during the run.",
            )
            .by(&["rate", "command"])
    })
}

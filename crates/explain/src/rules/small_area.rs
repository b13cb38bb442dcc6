//! A file that fits in a cache of the device.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

/// Bytes of memory that drives and controllers have, for reads and for writes.
const SMALL: (f64, f64) = (2.2e9, 8e9);

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let is_written = evidence.load.read_percent == Some(0.0);
    let small = if is_written { SMALL.1 } else { SMALL.0 };
    let area = evidence.load.size;
    let area = area.filter(|size| *size > 0.0 && *size <= small)?;
    if evidence.load.direct == Some(false) || !evidence.is_measured() {
        return None;
    }
    // ioping asks for a part of the device, if it is given one.
    let is_device = evidence.load.target.starts_with("/dev/") && evidence.tool != "ioping";
    (!is_device).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            "The area is small: a cache of the drive or controller can hold it.",
        )
        .because(format!(
            "It has {}. Controllers and drives have 0.5 to 8 GB of memory, \
            and SSDs a fast write area.",
            size(area as u64)
        ))
        .remedy(
            "Use a file of a tenth of the device or more to measure the device beyond its \
            caches.",
        )
        .by(&["command"])
    })
}

//! A file that fits in a cache of the device.

use super::Said;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

/// Bytes of memory that drives and controllers have.
const SMALL: f64 = 2_200_000_000.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let area = evidence
        .load
        .size
        .filter(|size| *size > 0.0 && *size <= SMALL)?;
    if evidence.load.direct == Some(false) || !evidence.is_measured() {
        return None;
    }
    let is_device = evidence.load.target.starts_with("/dev/");
    (!is_device).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            "The file is small: a cache of the drive or controller can hold it.",
        )
        .because(format!(
            "The file has {}. Controllers and drives have 0.5 to 8 GB of memory, \
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

//! Requests that failed.

use super::Said;
use crate::evidence::{Evidence, INVALID};
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    // Others count failed requests.
    let is_code = evidence.tool == "fio" && evidence.errors.to_bits() == INVALID.to_bits();
    if is_code && evidence.load.direct == Some(true) {
        return Some(refused());
    }
    (evidence.errors > 0.0).then(|| {
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            "The run failed: its numbers are of the part before the error.",
        )
        .because(format!("The output reports error {:.0}.", evidence.errors))
        .remedy("Mend the cause of the error and measure again.")
        .by(&["errors"])
    })
}

/// What refuses a request that bypasses the page cache.
fn refused() -> Said {
    Said::new(
        Certainty::Suspected,
        Effect::OtherLoad,
        "The run failed: this file system probably refuses direct I/O (Invalid argument).",
    )
    .because(
        "Some FUSE and network file systems have no direct I/O, and others take only multiples of \
         the logical block size.",
    )
    .remedy(
        "Measure with direct=0 and end_fsync=1, or directly on the storage below; a multiple of \
         4096 bytes tells the two apart.",
    )
    .by(&["errors", "command"])
}

//! Requests that failed.

use super::Said;
use crate::evidence::{Evidence, INVALID};
use crate::finding::{Certainty, Effect};
use crate::number::size_with;
use fathom_core::figure::size;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    // Others count failed requests.
    let is_code = evidence.tool == "fio" && evidence.errors.to_bits() == INVALID.to_bits();
    if is_code && evidence.load.direct == Some(true) {
        return Some(too_small(evidence).unwrap_or_else(refused));
    }
    if is_fio_without_result(evidence) {
        let headline = format!(
            "Nothing was measured: fio ended with error {:.0}.",
            evidence.errors
        );
        return Some(
            Said::new(Certainty::Shown, Effect::Elsewhere, headline)
                .because("The line with err= and error= names the call that failed, and why.")
                .remedy("Mend that cause first. The load itself was never run.")
                .by(&["errors", "command"]),
        );
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

fn is_fio_without_result(evidence: &Evidence) -> bool {
    evidence.tool == "fio" && evidence.errors > 0.0 && !evidence.is_measured()
}

/// Bytes of a sector of most drives of today.
const SECTOR: f64 = 4096.0;

/// Requests that fill no whole sector.
fn too_small(evidence: &Evidence) -> Option<Said> {
    let options = ["bs", "blocksize", "bssplit", "bsrange", "blocksize_range"];
    let values = options.iter().filter_map(|name| evidence.option(name));
    let sizes = values.flat_map(|value| value.split([',', '-', ':']));
    let sizes = sizes.filter_map(|one| size_with(one.split('/').next()?, true));
    let odd = sizes.filter(|size| *size > 0.0 && size % SECTOR != 0.0);
    let least = odd.reduce(f64::min)?;
    let headline = format!(
        "The run failed: direct I/O of {} does not fit into sectors of 4 KiB (Invalid argument).",
        size(least as u64)
    );
    Some(
        Said::new(Certainty::Suspected, Effect::OtherLoad, headline)
            .because(
                "Direct I/O takes only multiples of the logical sector, which is 4096 bytes on \
                 many drives. Through the page cache any size works.",
            )
            .remedy("Use multiples of 4 KiB. `lsblk -o NAME,LOG-SEC` shows the logical sector.")
            .by(&["errors", "command"]),
    )
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

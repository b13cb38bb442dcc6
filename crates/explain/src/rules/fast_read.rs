//! Random reads that are faster than flash.

use super::{Said, seeks};
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::time;

/// The largest request whose time is no transfer.
const LARGEST: f64 = 16_384.0;

/// NAND flash needs this long to read a page, without the transfer.
const NAND_NS: f64 = 32_000.0;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let (rate, depth) = seeks::reads(evidence, LARGEST)?;
    let each = evidence.mean_latency().unwrap_or(1e9 / rate);
    (depth <= 1.0 && each < NAND_NS).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            format!(
                "A random read takes {}: NAND flash needs {} or more, so most are of a cache or of \
                 another medium.",
                time(each),
                time(NAND_NS)
            ),
        )
        .because(
            "NAND flash needs 30 to 80 µs to read a page. Memory of the drive, the controller or \
             the host answers faster, and so do Optane and low-latency flash.",
        )
        .remedy("Use a file of twice the memory of host and controller.")
        .by(&["latency", "rate"])
    })
}

//! A block size that does not fit the question.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

/// The largest request that is too small for a stream.
const SMALL: f64 = 16_384.0;

/// Small requests in sequence, unless they are a log that is flushed.
fn small_stream(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let block = load.block.filter(|block| *block <= SMALL)?;
    let is_asked = ["fio", "diskspd"].contains(&evidence.tool) && load.random == Some(false);
    (is_asked && load.flush_every.is_none() && evidence.flush.is_none()).then(|| {
        Said::new(
            Certainty::Suspected,
            Effect::Reading,
            format!(
                "Sequential requests of {} measure neither throughput nor random IOPS.",
                size(block as u64)
            ),
        )
        .because(
            "Drives and, without direct I/O, kernels read ahead and merge such requests. A disk \
            gives many times its random IOPS. Each request costs CPU time, so the MB/s are low.",
        )
        .remedy("Use 1 MiB for throughput, and random requests for IOPS.")
        .by(&["command"])
        .decide(evidence, &[Change::Block(1_048_576.0)])
    })
}

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    if evidence.tool != "dd" {
        return small_stream(evidence);
    }
    let load = &evidence.load;
    let is_known = !load.command.is_empty();
    let chosen = ["bs", "obs", "ibs"]
        .iter()
        .any(|name| load.options.contains_key(*name));
    if !is_known || chosen {
        // One request of dd may also be all of the data.
        let block = load.block.filter(|block| is_known && *block >= 256e6)?;
        return Some(
            Said::new(
                Certainty::Shown,
                Effect::Reading,
                format!(
                    "Each request was {}: this is one long stream, not a load of \
                    requests.",
                    size(block as u64)
                ),
            )
            .because(
                "dd reads a whole block into memory before it writes it, so reading and \
                writing take turns.",
            )
            .remedy("Use blocks of 1 MiB.")
            .by(&["command"])
            .decide(evidence, &[Change::Block(1_048_576.0)]),
        );
    }
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            "dd used blocks of 512 B: this measured system calls more than the disk.",
        )
        .because("Without bs=, dd reads and writes 512 B at a time.")
        .remedy("Use bs=1M for throughput.")
        .by(&["command"])
        .decide(evidence, &[Change::Block(1_048_576.0)]),
    )
}

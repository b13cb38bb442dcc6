//! A block size that nobody chose.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use fathom_core::figure::size;

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let is_dd = evidence.tool == "dd" && !load.command.is_empty();
    let chosen = ["bs", "obs", "ibs"]
        .iter()
        .any(|name| load.options.contains_key(*name));
    if !is_dd || chosen {
        // One request of dd may also be all of the data.
        let block = load.block.filter(|block| is_dd && *block >= 256e6)?;
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

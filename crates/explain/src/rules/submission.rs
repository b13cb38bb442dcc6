//! Submission that waits for the device.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};
use crate::waiting::{Waiting, waiting};
use fathom_core::figure::{percent, time};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let Waiting {
        depth,
        share,
        slowest_ns,
    } = waiting(evidence)?;
    let direct = evidence.load.direct;
    let cause = if direct == Some(true) {
        "File systems wait in submission when a write extends the file or needs new blocks, and \
            every kernel does when the device queue is full."
    } else {
        "Without direct I/O, libaio and most others wait for the data within submission."
    };
    Some(
        Said::new(
            Certainty::Shown,
            Effect::OtherLoad,
            format!(
                "The queue depth was about 1, not {depth:.0}: each submission waited for the \
                device."
            ),
        )
        .because(format!(
            "A submission took {} on average, which is {} of the time of a job. {cause}",
            time(slowest_ns),
            percent((share * 100.0).min(100.0))
        ))
        .remedy(
            "Use direct=1 on a file that is written in full, and a depth below that of the \
            device queue.",
        )
        .by(&["latency", "depths"])
        .decide(evidence, &[Change::Direct, Change::Written]),
    )
}

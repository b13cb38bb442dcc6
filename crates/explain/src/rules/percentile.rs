//! Percentiles of writes where those of commits are needed.

use super::Said;
use crate::evidence::{Direction, Evidence};
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let flushes = ["fsync", "fdatasync"];
    let every = flushes
        .iter()
        .find(|name| evidence.option(name).is_some_and(|every| every != "0"))?;
    let is_synchronous = evidence.option("sync").is_some_and(|sync| sync != "0");
    let write = evidence.side(Direction::Write)?.latency.as_ref()?;
    let is_apart = evidence.tool == "fio" && evidence.load.flush_every.is_some();
    if !is_apart || is_synchronous || evidence.flush.is_some() || write.mean.is_none() {
        return None;
    }
    Some(
        Said::new(
            Certainty::Shown,
            Effect::Reading,
            "The latencies are of writes without their flush: a commit takes longer.",
        )
        .because(format!(
            "{every} makes fio flush after writes. It counts the time of a flush apart, and this \
            output does not show it."
        ))
        .remedy("Use the sync percentiles of fio 3.5 or later, and add the write to them.")
        .by(&["latency"]),
    )
}

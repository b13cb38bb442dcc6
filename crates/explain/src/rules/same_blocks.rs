//! Several streams that read the same blocks.

use super::Said;
use crate::decide::Change;
use crate::evidence::Evidence;
use crate::finding::{Certainty, Effect};

pub(super) fn look(evidence: &Evidence) -> Option<Said> {
    let load = &evidence.load;
    let jobs = load
        .options
        .get("numjobs")
        .and_then(|jobs| jobs.parse::<f64>().ok())
        .or(load.jobs)?;
    let shares = load.options.contains_key("filename");
    let apart = ["offset_increment", "nrfiles", "filename_format", "offset"];
    let is_apart = apart.iter().any(|name| load.options.contains_key(*name));
    if evidence.tool != "fio" || jobs < 2.0 || !shares || is_apart || load.random != Some(false) {
        return None;
    }
    let is_read = load.read_percent == Some(100.0);
    let (certainty, effect) = match (is_read, load.direct) {
        (true, Some(false)) => (Certainty::Shown, Effect::Elsewhere),
        _ => (Certainty::Shown, Effect::OtherLoad),
    };
    let verb = if is_read { "read" } else { "write" };
    Some(
        Said::new(
            certainty,
            effect,
            format!(
                "All {jobs:.0} jobs {verb} the same blocks of one file: a cache answers all \
                but the first."
            ),
        )
        .because(format!(
            "{jobs:.0} jobs {verb} {} from its start, each at the same offsets, and nothing \
                separates them.",
            load.target
        ))
        .remedy(
            "Give each job an area of its own (offset_increment) or a file of its own (no \
            filename).",
        )
        .by(&["command"])
        .decide(evidence, &[Change::OneJob]),
    )
}

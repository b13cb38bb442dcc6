//! Rules of what few jobs have: targets of unequal size, writes that are read back in between.

use super::Findings;
use crate::spec::fields::COMPAT;
use crate::spec::{Job, QueueScope, TargetOrder, Verify};
use crate::units::Bytes;

/// Sizes of targets that are not alike.
pub(super) fn check_sizes(job: &Job, findings: &mut Findings<'_>) {
    if job.compat().sizes.is_empty() {
        return;
    }
    let largest = job.largest_io();
    let least = Bytes(job.offset.0.saturating_add(largest.0));
    let alike = job.kinds.iter().all(|kind| kind.block_size == largest);
    let targets = job.targets.len();
    let (message, remedy) = if job.size.is_some() || job.window.is_some() {
        let message = "the targets have a size each, and one for all".to_owned();
        (message, "drop `size` and `window`, or `sizes`".to_owned())
    } else if job.compat().sizes.len() != targets {
        let message = format!(
            "there are {} sizes for {targets} targets",
            job.compat().sizes.len()
        );
        (message, "give one for each of `targets`".to_owned())
    } else if let Some(small) = job.compat().sizes.iter().find(|size| **size < least) {
        let message = format!("{small} does not hold one request of {largest}");
        (message, format!("make it at least {least}"))
    } else if !alike || job.threads > 1 {
        let message = "how often a target has its turn is not known beforehand".to_owned();
        (
            message,
            "one `block_size` for all kinds, and one thread".to_owned(),
        )
    } else {
        return;
    };
    findings.add("compat.sizes", message, remedy);
}

/// Turns of targets are those of requests that share a depth and are drawn.
pub(super) fn check_turns(job: &Job, findings: &mut Findings<'_>) {
    check_drawn(job, findings);
    if job.compat().target_order.is_none() {
        return;
    }
    if job.queue_scope != QueueScope::Shared || job.replay.is_some() || job.files.is_some() {
        findings.add(
            "compat.target_order",
            "targets have turns where requests are drawn and share a depth",
            "`queue_scope = \"shared\"`, without `replay` and `files`; or drop `target_order`",
        );
    }
}

/// Targets that are drawn have no passes, and shares that can be drawn.
fn check_drawn(job: &Job, findings: &mut Findings<'_>) {
    let is_drawn = job.compat().target_order == Some(TargetOrder::Drawn);
    if is_drawn && !job.compat().sizes.is_empty() {
        findings.add(
            "compat.target_order",
            "targets of a size each are left alone until all were used to their ends",
            "`size` instead of `sizes`, or drop `target_order`",
        );
    }
    let weights = &job.compat().target_weights;
    if weights.is_empty() {
        return;
    }
    let targets = job.targets.len();
    let (message, remedy) = if !is_drawn {
        let message = "only targets that are drawn have weights".to_owned();
        (
            message,
            "add `target_order = \"drawn\"`, or drop `target_weights`",
        )
    } else if weights.len() != targets {
        let message = format!("there are {} weights for {targets} targets", weights.len());
        (message, "give one for each of `targets`")
    } else if weights.iter().all(|weight| *weight == 0) {
        let message = "no target can be drawn".to_owned();
        (message, "give at least one of them a weight above 0")
    } else {
        return;
    };
    findings.add("compat.target_weights", message, remedy);
}

/// What is read back between the writes is what is read back at the end.
pub(super) fn check_backlog(job: &Job, findings: &mut Findings<'_>) {
    let reads_back = job.verify == Verify::ReadWritten && job.replay.is_none();
    if job.compat().verify_backlog.is_some() && !reads_back {
        findings.add(
            "compat.verify_backlog",
            "nothing of the job's own is read back",
            "use `verify = \"read_written\"`, without `replay`",
        );
    }
    let field = COMPAT.field("verify_backlog");
    if let Some(writes) = job
        .compat()
        .verify_backlog
        .filter(|writes| !field.allows((*writes).into()))
    {
        findings.add(
            "compat.verify_backlog",
            format!("a thread does not keep {writes} writes in mind"),
            format!(
                "{}; without it, all is read back at the end",
                field.range_in_words()
            ),
        );
    }
    if job.compat().verify_batch.is_some() && job.compat().verify_backlog.is_none() {
        findings.add(
            "compat.verify_batch",
            "nothing is read back between the writes",
            "give `verify_backlog` too, or drop it",
        );
    }
}

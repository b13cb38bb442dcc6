//! Rules of what few jobs have: targets that are drawn, writes that are read back in between.

use super::Findings;
use crate::spec::fields::COMPAT;
use crate::spec::{Job, QueueScope, TargetOrder, Verify};

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
}

//! Rules of which target has its turn.

use super::good::{job_breaks, job_is_fine};
use fathom_core::spec::{Job, QueueScope, TargetOrder};

/// Of two targets, of which any is drawn.
fn drawn(job: &mut Job, weights: &[u32]) {
    job.targets = vec!["/data/a".to_owned(), "/data/b".to_owned()];
    job.queue_scope = QueueScope::Shared;
    job.set_compat(|compat| compat.target_order = Some(TargetOrder::Drawn));
    job.set_compat(|compat| compat.target_weights = weights.to_vec());
}

#[test]
fn targets_that_are_drawn_have_weights_or_none() {
    job_is_fine(|job| drawn(job, &[]));
    job_is_fine(|job| drawn(job, &[0, 3]));
    job_breaks(
        |job| drawn(job, &[1, 2, 3]),
        (
            "compat.target_weights",
            "there are 3 weights for 2 targets",
            "give one for each of `targets`",
        ),
    );
    job_breaks(
        |job| drawn(job, &[0, 0]),
        (
            "compat.target_weights",
            "no target can be drawn",
            "give at least one of them a weight above 0",
        ),
    );
    job_breaks(
        |job| {
            drawn(job, &[1, 2]);
            job.set_compat(|compat| compat.target_order = None);
        },
        (
            "compat.target_weights",
            "only targets that are drawn have weights",
            "add `target_order = \"drawn\"`, or drop `target_weights`",
        ),
    );
}

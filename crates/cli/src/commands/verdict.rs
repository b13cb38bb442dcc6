//! What a finished run means for the exit status.

use crate::exit::Exit;
use fathom_core::result::{EndReason, JobResult, PhaseResult};

/// The most important of what happened in the phases.
pub(crate) fn exit_of(phases: &[PhaseResult]) -> Exit {
    phases.iter().map(exit_of_phase).max().unwrap_or(Exit::Ok)
}

fn exit_of_phase(phase: &PhaseResult) -> Exit {
    if phase.ended_by == EndReason::Errors || phase.jobs.iter().any(is_bad) {
        return Exit::IoErrors;
    }
    match phase.ended_by {
        EndReason::NotSteady | EndReason::Overloaded => Exit::LimitMissed,
        _ => Exit::Ok,
    }
}

fn is_bad(job: &JobResult) -> bool {
    // Errors of warm-up and cool-down are only in the list.
    job.failed > 0 || !job.errors.is_empty() || job.verified.is_some_and(|found| found.wrong > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_core::result::ProcessUse;
    use serde_json::json;

    fn phase(ended_by: &str, failed: u64, wrong: u64) -> PhaseResult {
        let job = json!({
            "name": "j", "active_ns": 1, "load_model": "closed", "targets": [], "threads": 1, "queue_depth": 1,
            "queue_depth_possible": 1, "queue_depth_held": 1.0, "submitted": 10,
            "completed": 10 - failed, "failed": failed, "workers": [],
            "verified": {"blocks": 8, "wrong": wrong},
        });
        let phase = json!({
            "name": "p", "repeat": 1, "start_ns": 0, "warm_up_ns": 0, "measured_ns": 1,
            "cool_down_ns": 0, "ended_by": ended_by, "jobs": [job], "intervals": [],
            "histogram_intervals": 1, "devices": [], "process": ProcessUse::default(),
        });
        serde_json::from_value(phase).unwrap()
    }

    #[test]
    fn the_worst_phase_counts() {
        let cases = [
            (vec![], Exit::Ok),
            (
                vec![phase("duration", 0, 0), phase("amount", 0, 0)],
                Exit::Ok,
            ),
            (vec![phase("not_steady", 0, 0)], Exit::LimitMissed),
            (
                vec![phase("overloaded", 0, 0), phase("steady", 0, 0)],
                Exit::LimitMissed,
            ),
            (vec![phase("interrupted", 1, 0)], Exit::IoErrors),
            (
                vec![phase("not_steady", 0, 0), phase("duration", 0, 1)],
                Exit::IoErrors,
            ),
            (
                vec![phase("errors", 0, 0), phase("not_steady", 0, 0)],
                Exit::IoErrors,
            ),
        ];
        for (phases, exit) in cases {
            assert_eq!(exit_of(&phases), exit);
        }
    }
}

//! What a finished run means for the exit status.

use crate::error::Problem;
use crate::exit::Exit;
use fathom_core::result::{
    ClusterReport, EndReason, JobResult, PhaseResult, RequirementOutcome, RunResult,
};
use fathom_core::spec::Workload;
use fathom_core::{Level, State};
use fathom_verdict::{Code, Requirement};

/// Caveats that say that the storage did not do what it was asked for.
const MISSED: [Code; 2] = [Code::NotSteady, Code::Overloaded];

/// The most important of what happened. A state worse than required is an end of its own; where
/// nothing is required, a run that was made is made whatever its state.
pub(crate) fn exit_of(result: &RunResult, required: &[Requirement]) -> Exit {
    // A note is no warning: a search overshoots on purpose.
    let doubts = result
        .caveats
        .iter()
        .filter(|caveat| caveat.level > Level::Note);
    let codes = doubts.filter_map(Code::of);
    let states = required.iter().filter_map(Requirement::state);
    let limits = required.iter().zip(&result.requirements);
    let limits = limits.filter(|(asked, _)| asked.state().is_none());
    let limits = limits.map(|(_, found)| match found.outcome {
        RequirementOutcome::Met => Exit::Ok,
        RequirementOutcome::Undecided => Exit::Undecided,
        RequirementOutcome::Missed => Exit::LimitMissed,
    });
    let limits = limits.max().unwrap_or(Exit::Ok);
    of(&result.phases, codes)
        .max(limits)
        .max(of_state(result.state, states.min()))
        .max(result.cluster.as_deref().map_or(Exit::Ok, of_cluster))
}

/// A measurement that lost members is another one than was asked for, whatever is required.
fn of_cluster(cluster: &ClusterReport) -> Exit {
    if cluster.finished() < cluster.members.len() {
        Exit::Doubtful
    } else {
        Exit::Ok
    }
}

/// Refuses a limit on a phase that none of the workloads has.
pub(crate) fn check_phases(
    required: &[Requirement],
    workloads: &[Workload],
) -> Result<(), Problem> {
    let phases = workloads.iter().flat_map(|workload| &workload.phases);
    let names: Vec<&str> = phases.map(|phase| phase.name.as_str()).collect();
    let unknown = required.iter().filter_map(Requirement::phase);
    match unknown.into_iter().find(|name| !names.contains(name)) {
        None => Ok(()),
        Some(name) => Err(
            Problem::new(Exit::Usage, format!("--require names no phase `{name}`"))
                .because(format!("the phases are {}", names.join(", ")))
                .remedy("use one of them, or no phase for all"),
        ),
    }
}

fn of_state(state: State, required: Option<State>) -> Exit {
    match required {
        Some(required) if state > required => match state {
            State::Invalid => Exit::Unfit,
            _ => Exit::Doubtful,
        },
        _ => Exit::Ok,
    }
}

fn of(phases: &[PhaseResult], mut caveats: impl Iterator<Item = Code>) -> Exit {
    let is_failed =
        |phase: &PhaseResult| phase.ended_by == EndReason::Errors || phase.jobs.iter().any(is_bad);
    if phases.iter().any(is_failed) {
        Exit::IoErrors
    } else if caveats.any(|code| MISSED.contains(&code)) {
        Exit::LimitMissed
    } else {
        Exit::Ok
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
            "name": "j", "active_ns": 1, "load_model": "closed", "targets": [], "threads": 1,
            "queue_depth": 1, "queue_depth_possible": 1, "queue_depth_held": 1.0, "submitted": 10,
            "completed": 10 - failed, "failed": failed, "workers": [],
            "verified": {"blocks": 8, "wrong": wrong},
        });
        let phase = json!({
            "name": "p", "repeat": 1, "start_ns": 0, "warm_up_ns": 0, "measured_ns": 1,
            "cool_down_ns": 0, "ended_by": ended_by, "jobs": [job], "intervals": [],
            "histogram_intervals": 1, "devices": [],
            "process": ProcessUse::default(),
        });
        serde_json::from_value(phase).unwrap()
    }

    #[test]
    fn a_state_counts_only_where_one_is_required() {
        use State::{Invalid, Qualified, Suspect, Valid};
        let cases = [
            (Invalid, None, Exit::Ok),
            (Valid, Some(Valid), Exit::Ok),
            (Qualified, Some(Valid), Exit::Doubtful),
            (Qualified, Some(Qualified), Exit::Ok),
            (Suspect, Some(Qualified), Exit::Doubtful),
            (Suspect, Some(Suspect), Exit::Ok),
            (Invalid, Some(Suspect), Exit::Unfit),
        ];
        for (state, required, exit) in cases {
            assert_eq!(of_state(state, required), exit, "{state:?} {required:?}");
        }
    }

    #[test]
    fn failures_weigh_more_than_limits() {
        let good = || phase("duration", 0, 0);
        let cases = [
            (vec![], vec![], Exit::Ok),
            (vec![good(), good()], vec![Code::ShortRun], Exit::Ok),
            (
                vec![good()],
                vec![Code::ShortRun, Code::NotSteady],
                Exit::LimitMissed,
            ),
            (vec![good()], vec![Code::Overloaded], Exit::LimitMissed),
            (
                vec![good(), phase("interrupted", 1, 0)],
                vec![],
                Exit::IoErrors,
            ),
            (
                vec![phase("duration", 0, 1)],
                vec![Code::Overloaded],
                Exit::IoErrors,
            ),
            (vec![phase("errors", 0, 0)], vec![], Exit::IoErrors),
        ];
        for (phases, caveats, exit) in cases {
            assert_eq!(of(&phases, caveats.iter().copied()), exit, "{caveats:?}");
        }
    }
}

//! A run for CI: its state, its I/O errors and each of its requirements is a case.

use crate::first_line::first_line;
use crate::formats::brief::blame_of_phases;
use crate::junit::{Case, End, JUnit};
use fathom_core::State;
use fathom_core::result::{RequirementCheck, RequirementOutcome, RequirementReport, RunResult};

pub(crate) fn render(result: &RunResult) -> String {
    suite(&result.provenance.workload.name, &[("", result)])
}

/// One document of several runs for CI, each with the words that name it.
pub fn suite(name: &str, runs: &[(&str, &RunResult)]) -> String {
    let started = runs
        .iter()
        .map(|(_, run)| run.provenance.started_at.as_str());
    JUnit {
        name: name.to_owned(),
        timestamp: started.min().unwrap_or_default().to_owned(),
        seconds: runs.iter().map(|(_, run)| seconds(run)).sum(),
        cases: runs
            .iter()
            .flat_map(|(label, run)| cases(label, run))
            .collect(),
    }
    .xml()
}

/// Seconds under load.
fn seconds(result: &RunResult) -> f64 {
    let phases = result.phases.iter();
    let ns = phases.map(|phase| phase.warm_up_ns + phase.measured_ns + phase.cool_down_ns);
    ns.sum::<u64>() as f64 / 1e9
}

fn cases(label: &str, result: &RunResult) -> Vec<Case> {
    let class = if label.is_empty() {
        result.provenance.workload.name.clone()
    } else {
        label.to_owned()
    };
    let case = |name: &str, seconds, end, told| Case {
        class: class.clone(),
        name: name.to_owned(),
        seconds,
        end,
        told,
    };
    let blames = blame_of_phases(result).into_iter();
    let told = blames.fold(reasons(result), |text, one| text + "\nblame: " + &one);
    let mut cases = vec![
        case("state", seconds(result), state(result), told),
        case("I/O errors", 0.0, errors(result), String::new()),
    ];
    for requirement in &result.requirements {
        let told = requirement.words();
        let end = match requirement.outcome {
            RequirementOutcome::Met => End::Passed,
            RequirementOutcome::Missed => End::Failed(worst(requirement)),
            RequirementOutcome::Undecided => End::Error(worst(requirement)),
        };
        cases.push(case(&requirement.text, 0.0, end, told));
    }
    cases
}

/// What decided the outcome.
fn worst(requirement: &RequirementReport) -> String {
    let decisive = requirement.checks.iter();
    let decisive = decisive.filter(|check| check.outcome == requirement.outcome);
    let words: Vec<String> = decisive.map(RequirementCheck::words).collect();
    if words.is_empty() {
        "the run has no such metric".to_owned()
    } else {
        words.join("; ")
    }
}

/// A number that describes something else is an error; a doubt is said, and fails where
/// `--require` says so.
fn state(result: &RunResult) -> End {
    if result.state == State::Invalid {
        End::Error(format!("{}: {}", result.state.word(), reasons(result)))
    } else {
        End::Passed
    }
}

fn reasons(result: &RunResult) -> String {
    let caveats = result.caveats.iter();
    let decisive = caveats.filter(|caveat| caveat.level.state() == result.state);
    let decisive = decisive.filter(|caveat| caveat.level.state() > State::Valid);
    let words = decisive.map(|caveat| format!("[{}] {}", caveat.code, caveat.message));
    let words: Vec<String> = words.collect();
    let first = first_line(result);
    if words.is_empty() {
        first
    } else {
        format!("{first}\n{}", words.join("; "))
    }
}

fn errors(result: &RunResult) -> End {
    let jobs = result.phases.iter().flat_map(|phase| &phase.jobs);
    let (mut failed, mut wrong) = (0, 0);
    for job in jobs {
        failed += job.failed + job.short();
        wrong += job.verified.as_ref().map_or(0, |found| found.wrong);
    }
    match (failed, wrong) {
        (0, 0) => End::Passed,
        _ => End::Failed(format!(
            "{failed} requests failed, {wrong} blocks were wrong"
        )),
    }
}

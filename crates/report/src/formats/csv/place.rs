//! The first columns of every table: which run, and where in it.

use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};

/// Names of the columns of a phase.
pub(super) const OF_PHASE: [&str; 7] = [
    "run_id", "workload", "origin", "state", "caveats", "phase", "repeat",
];

/// Their cells.
pub(super) fn of_phase(result: &RunResult, phase: &PhaseResult) -> Vec<String> {
    let mut codes: Vec<&str> = Vec::new();
    for caveat in &result.caveats {
        if !codes.contains(&caveat.code.as_str()) {
            codes.push(caveat.code.as_str());
        }
    }
    vec![
        result.run_id.clone(),
        result.provenance.workload.name.clone(),
        result.provenance.origin.word().to_owned(),
        result.state.word().to_lowercase(),
        codes.join(" "),
        phase.name.clone(),
        phase.repeat.to_string(),
    ]
}

/// The cells of an operation of a job.
pub(super) fn cells(result: &RunResult, phase: &PhaseResult, job: &str, op: Op) -> Vec<String> {
    let mut cells = of_phase(result, phase);
    cells.extend([job.to_owned(), op.name().to_owned()]);
    cells
}

/// The header of a table of operations that has `more` columns.
pub(super) fn header<'a>(more: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let all = OF_PHASE.into_iter().chain(["job", "op"]).chain(more);
    all.map(str::to_owned).collect()
}

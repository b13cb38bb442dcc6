//! The first columns of every table: which run, and where in it.

use fathom_core::Op;
use fathom_core::result::{PhaseResult, RunResult};

/// Names of the columns.
pub(super) const HEADER: [&str; 9] = [
    "run_id", "workload", "origin", "state", "caveats", "phase", "repeat", "job", "op",
];

/// Their cells.
pub(super) fn cells(result: &RunResult, phase: &PhaseResult, job: &str, op: Op) -> Vec<String> {
    let mut codes: Vec<&str> = Vec::new();
    for caveat in &result.caveats {
        if !codes.contains(&caveat.code.as_str()) {
            codes.push(&caveat.code);
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
        job.to_owned(),
        op.name().to_owned(),
    ]
}

/// The header of a table that has `more` columns.
pub(super) fn header<'a>(more: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let all = HEADER.into_iter().chain(more);
    all.map(str::to_owned).collect()
}

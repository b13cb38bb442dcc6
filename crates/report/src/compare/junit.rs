//! A comparison for CI: each declared number is a case.

use super::{number, place};
use crate::junit::{Case, End, JUnit};
use fathom_verdict::compare::{Comparison, GateOutcome};

/// Without a gate nothing fails but what may not be compared, as with the exit status.
pub(super) fn render(comparison: &Comparison) -> String {
    let mut cases = Vec::new();
    for contrast in &comparison.contrasts {
        for row in contrast.rows.iter().filter(|row| row.declared) {
            let gate = comparison.gate.as_ref().and_then(|gate| {
                gate.rows.iter().find(|one| {
                    (&one.label, &one.place, one.metric)
                        == (&contrast.label, &row.place, row.metric)
                })
            });
            let end = match (&contrast.refusal, gate.map(|gate| &gate.outcome)) {
                (Some(refusal), _) => End::Error(format!("not comparable: {refusal}")),
                (None, Some(GateOutcome::Regression)) => End::Failed(row.sentence.clone()),
                (None, Some(GateOutcome::Undecided(why))) => End::Error(why.clone()),
                (None, None | Some(GateOutcome::Pass)) => End::Passed,
            };
            cases.push(Case {
                class: format!("{} against A: {}", contrast.label, place(row)),
                name: number(row),
                seconds: 0.0,
                end,
                told: comparison.first_line(&format!(
                    "A {}, {} {}: {}: {}",
                    row.metric.figure(row.base),
                    contrast.label,
                    row.metric.figure(row.other),
                    row.verdict.words(),
                    row.sentence
                )),
            });
        }
    }
    // A gate that came to nothing as a whole would else be a document without cases: a pass.
    if let Some(gate) = comparison.gate.as_ref().filter(|gate| gate.rows.is_empty()) {
        cases.push(Case {
            class: "gate".to_owned(),
            name: "gate".to_owned(),
            seconds: 0.0,
            end: End::Error(gate.words()),
            told: String::new(),
        });
    }
    let names: Vec<&str> = comparison
        .sides
        .iter()
        .map(|side| side.name.as_str())
        .collect();
    let started = comparison.sides.iter().flat_map(|side| &side.runs);
    let started = started.map(|run| run.started_at.as_str()).min();
    JUnit {
        name: format!("compare {}", names.join(" | ")),
        timestamp: started.unwrap_or_default().to_owned(),
        seconds: 0.0,
        cases,
    }
    .xml()
}

//! A contrast as sentences, for formats with a layout of their own.

use super::{number, place};
use fathom_core::State;
use fathom_core::figure::plural;
use fathom_verdict::compare::{Contrast, FactorRole, Side};

/// What a side is: its name, its runs, where their numbers come from, and the worst state.
pub(crate) fn side(side: &Side) -> String {
    let worst = side.runs.iter().map(|run| run.state).max();
    let worst = worst.unwrap_or(State::Invalid).word();
    let name = &side.name;
    match &side.runs[..] {
        [run] => format!("{name}: {}, {}, {worst}", run.run_id, side.origins.word()),
        runs if side.origins.word() == "mixed" => {
            let runs = plural(runs.len() as u64, "run");
            format!("{name}: {runs} ({}), {worst}", side.origins.counted())
        }
        runs => {
            let runs = plural(runs.len() as u64, "run");
            format!("{name}: {runs}, {}, {worst}", side.origins.word())
        }
    }
}

/// What to know about it: remarks, and what differs apart from the result.
pub(crate) fn remarks(contrast: &Contrast, base: &str, other: &str) -> Vec<String> {
    let factors = contrast.factors.iter().map(|factor| {
        let role = match factor.role {
            FactorRole::Expected => "under test",
            FactorRole::Blocks => "prevents a comparison",
            FactorRole::Noted => "differs",
        };
        format!(
            "{role}: {}: {} in {base}, {} in {other}",
            factor.name, factor.base, factor.other
        )
    });
    contrast.remarks.iter().cloned().chain(factors).collect()
}

/// The declared verdicts, each with its sentence; none where all are refused for one reason.
pub(crate) fn verdicts(contrast: &Contrast) -> Vec<(&'static str, String)> {
    if contrast.refusal.is_some() {
        return Vec::new();
    }
    let declared = contrast.rows.iter().filter(|row| row.declared);
    let verdict = |row: &fathom_verdict::compare::NumberContrast| {
        let text = format!("{} {}: {}", place(row), number(row), row.sentence);
        (row.verdict.words(), text)
    };
    declared.map(verdict).collect()
}

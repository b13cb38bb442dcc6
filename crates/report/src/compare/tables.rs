//! A contrast as sentences, for formats with a layout of their own.

use super::{number, place};
use fathom_core::State;
use fathom_core::figure::plural;
use fathom_verdict::compare::{Contrast, FactorRole, Side};

/// What a side is: its name, its runs, where their numbers come from, and the worst state.
pub(crate) fn side(side: &Side) -> String {
    format!("{}: {}", side.name, facts(side))
}

/// The same without the name.
pub(crate) fn facts(side: &Side) -> String {
    let worst = side.runs.iter().map(|run| run.state).max();
    let worst = worst.unwrap_or(State::Invalid).word();
    let origin = side.origins.word();
    let count = plural(side.runs.len() as u64, "run");
    match &side.runs[..] {
        [run] => format!("{}, {origin}, {worst}", run.run_id),
        _ if origin == "mixed" => format!("{count} ({}), {worst}", side.origins.counted()),
        _ => format!("{count}, {origin}, {worst}"),
    }
}

/// What differs and neither prevents the comparison nor is under test.
pub(crate) fn noted(contrast: &Contrast) -> Vec<String> {
    let factors = contrast.factors.iter();
    let noted = factors.filter(|factor| factor.role == FactorRole::Noted);
    noted
        .map(|factor| format!("differs: {}", super::text::factor_words(factor, contrast)))
        .collect()
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

//! A contrast as labels, sentences and one table, for forms with a layout of their own.

use super::{changes, number, place};
use crate::table::{Align, Table};
use fathom_verdict::compare::{Contrast, FactorRole};

/// The numbers of a contrast, the base before the other.
pub(crate) fn table(contrast: &Contrast, base: &str, other: &str) -> Table {
    let mut table = Table::default();
    table.column("place", Align::Left);
    table.column("number", Align::Left);
    table.column(base, Align::Right);
    table.column(other, Align::Right);
    table.column("change", Align::Right);
    table.column("interval", Align::Right);
    table.column("verdict", Align::Left);
    for row in &contrast.rows {
        let (change, interval) = changes(row);
        let verdict = row.verdict.words();
        table.row(vec![
            place(row),
            number(row),
            row.metric.figure(row.base),
            row.metric.figure(row.other),
            change,
            interval,
            if row.declared {
                verdict.to_owned()
            } else {
                format!("{} (exploratory)", verdict.to_lowercase())
            },
        ]);
    }
    table
}

/// What to know about it: remarks, and what differs beside the result.
pub(crate) fn remarks(contrast: &Contrast, base: &str, other: &str) -> Vec<String> {
    let factors = contrast.factors.iter().map(|factor| {
        let role = match factor.role {
            FactorRole::Expected => "under test",
            FactorRole::Blocks => "stands in the way",
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

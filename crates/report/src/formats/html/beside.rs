//! Several runs in one table: a column for each, under a number what every run has of it.

use crate::compare::joined::{Joined, joined, verdict};
use crate::compare::{brief, changes, number, place, ratio_note};
use fathom_verdict::compare::{Comparison, Contrast, NumberContrast, Verdict};

/// The table.
#[derive(Debug)]
pub(super) struct BesideView {
    /// What to know about the verdicts: the same as below those of the text.
    pub(super) cautions: Vec<String>,
    /// How to read the table.
    pub(super) notes: Vec<String>,
    /// The first side, which the others stand against.
    pub(super) base: String,
    pub(super) others: Vec<BesideHead>,
    /// What was asked for, and the tails.
    pub(super) rows: Vec<BesideRow>,
    /// The other numbers.
    pub(super) rest: Vec<BesideRow>,
}

/// The head of a run's column.
#[derive(Debug)]
pub(super) struct BesideHead {
    pub(super) label: String,
    /// Why there are no verdicts, in two words.
    pub(super) refusal: &'static str,
}

/// One number of all runs.
#[derive(Debug)]
pub(super) struct BesideRow {
    /// Empty where it is that of the row above.
    pub(super) place: String,
    pub(super) number: String,
    pub(super) base: String,
    /// None where a run has no such number.
    pub(super) cells: Vec<Option<BesideCell>>,
}

/// What one run has of it.
#[derive(Debug)]
pub(super) struct BesideCell {
    pub(super) figure: String,
    pub(super) change: String,
    pub(super) interval: String,
    pub(super) verdict: String,
    /// Names the colour of the verdict.
    pub(super) class: &'static str,
}

impl BesideView {
    /// Of a comparison of sides with these names.
    pub(super) fn of(comparison: &Comparison, names: &[String]) -> Self {
        let head = |(contrast, name): (&Contrast, &String)| BesideHead {
            label: name.clone(),
            refusal: contrast
                .refusal
                .as_ref()
                .map_or("", |_| Verdict::NotComparable.words()),
        };
        let base = names.first().cloned().unwrap_or_default();
        let others = comparison.contrasts.iter().zip(names.iter().skip(1));
        let all = joined(comparison);
        let is_first = |one: &&Joined<'_>| one.is_declared() || one.first.metric.name() == "p99";
        let (first, rest): (Vec<&Joined<'_>>, Vec<_>) = all.iter().partition(is_first);
        Self {
            cautions: brief::cautions(comparison),
            notes: notes(comparison),
            base,
            others: others.map(head).collect(),
            rows: rows(&first, &phases(&all), comparison),
            rest: rows(&rest, &phases(&all), comparison),
        }
    }
}

fn notes(comparison: &Comparison) -> Vec<String> {
    let base = comparison.sides.first().map_or("A", |side| &side.label);
    let rows = comparison.contrasts.iter().flat_map(|one| &one.rows);
    let confidence = brief::confidence(comparison, rows);
    let mut notes = vec![format!(
        "The changes, their {confidence} intervals and the verdicts are those against {base}. \
         · marks numbers that are not the decision metric."
    )];
    for note in comparison.contrasts.iter().filter_map(ratio_note) {
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
    notes
}

/// The phases in their order, which have numbers in the drawing; none of a single one.
fn phases<'a>(numbers: &'a [Joined<'_>]) -> Vec<&'a str> {
    let mut phases: Vec<&str> = Vec::new();
    for one in numbers {
        let phase = one.first.place.phase.as_str();
        if !phases.contains(&phase) {
            phases.push(phase);
        }
    }
    if phases.len() < 2 {
        phases.clear();
    }
    phases
}

fn rows(numbers: &[&Joined<'_>], phases: &[&str], comparison: &Comparison) -> Vec<BesideRow> {
    let mut last = String::new();
    let mut rows = Vec::new();
    for one in numbers {
        let phase = one.first.place.phase.as_str();
        let here = match phases.iter().position(|known| *known == phase) {
            Some(index) => format!("{} {}", index + 1, place(one.first)),
            None => place(one.first),
        };
        let cells = one.others.iter().zip(&comparison.contrasts);
        let cells = cells.map(|(row, contrast)| Some(cell((*row)?, contrast)));
        rows.push(BesideRow {
            place: if here == last {
                String::new()
            } else {
                here.clone()
            },
            number: number(one.first),
            base: one.first.metric.figure(one.first.base),
            cells: cells.collect(),
        });
        last = here;
    }
    rows
}

fn cell(row: &NumberContrast, contrast: &Contrast) -> BesideCell {
    let (change, interval) = changes(row);
    let is_judged = contrast.refusal.is_none();
    BesideCell {
        figure: row.metric.figure(row.other),
        change,
        interval,
        verdict: if is_judged {
            verdict(row)
        } else {
            String::new()
        },
        class: match row.verdict {
            Verdict::Faster if is_judged && row.declared => "better",
            Verdict::Slower if is_judged && row.declared => "worse",
            _ => "",
        },
    }
}

//! Several runs in one table: a column for each, under a number what every run has of it.

use super::NamedRun;
use crate::compare::brief::headline;
use crate::compare::joined::{Joined, joined, verdict};
use crate::compare::{changes, number, place};
use fathom_verdict::compare::{Comparison, Contrast, NumberContrast, Verdict};

/// The table.
#[derive(Debug)]
pub(super) struct BesideView {
    /// Of two runs how the questions were answered, else empty.
    pub(super) verdict: String,
    /// The first run, which the others stand against.
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
    /// Of a comparison of `runs`.
    pub(super) fn of(comparison: &Comparison, runs: &[NamedRun<'_>]) -> Self {
        let head = |(contrast, run): (&Contrast, &NamedRun<'_>)| BesideHead {
            label: run.label.to_owned(),
            refusal: contrast
                .refusal
                .as_ref()
                .map_or("", |_| Verdict::NotComparable.words()),
        };
        let others = comparison.contrasts.iter().zip(&runs[1..]);
        let all = joined(comparison);
        let is_first = |one: &&Joined<'_>| one.is_declared() || one.first.metric.name() == "p99";
        let (first, rest): (Vec<&Joined<'_>>, Vec<_>) = all.iter().partition(is_first);
        let verdict = match &comparison.contrasts[..] {
            [only] => comparison.first_line(&headline(only).1),
            _ => comparison.warning().unwrap_or_default(),
        };
        Self {
            verdict,
            base: runs[0].label.to_owned(),
            others: others.map(head).collect(),
            rows: rows(&first, &phases(&all), comparison),
            rest: rows(&rest, &phases(&all), comparison),
        }
    }
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

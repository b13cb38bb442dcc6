//! Several sides in one table: what each has of a number, the base first.

use super::{changes, number, place, probability};
use crate::table::{Align, Table};
use fathom_core::SmallSort as _;
use fathom_core::figure::percent;
use fathom_verdict::compare::{Comparison, NumberContrast};

/// A number with what each side has of it.
#[derive(Debug)]
pub(crate) struct Joined<'a> {
    /// The row of the first side that has the number: its place, its metric, the base's value.
    pub(crate) first: &'a NumberContrast,
    /// One for each side but the base; none where it has no such number.
    pub(crate) others: Vec<Option<&'a NumberContrast>>,
}

/// All numbers of a comparison, each once, in the order in which they first come.
pub(crate) fn joined(comparison: &Comparison) -> Vec<Joined<'_>> {
    let mut all: Vec<Joined<'_>> = Vec::new();
    let count = comparison.contrasts.len();
    for (index, contrast) in comparison.contrasts.iter().enumerate() {
        for row in &contrast.rows {
            let is_same = |one: &&mut Joined<'_>| {
                one.first.place == row.place && one.first.metric == row.metric
            };
            if let Some(known) = all.iter_mut().find(is_same) {
                known.others[index] = Some(row);
            } else {
                let mut others = vec![None; count];
                others[index] = Some(row);
                all.push(Joined { first: row, others });
            }
        }
    }
    // What only a later side shares with the base is next to its own place and not at the end.
    let places = all.iter().map(|one| &one.first.place);
    let places: Vec<_> = places.fold(Vec::new(), |mut places, place| {
        if !places.contains(&place) {
            places.push(place);
        }
        places
    });
    all.small_sort_by_key(|one| places.iter().position(|place| **place == one.first.place));
    all
}

impl Joined<'_> {
    /// Whether it was asked for; else it is exploratory.
    pub(crate) fn is_declared(&self) -> bool {
        self.first.declared
    }
}

/// The rows of all sides under each number: for the formats that go downwards.
pub(super) fn table(comparison: &Comparison) -> Table {
    let confidence = percent((1.0 - comparison.limits.alpha) * 100.0);
    let mut table = Table::default();
    table.column("", Align::Left);
    table.column("number", Align::Left);
    table.column("run", Align::Left);
    table.column("value", Align::Right);
    table.column("to A", Align::Right);
    table.column(format!("{confidence} interval"), Align::Right);
    table.spare_column("p", Align::Right, 1);
    table.column("verdict", Align::Left);
    let mut last = String::new();
    for one in joined(comparison) {
        let here = place(one.first);
        let shown = if here == last { "" } else { here.as_str() };
        let base = one.first.metric.figure(one.first.base);
        let base_label = comparison.sides.first().map_or("A", |side| &side.label);
        table.row(vec![
            shown.to_owned(),
            number(one.first),
            base_label.to_owned(),
            base,
        ]);
        for (contrast, row) in comparison.contrasts.iter().zip(&one.others) {
            let mut cells = vec![String::new(), String::new(), contrast.label.clone()];
            match row {
                Some(row) => cells.extend(row_cells(row)),
                None => cells.push("--".to_owned()),
            }
            table.row(cells);
        }
        last = here;
    }
    table
}

fn row_cells(row: &NumberContrast) -> [String; 5] {
    let (change, interval) = changes(row);
    let p = row.p_adjusted.map_or_else(String::new, probability);
    [
        row.metric.figure(row.other),
        change,
        interval,
        p,
        verdict(row),
    ]
}

/// The verdict of a row; what was not asked for in small letters.
pub(crate) fn verdict(row: &NumberContrast) -> String {
    if row.declared {
        row.verdict.words().to_owned()
    } else {
        format!("· {}", row.verdict.words().to_lowercase())
    }
}

/// Texts of sides, each once with the labels of those that it is said of.
pub(super) fn together(texts: impl IntoIterator<Item = (String, String)>) -> Vec<String> {
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for (label, text) in texts {
        match all.iter_mut().find(|(known, _)| *known == text) {
            Some((_, labels)) => labels.push(label),
            None => all.push((text, vec![label])),
        }
    }
    let words = all.into_iter();
    words
        .map(|(text, labels)| format!("{}: {text}", labels.join(", ")))
        .collect()
}

//! A matrix as one file for a browser: a heat map that is a table. It has no script and fetches
//! nothing.

use super::tables::{self, Interval};
use crate::assets::{MATRIX_STYLE, STYLE, style_policy};
use crate::formats::html::view::TableView;
use crate::table::Table;
use askama::Template;
use fathom_verdict::compare::{Matrix, Metric};

/// Shades of the heat map, from the worst of a row to its best.
const SHADES: [&str; 6] = [
    "number heat0",
    "number heat1",
    "number heat2",
    "number heat3",
    "number heat4",
    "number heat5",
];

#[derive(Template)]
#[template(path = "matrix.html")]
struct View {
    headline: String,
    policy: String,
    style: &'static str,
    matrix_style: &'static str,
    sections: Vec<Section>,
    notes: Vec<String>,
    version: String,
}

struct Section {
    title: String,
    table: TableView,
}

/// The matrix as a page; `version` is who wrote it.
///
/// # Panics
///
/// Never: the template writes to memory.
pub fn matrix_page(matrix: &Matrix, version: &str) -> String {
    let mut sections = Vec::new();
    for index in 0..matrix.metrics.len() {
        let metric = matrix.metrics[index];
        let title = tables::title(metric);
        let best = if metric.is_rate() {
            "highest"
        } else {
            "lowest"
        };
        let table = tables::table(matrix, index, Interval::Ends);
        let note =
            format!("The {best} value of a row has the full colour; the scale is logarithmic.");
        let shade = |row, column| shade(matrix, metric, index, row, column);
        sections.push(section(title.clone(), &table, vec![note], shade));
        if let Some(ratios) = tables::ratios(matrix, index) {
            let against = format!("{title} against {}", matrix.columns[0].name);
            sections.push(section(against, &ratios, Vec::new(), |_, _| None));
        }
    }
    let view = View {
        headline: tables::headline(matrix),
        policy: style_policy(),
        style: STYLE.text,
        matrix_style: MATRIX_STYLE.text,
        sections,
        notes: tables::notes(matrix),
        version: version.to_owned(),
    };
    view.render().expect("a template of ours writes to memory")
}

/// A table whose cells have shades; these are asked for by row, and by column from the last.
fn section(
    title: String,
    table: &Table,
    notes: Vec<String>,
    shade: impl Fn(usize, usize) -> Option<usize>,
) -> Section {
    let mut table = TableView::of(&title, table, notes);
    for (row, cells) in table.rows.iter_mut().enumerate() {
        for (from_end, (_, class)) in cells.iter_mut().rev().enumerate() {
            if let Some(shade) = shade(row, from_end) {
                *class = SHADES[shade];
            }
        }
    }
    Section { title, table }
}

/// How good a cell is within its row, 0 to 5; `from_end` counts the columns from the last.
fn shade(
    matrix: &Matrix,
    metric: Metric,
    index: usize,
    row: usize,
    from_end: usize,
) -> Option<usize> {
    let cells = &matrix.rows[row].cells;
    let value = |column: usize| Some(cells.get(column)?.as_ref()?.numbers[index]?.value.ln());
    let own = value(cells.len().checked_sub(from_end + 1)?)?;
    let all: Vec<f64> = (0..cells.len()).filter_map(value).collect();
    let least = all.iter().copied().fold(f64::INFINITY, f64::min);
    let most = all.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most <= least {
        return None;
    }
    let place = (own - least) / (most - least);
    let place = if metric.is_rate() { place } else { 1.0 - place };
    Some((place * (SHADES.len() - 1) as f64).round() as usize)
}

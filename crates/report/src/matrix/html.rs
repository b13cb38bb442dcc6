//! A matrix as one file for a browser: a heat map that is a table. It has no script and fetches
//! nothing.

use super::tables::{self, Interval};
use crate::assets::{MATRIX_STYLE, STYLE, style_policy};
use crate::table::{Align, Table};
use askama::Template;
use fathom_verdict::compare::{Matrix, Metric};

/// Shades of the heat map, from the worst of a row to its best.
const SHADES: f64 = 6.0;

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
    note: String,
    heads: Vec<(String, &'static str)>,
    rows: Vec<Vec<(String, String)>>,
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
        sections.push(Section {
            note: format!(
                "The {best} value of a row has the full colour; the scale is logarithmic."
            ),
            ..section(
                title.clone(),
                &tables::table(matrix, index, Interval::Ends),
                |row, column| shade(matrix, metric, index, row, column),
            )
        });
        if let Some(ratios) = tables::ratios(matrix, index) {
            let against = format!("{title} against {}", matrix.columns[0].name);
            sections.push(section(against, &ratios, |_, _| None));
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

/// A table with a class for each cell.
fn section(title: String, table: &Table, shade: impl Fn(usize, usize) -> Option<u32>) -> Section {
    let heads: Vec<(String, &'static str)> = table
        .headers()
        .map(|(head, align)| (head.to_owned(), class(align)))
        .collect();
    let rows = table.rows().iter().enumerate().map(|(row, cells)| {
        let cells = cells.iter().zip(&heads).enumerate();
        cells
            .map(|(column, (cell, (_, class)))| {
                // Columns of the matrix stand at the end of the table.
                let place = shade(row, heads.len() - 1 - column);
                let heat = place.map_or_else(String::new, |shade| format!(" heat{shade}"));
                (cell.clone(), format!("{class}{heat}"))
            })
            .collect()
    });
    Section {
        title,
        note: String::new(),
        rows: rows.collect(),
        heads,
    }
}

const fn class(align: Align) -> &'static str {
    match align {
        Align::Left => "words",
        Align::Right => "number",
    }
}

/// How good a cell is within its row, 0 to 5; `from_end` counts the columns from the last.
fn shade(
    matrix: &Matrix,
    metric: Metric,
    index: usize,
    row: usize,
    from_end: usize,
) -> Option<u32> {
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
    Some((place * (SHADES - 1.0)).round() as u32)
}

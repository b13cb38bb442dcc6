//! For people, in a terminal.

use super::tables::{self, Interval};
use crate::format::TextOptions;
use crate::page::Page;
use fathom_verdict::compare::Matrix;

pub(super) fn brief(matrix: &Matrix, options: TextOptions) -> String {
    render(matrix, options, Interval::Margin)
}

pub(super) fn full(matrix: &Matrix, options: TextOptions) -> String {
    render(matrix, options, Interval::Ends)
}

fn render(matrix: &Matrix, options: TextOptions, interval: Interval) -> String {
    let mut page = Page::new(options);
    page.entry("matrix", &tables::headline(matrix));
    for index in 0..matrix.metrics.len() {
        let title = tables::title(matrix.metrics[index]);
        page.heading(&title);
        page.table(&tables::table(matrix, index, interval));
        if let Some(ratios) = tables::ratios(matrix, index) {
            page.heading(&format!("{title} against {}", matrix.columns[0].name));
            page.table(&ratios);
        }
    }
    page.blank();
    for note in tables::notes(matrix) {
        page.footnote(&note);
    }
    page.finish()
}

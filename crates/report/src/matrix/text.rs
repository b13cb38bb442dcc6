//! For people, in a terminal.

use super::tables::{self, Interval};
use crate::page::Page;
use crate::text_options::TextOptions;
use fathom_verdict::compare::Matrix;

pub(super) fn brief(matrix: &Matrix, options: TextOptions) -> String {
    let mut page = Page::new(options);
    page.entry("matrix", &tables::headline(matrix));
    for index in 0..matrix.metrics.len() {
        let title = tables::title(matrix.metrics[index]);
        page.heading(&title);
        if let Some(table) = tables::both(matrix, index) {
            page.table(&table);
            continue;
        }
        page.table(&tables::table(matrix, index, Interval::Margin));
        // The others are as far apart, and `--full` has theirs.
        if index == 0 {
            against(&mut page, matrix, index);
        }
    }
    finish(page, matrix)
}

pub(super) fn full(matrix: &Matrix, options: TextOptions) -> String {
    let mut page = Page::new(options);
    page.entry("matrix", &tables::headline(matrix));
    for index in 0..matrix.metrics.len() {
        let title = tables::title(matrix.metrics[index]);
        page.heading(&title);
        page.table(&tables::table(matrix, index, Interval::Ends));
        against(&mut page, matrix, index);
    }
    finish(page, matrix)
}

/// Each column against the first.
fn against(page: &mut Page, matrix: &Matrix, index: usize) {
    let Some(ratios) = tables::ratios(matrix, index) else {
        return;
    };
    let title = tables::title(matrix.metrics[index]);
    page.heading(&format!("{title} against {}", matrix.columns[0].name));
    page.table(&ratios);
}

fn finish(mut page: Page, matrix: &Matrix) -> String {
    page.blank();
    for note in tables::notes(matrix) {
        page.footnote(&note);
    }
    page.finish()
}

//! For tickets: a table for each number.

use super::tables::{self, Interval};
use crate::markdown;
use fathom_verdict::compare::Matrix;

pub(super) fn render(matrix: &Matrix) -> String {
    let mut text = markdown::escape(&tables::headline(matrix)) + "\n";
    for index in 0..matrix.metrics.len() {
        let title = tables::title(matrix.metrics[index]);
        text += &format!("\n### {title}\n\n");
        markdown::table(&tables::table(matrix, index, Interval::Margin), &mut text);
        if let Some(ratios) = tables::ratios(matrix, index) {
            let against = markdown::escape(&matrix.columns[0].name);
            text += &format!("\n### {title} against {against}\n\n");
            markdown::table(&ratios, &mut text);
        }
    }
    text.push('\n');
    for note in tables::notes(matrix) {
        text += &format!("* {}\n", markdown::escape(&note));
    }
    text
}

//! A row for each number of each cell, as docs/compare.md lists the columns.

use crate::sheet::Sheet;
use fathom_verdict::compare::Matrix;
use fathom_verdict::stats::Shift;

const HEADS: [&str; 16] = [
    "workload",
    "phase",
    "job",
    "op",
    "block_size",
    "column",
    "state",
    "runs",
    "metric",
    "value",
    "low",
    "high",
    "ratio",
    "ratio_low",
    "ratio_high",
    "origin",
];

pub(super) fn render(matrix: &Matrix) -> String {
    let mut sheet = Sheet::new(HEADS);
    for line in lines(matrix) {
        sheet.push(line);
    }
    sheet.finish()
}

fn lines(matrix: &Matrix) -> Vec<[String; 16]> {
    let told = |number: Option<f64>| number.map_or_else(String::new, |one| one.to_string());
    let mut lines = Vec::new();
    for row in &matrix.rows {
        for (column, cell) in matrix.columns.iter().zip(&row.cells) {
            let Some(cell) = cell else { continue };
            for (metric, number) in matrix.metrics.iter().zip(&cell.numbers) {
                let Some(number) = number else { continue };
                let ratio = |part: fn(&Shift) -> f64| told(number.ratio.as_ref().map(part));
                lines.push([
                    row.workload.clone(),
                    row.place.phase.clone(),
                    row.place.job.clone(),
                    row.place.op.name().to_owned(),
                    row.block_size.clone(),
                    column.name.clone(),
                    cell.state.word().to_lowercase(),
                    cell.runs.to_string(),
                    metric.name().to_owned(),
                    number.value.to_string(),
                    told(number.low),
                    told(number.high),
                    ratio(|one| one.estimate),
                    ratio(|one| one.low),
                    ratio(|one| one.high),
                    column.origins.word().to_owned(),
                ]);
            }
        }
    }
    lines
}

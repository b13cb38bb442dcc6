//! One row for each number, units in the names of the columns of the table in docs/compare.md.

use crate::sheet::Sheet;
use fathom_verdict::compare::{Comparison, Contrast, NumberContrast};

const HEADS: [&str; 18] = [
    "side",
    "phase",
    "job",
    "op",
    "metric",
    "declared",
    "base",
    "other",
    "ratio",
    "low",
    "high",
    "confidence",
    "p",
    "p_adjusted",
    "verdict",
    "sentence",
    "origin",
    "base_origin",
];

pub(super) fn render(comparison: &Comparison) -> String {
    let mut sheet = Sheet::new(HEADS);
    for contrast in &comparison.contrasts {
        if let Some(refusal) = &contrast.refusal {
            sheet.push(refused(comparison, contrast, refusal));
        }
        for row in &contrast.rows {
            sheet.push(line(comparison, contrast, row));
        }
    }
    sheet.finish()
}

fn refused(comparison: &Comparison, contrast: &Contrast, refusal: &str) -> [String; 18] {
    let mut line = [const { String::new() }; 18];
    line[0].push_str(&contrast.label);
    line[14].push_str("NOT COMPARABLE");
    line[15].push_str(refusal);
    let [own, base] = origins(comparison, contrast);
    line[16].push_str(&own);
    line[17].push_str(&base);
    line
}

/// Where the numbers of a side and of the base come from.
fn origins(comparison: &Comparison, contrast: &Contrast) -> [String; 2] {
    let own = comparison
        .sides
        .iter()
        .find(|side| side.label == contrast.label);
    [own, comparison.sides.first()]
        .map(|side| side.map_or("", |side| side.origins.word()).to_owned())
}

fn line(comparison: &Comparison, contrast: &Contrast, row: &NumberContrast) -> [String; 18] {
    let shift = |part: fn(&fathom_verdict::stats::Shift) -> f64| {
        row.ratio
            .as_ref()
            .map(part)
            .map_or_else(String::new, |number| number.to_string())
    };
    let [origin, base_origin] = origins(comparison, contrast);
    [
        contrast.label.clone(),
        row.place.phase.clone(),
        row.place.job.clone(),
        row.place.op.name().to_owned(),
        row.metric.name().to_owned(),
        row.declared.to_string(),
        row.base.to_string(),
        row.other.to_string(),
        row.ratio
            .map(|ratio| ratio.estimate)
            .or_else(|| super::plain_change(row))
            .map_or_else(String::new, |ratio| ratio.to_string()),
        shift(|ratio| ratio.low),
        shift(|ratio| ratio.high),
        shift(|ratio| ratio.confidence),
        shift(|ratio| ratio.p),
        row.p_adjusted.map_or_else(String::new, |p| p.to_string()),
        row.verdict.words().to_owned(),
        row.sentence.clone(),
        origin,
        base_origin,
    ]
}

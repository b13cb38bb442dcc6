//! Comparisons to bytes: the formats in which a [`Comparison`] leaves Fathom.

pub(crate) mod brief;
mod csv;
pub(crate) mod joined;
mod junit;
mod markdown;
pub(crate) mod tables;
mod text;

use crate::format_of::FormatOf;
use crate::json_text::json_text;
use fathom_core::figure;
use fathom_core::rows;
use fathom_verdict::compare::{Comparison, Contrast, Design, NumberContrast};

/// A format of a comparison.
pub type ComparisonFormat = FormatOf<Comparison>;

/// All formats, the one for people first.
pub static COMPARISON_FORMATS: &[ComparisonFormat] = rows! { ComparisonFormat;
    new("brief", "verdict on the decision metric, on one screen", brief::render);
    new("text", "all details: the verdicts, then the numbers", text::render);
    new("json", "complete result for programs, with a version",
        |comparison, _| json_text(comparison));
    new("markdown", "verdicts and one table, for tickets and CI summaries",
        |comparison, _| markdown::render(comparison));
    new("junit", "each requested metric as a JUnit test case, for CI",
        |comparison, _| junit::render(comparison));
    new("csv", "flat table: one row per metric", |comparison, _| csv::render(comparison));
};

/// `+3.7 %`: other over base as a change.
fn change(ratio: f64) -> String {
    let change = figure::decimal((ratio - 1.0) * 100.0, 1);
    match change.as_str() {
        "0.0" => "0.0 %".to_owned(),
        below if below.starts_with('-') => format!("{below} %"),
        _ => format!("+{change} %"),
    }
}

/// The change of a row and its interval; without one the change in the figures.
pub(crate) fn changes(row: &NumberContrast) -> (String, String) {
    match row.ratio {
        Some(ratio) => {
            let interval = format!("{} … {}", change(ratio.low), change(ratio.high));
            (change(ratio.estimate), interval)
        }
        None => (
            plain_change(row).map_or_else(String::new, change),
            String::new(),
        ),
    }
}

/// Other over base as it is in the figures.
fn plain_change(row: &NumberContrast) -> Option<f64> {
    Some(row.other / row.base).filter(|ratio| ratio.is_finite())
}

/// What the column of changes is, where it does not follow from the columns before it.
pub(crate) fn ratio_note(contrast: &Contrast) -> Option<String> {
    let of = match contrast.design {
        Design::OneEach => return None,
        Design::Pairs => "the median of the ratios of the pairs",
        Design::Sets | Design::Blocks => "the median of the ratios of all pairings of runs",
    };
    let label = &contrast.label;
    let has_ratio = contrast.rows.iter().any(|row| row.ratio.is_some());
    has_ratio.then(|| format!("{label}/A: {of}. A and {label}: the median of the runs"))
}

/// p as people write it: three decimals, and no zero.
pub(crate) fn probability(p: f64) -> String {
    if p < 0.0005 {
        "<0.001".to_owned()
    } else {
        figure::decimal(p, 3)
    }
}

/// The name of a row's number within its place.
pub(crate) fn number(row: &NumberContrast) -> String {
    format!("{} {}", row.place.op.name(), row.metric.name())
}

/// `phase`, or `phase/job` where the job has a name of its own.
pub(crate) fn place(row: &NumberContrast) -> String {
    if row.place.phase == row.place.job {
        row.place.phase.clone()
    } else {
        format!("{}/{}", row.place.phase, row.place.job)
    }
}

//! Comparisons to bytes: the forms in which a [`Comparison`] leaves Fathom.

pub(crate) mod brief;
mod csv;
pub(crate) mod joined;
mod json;
mod junit;
mod markdown;
pub(crate) mod tables;
mod text;

use crate::format::TextOptions;
use fathom_core::figure;
use fathom_verdict::compare::{Comparison, NumberContrast};
use std::io::{self, Write};

/// A form in which a comparison can be written.
#[derive(Debug)]
pub struct CompareFormat {
    /// Name for the command line, as in `json`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub description: &'static str,
    write: fn(&Comparison, TextOptions) -> String,
}

/// All forms, the one for people first.
pub static COMPARE_FORMATS: &[CompareFormat] = &[
    CompareFormat {
        name: "brief",
        description: "for people: what was asked with its verdict, on one screen",
        write: brief::render,
    },
    CompareFormat {
        name: "text",
        description: "for people: all there is, the verdicts, then the numbers",
        write: text::render,
    },
    CompareFormat {
        name: "json",
        description: "for programs: everything, with a version",
        write: |comparison, _| json::render(comparison),
    },
    CompareFormat {
        name: "markdown",
        description: "for tickets and CI summaries: the verdicts and one table",
        write: |comparison, _| markdown::render(comparison),
    },
    CompareFormat {
        name: "junit",
        description: "for CI: each number that was asked for as a case of JUnit's XML",
        write: |comparison, _| junit::render(comparison),
    },
    CompareFormat {
        name: "csv",
        description: "for tables: one row for each number",
        write: |comparison, _| csv::render(comparison),
    },
];

/// Writes a comparison to `out`. Errors are those of `out`.
pub fn write_comparison(
    comparison: &Comparison,
    format: &CompareFormat,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = (format.write)(comparison, options);
    let is_text = ["brief", "text"].contains(&format.name);
    let text = if options.ascii && is_text {
        crate::ascii(&text)
    } else {
        text
    };
    out.write_all(text.as_bytes())?;
    out.flush()
}

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

/// p as people write it: three decimals, and no zero.
fn probability(p: f64) -> String {
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

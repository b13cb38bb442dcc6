//! Trends to bytes: the formats in which a history of a metric leaves Fathom.

mod csv;
mod html;
mod junit;
mod markdown;
mod openmetrics;
mod tables;
mod text;

use crate::format_of::FormatOf;
use crate::json_text::json_text;
use fathom_verdict::trend::Trends;

/// All formats, the one for people first.
pub static TREND_FORMATS: &[FormatOf<Trends>] = &[
    FormatOf {
        name: "brief",
        description: "the answer, and the levels of each metric that changed",
        write: text::brief,
    },
    FormatOf {
        name: "text",
        description: "the levels of all metrics, and all differences of each change",
        write: text::full,
    },
    FormatOf {
        name: "json",
        description: "complete result for programs, with the values of all runs",
        write: |trends, _| json_text(trends),
    },
    FormatOf {
        name: "html",
        description: "one self-contained page with a chart of each metric",
        write: |trends, _| html::render(trends),
    },
    FormatOf {
        name: "markdown",
        description: "the answer and a table of changes, for tickets and CI summaries",
        write: |trends, _| markdown::render(trends),
    },
    FormatOf {
        name: "junit",
        description: "one test case per metric, for CI; a change for the worse fails",
        write: |trends, _| junit::render(trends),
    },
    FormatOf {
        name: "csv",
        description: "flat table: one row per metric and run",
        write: |trends, _| csv::render(trends),
    },
    FormatOf {
        name: "openmetrics",
        description: "level and latest change of each metric, for Prometheus",
        write: |trends, _| openmetrics::render(trends),
    },
];

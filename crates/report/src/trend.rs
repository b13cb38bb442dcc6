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
use fathom_core::rows;
use fathom_verdict::trend::Trends;

/// All formats, the one for people first.
pub static TREND_FORMATS: &[FormatOf<Trends>] = rows! { FormatOf<Trends>;
    new("brief", "the answer, and the levels of each metric that changed", text::brief);
    new("text", "the levels of all metrics, and all differences of each change", text::full);
    new("json", "complete result for programs, with the values of all runs",
        |trends, _| json_text(trends));
    new("html", "one self-contained page with a chart of each metric",
        |trends, _| html::render(trends));
    new("markdown", "the answer and a table of changes, for tickets and CI summaries",
        |trends, _| markdown::render(trends));
    new("junit", "one test case per metric, for CI; a change for the worse fails",
        |trends, _| junit::render(trends));
    new("csv", "flat table: one row per metric and run", |trends, _| csv::render(trends));
    new("openmetrics", "level and latest change of each metric, for Prometheus",
        |trends, _| openmetrics::render(trends));
};

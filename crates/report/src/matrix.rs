//! A matrix of runs to bytes: by work and machine, in the formats in which it leaves Fathom.

mod csv;
mod html;
mod markdown;
mod tables;
mod text;

use crate::format_of::FormatOf;
use crate::json_text::json_text;
use fathom_verdict::compare::Matrix;

pub use html::matrix_page;

/// All formats, the one for people first.
pub static MATRIX_FORMATS: &[FormatOf<Matrix>] = &[
    FormatOf {
        name: "brief",
        description: "one table per requested metric",
        write: text::brief,
    },
    FormatOf {
        name: "text",
        description: "the same tables with full intervals",
        write: text::full,
    },
    FormatOf {
        name: "json",
        description: "complete result for programs, with a version",
        write: |matrix, _| json_text(matrix),
    },
    FormatOf {
        name: "markdown",
        description: "the tables for tickets and CI summaries",
        write: |matrix, _| markdown::render(matrix),
    },
    FormatOf {
        name: "csv",
        description: "flat table: one row per metric and cell",
        write: |matrix, _| csv::render(matrix),
    },
];

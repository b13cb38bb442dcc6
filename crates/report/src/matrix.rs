//! A matrix of runs to bytes: by work and machine, in the formats in which it leaves Fathom.

mod csv;
mod html;
mod json;
mod markdown;
mod tables;
mod text;

use crate::format_of::FormatOf;
use fathom_verdict::compare::Matrix;

pub use html::matrix_page;

/// All formats, the one for people first.
pub static MATRIX_FORMATS: &[FormatOf<Matrix>] = &[
    FormatOf {
        name: "brief",
        description: "for people: a table for each number that was asked for",
        write: text::brief,
    },
    FormatOf {
        name: "text",
        description: "for people: the same with the intervals at full length",
        write: text::full,
    },
    FormatOf {
        name: "json",
        description: "complete result for programs, with a version",
        write: |matrix, _| json::render(matrix),
    },
    FormatOf {
        name: "markdown",
        description: "for tickets and CI summaries: the tables",
        write: |matrix, _| markdown::render(matrix),
    },
    FormatOf {
        name: "csv",
        description: "for tables: a row for each number of each cell",
        write: |matrix, _| csv::render(matrix),
    },
];

//! A matrix of runs to bytes: by work and machine, in the formats in which it leaves Fathom.

mod csv;
mod html;
mod markdown;
mod tables;
mod text;

use crate::format_of::FormatOf;
use crate::json_text::json_text;
use fathom_core::rows;
use fathom_verdict::compare::Matrix;

pub use html::matrix_page;

/// All formats, the one for people first.
pub static MATRIX_FORMATS: &[FormatOf<Matrix>] = rows! { FormatOf<Matrix>;
    new("brief", "one table per requested metric", text::brief);
    new("text", "the same tables with full intervals", text::full);
    new("json", "complete result for programs, with a version", |matrix, _| json_text(matrix));
    new("markdown", "the tables for tickets and CI summaries",
        |matrix, _| markdown::render(matrix));
    new("csv", "flat table: one row per metric and cell", |matrix, _| csv::render(matrix));
};

//! A matrix of runs to bytes: by work and machine, in the forms in which it leaves Fathom.

mod csv;
mod html;
mod json;
mod markdown;
mod tables;
mod text;

use crate::format::TextOptions;
use fathom_verdict::compare::Matrix;

pub use html::matrix_page;

/// A form in which a matrix can be written.
#[derive(Debug)]
pub struct MatrixFormat {
    /// Name for the command line, as in `json`.
    pub name: &'static str,
    /// What it is for, in one line.
    pub description: &'static str,
    write: fn(&Matrix, TextOptions) -> String,
}

/// All forms, the one for people first.
pub static MATRIX_FORMATS: &[MatrixFormat] = &[
    MatrixFormat {
        name: "brief",
        description: "for people: a table for each number that was asked for",
        write: text::brief,
    },
    MatrixFormat {
        name: "text",
        description: "for people: the same with the intervals at full length",
        write: text::full,
    },
    MatrixFormat {
        name: "json",
        description: "for programs: everything, with a version",
        write: |matrix, _| json::render(matrix),
    },
    MatrixFormat {
        name: "markdown",
        description: "for tickets and CI summaries: the tables",
        write: |matrix, _| markdown::render(matrix),
    },
    MatrixFormat {
        name: "csv",
        description: "for tables: a row for each number of each cell",
        write: |matrix, _| csv::render(matrix),
    },
];

impl MatrixFormat {
    /// The matrix in this form.
    pub fn render(&self, matrix: &Matrix, options: TextOptions) -> String {
        let text = (self.write)(matrix, options);
        if options.ascii && ["brief", "text"].contains(&self.name) {
            crate::ascii(&text)
        } else {
            text
        }
    }
}

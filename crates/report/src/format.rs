//! The table of output formats.

use crate::formats::fio_layout::FioLayout;
use crate::formats::{dd_text, fio_json, iometer_csv, iotest_text, json, text};
use fathom_core::result::RunResult;
use std::io::{self, Write};

/// How text is laid out; formats for machines ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colours (ANSI escape sequences).
    pub color: bool,
    /// Columns to fit into, 100 when unknown; less than 60 is taken as 60.
    pub width: usize,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
        }
    }
}

/// A form in which a result can be written.
#[derive(Debug)]
pub struct Format {
    /// Name for the command line, as in `json`.
    pub name: &'static str,
    /// Media type, as web servers call it.
    pub media_type: &'static str,
    /// Ending of a file name, without the dot.
    pub extension: &'static str,
    /// What it is for, in one line.
    pub description: &'static str,
    write: fn(&RunResult, TextOptions) -> String,
}

/// All formats, the one for people first.
pub static FORMATS: &[Format] = &[
    Format {
        name: "text",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "for people: the answer on the first screen, the evidence below it",
        write: text::render,
    },
    Format {
        name: "json",
        media_type: "application/json",
        extension: "json",
        description: "for programs: everything, lossless, with a versioned schema",
        write: |result, _| json::render(result),
    },
    Format {
        name: "fio-json",
        media_type: "application/json",
        extension: "json",
        description: "for programs that read the JSON of fio 3.33",
        write: |result, _| fio_json::render(result, &FioLayout::of(result), false),
    },
    Format {
        name: "iotest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "as SAS's iotest.sh prints streams, and what it does not say",
        write: |result, _| iotest_text::render(result),
    },
    Format {
        name: "rhel-iotest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "as SAS's rhel_iotest.sh prints streams, and what it does not say",
        write: |result, _| iotest_text::render_rhel(result),
    },
    Format {
        name: "dd",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "the lines of dd for the first job, and what it does not say",
        write: |result, _| dd_text::render(result),
    },
    Format {
        name: "iometer-csv",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "the table of Iometer: a block for each phase, a row for each job",
        write: |result, _| iometer_csv::render(result),
    },
];

/// The format called `name`.
pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

/// Writes `result` in `format` to `out`. Errors are those of `out`.
pub fn write(
    result: &RunResult,
    format: &Format,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    out.write_all((format.write)(result, options).as_bytes())?;
    out.flush()
}

//! The table of output formats.

use crate::ascii::ascii;
use crate::formats::{brief, csv, hlog, html, json, junit, markdown, openmetrics, text};
use fathom_core::result::RunResult;
use fathom_programs::PROGRAMS;
use std::io::{self, Write};

/// How text is laid out; formats for machines ignore it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextOptions {
    /// Whether to use colours (ANSI escape sequences).
    pub color: bool,
    /// Columns to fit into, 100 when unknown; less than 60 is taken as 60.
    pub width: usize,
    /// Whether to keep to ASCII, where a terminal shows nothing else.
    pub ascii: bool,
    /// Where the result can be found again, for what is said to do next.
    pub stored: Stored,
}

/// Where a result can be found again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stored {
    /// Nowhere: what is not shown is lost.
    #[default]
    Nowhere,
    /// It is the latest of the history.
    Latest,
    /// In the history or a file, by its id.
    ById,
}

impl Default for TextOptions {
    fn default() -> Self {
        Self {
            color: false,
            width: 100,
            ascii: false,
            stored: Stored::Nowhere,
        }
    }
}

/// A format in which a result can be written.
#[derive(Clone, Copy, Debug)]
pub struct Format {
    /// Name for the command line, as in `json`.
    pub name: &'static str,
    /// Media type, as web servers call it.
    pub media_type: &'static str,
    /// Ending of a file name, without the dot.
    pub extension: &'static str,
    /// Its purpose, in one line.
    pub description: &'static str,
    write: Lay,
}

impl Format {
    /// Whether it has what traced requests waited for.
    pub fn has_blame(&self) -> bool {
        ["brief", "text", "json", "html"].contains(&self.name)
    }
}

/// Who lays a result out.
#[derive(Clone, Copy, Debug)]
enum Lay {
    /// A format of ours.
    Own(fn(&RunResult, TextOptions) -> String),
    /// Another program's.
    As(fn(&RunResult) -> String),
}

/// Our own, the one for people first.
static OWN: &[Format] = &[
    Format {
        name: "brief",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "summary on one screen of 24 lines and 80 columns",
        write: Lay::Own(brief::render),
    },
    Format {
        name: "text",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "all details: the answer first, then the evidence",
        write: Lay::Own(text::render),
    },
    Format {
        name: "slowest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "list of the slowest requests, and which of them were slow at the same time",
        write: Lay::Own(text::slowest),
    },
    Format {
        name: "json",
        media_type: "application/json",
        extension: "json",
        description: "complete result for programs, lossless, with a versioned schema",
        write: Lay::As(json::render),
    },
    Format {
        name: "html",
        media_type: "text/html; charset=utf-8",
        extension: "html",
        description: "one self-contained file with charts, verdict and origin",
        write: Lay::As(html::render),
    },
    Format {
        name: "markdown",
        media_type: "text/markdown; charset=utf-8",
        extension: "md",
        description: "verdict and table for tickets, wikis and CI summaries; details are folded",
        write: Lay::As(markdown::render),
    },
    Format {
        name: "junit",
        media_type: "application/xml",
        extension: "xml",
        description: "state, errors and each --require as JUnit test cases, for CI",
        write: Lay::As(junit::render),
    },
    Format {
        name: "csv",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "flat table: one row per operation with all values",
        write: Lay::As(csv::summary),
    },
    Format {
        name: "csv-intervals",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "flat table: one row per operation and interval",
        write: Lay::As(csv::intervals),
    },
    Format {
        name: "csv-percentiles",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "flat table: one row per percentile that the sample supports",
        write: Lay::As(csv::percentiles),
    },
    Format {
        name: "csv-slowest",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "flat table: one row per slow request",
        write: Lay::As(csv::slowest),
    },
    Format {
        name: "csv-machine",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "flat table: devices, CPUs and queue levels per interval",
        write: Lay::As(csv::machine),
    },
    Format {
        name: "hlog",
        media_type: "text/plain; charset=utf-8",
        extension: "hlog",
        description: "HdrHistogram interval log: the histogram of every interval, lossless",
        write: Lay::As(hlog::render),
    },
    Format {
        name: "openmetrics",
        media_type: "application/openmetrics-text; version=1.0.0; charset=utf-8",
        extension: "prom",
        description: "metrics for the Prometheus text-file collector",
        write: Lay::As(openmetrics::render),
    },
];

/// All formats: our own, then those of other programs.
pub fn formats() -> impl Iterator<Item = Format> {
    let layouts = PROGRAMS.iter().flat_map(|program| program.layouts);
    let others = layouts.map(|layout| Format {
        name: layout.name,
        media_type: layout.media_type,
        extension: layout.extension,
        description: layout.description,
        write: Lay::As(layout.write),
    });
    OWN.iter().copied().chain(others)
}

/// The format called `name`.
pub fn find(name: &str) -> Option<Format> {
    formats().find(|format| format.name == name)
}

/// Writes `result` in `format` to `out`. Errors are those of `out`.
pub fn write(
    result: &RunResult,
    format: Format,
    options: TextOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    let text = match format.write {
        Lay::Own(write) => write(result, options),
        Lay::As(write) => write(result),
    };
    let is_text = format.media_type.starts_with("text/plain");
    let text = if options.ascii && is_text {
        ascii(&text)
    } else {
        text
    };
    out.write_all(text.as_bytes())?;
    out.flush()
}

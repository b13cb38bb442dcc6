//! The table of output formats.

use crate::ascii::ascii;
use crate::formats::{brief, csv, hlog, html, json, junit, markdown, openmetrics, slowest, text};
use fathom_core::result::RunResult;
use fathom_tools::diskspd::layout as diskspd;
use fathom_tools::fio::{FioLayout, FioStyle, write_fio};
use fathom_tools::{dd, iometer, iotest};
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
        name: "brief",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "for people: the answer on one screen of 24 lines and 80 columns",
        write: brief::render,
    },
    Format {
        name: "text",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "for people: all there is, the answer first and the evidence below it",
        write: text::render,
    },
    Format {
        name: "slowest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "for people: the slowest requests one by one, and which were slow together",
        write: slowest::render,
    },
    Format {
        name: "json",
        media_type: "application/json",
        extension: "json",
        description: "for programs: everything, lossless, with a versioned schema",
        write: |result, _| json::render(result),
    },
    Format {
        name: "html",
        media_type: "text/html; charset=utf-8",
        extension: "html",
        description: "for people: one file with charts, verdict and origin; needs no network",
        write: |result, _| html::render(result),
    },
    Format {
        name: "markdown",
        media_type: "text/markdown; charset=utf-8",
        extension: "md",
        description: "for tickets, wikis and CI summaries: verdict and table, the rest folded",
        write: |result, _| markdown::render(result),
    },
    Format {
        name: "junit",
        media_type: "application/xml",
        extension: "xml",
        description: "for CI: state, errors and each --require as a case of JUnit's XML",
        write: |result, _| junit::render(result),
    },
    Format {
        name: "csv",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "a flat table: a row for each operation with all of its figures",
        write: |result, _| csv::summary(result),
    },
    Format {
        name: "csv-intervals",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "a flat table: a row for each operation in each interval",
        write: |result, _| csv::intervals(result),
    },
    Format {
        name: "csv-percentiles",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "a flat table: a row for each percentile that the sample supports",
        write: |result, _| csv::percentiles(result),
    },
    Format {
        name: "csv-slowest",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "a flat table: a row for each of the slowest requests",
        write: |result, _| csv::slowest(result),
    },
    Format {
        name: "csv-machine",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "a flat table: devices, processors and levels in each interval",
        write: |result, _| csv::machine(result),
    },
    Format {
        name: "hlog",
        media_type: "text/plain; charset=utf-8",
        extension: "hlog",
        description: "HdrHistogram's interval log: every interval's histogram, lossless",
        write: |result, _| hlog::render(result),
    },
    Format {
        name: "openmetrics",
        media_type: "application/openmetrics-text; version=1.0.0; charset=utf-8",
        extension: "prom",
        description: "for Prometheus' text-file collector",
        write: |result, _| openmetrics::render(result),
    },
    Format {
        name: "fio-json",
        media_type: "application/json",
        extension: "json",
        description: "for programs that read the JSON of fio 3.33",
        write: |result, _| write_fio(result, &FioLayout::of(result), FioStyle::Json),
    },
    Format {
        name: "diskspd-text",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "as DISKSPD 2.2 prints it, its input told from the workload",
        write: |result, _| diskspd::of_run(result),
    },
    Format {
        name: "diskspd-xml",
        media_type: "application/xml",
        extension: "xml",
        description: "the XML of DISKSPD 2.2, its profile told from the workload",
        write: |result, _| diskspd::xml(result, &diskspd::asked(result)),
    },
    Format {
        name: "iotest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "as SAS's iotest.sh prints streams, and what it does not say",
        write: |result, _| iotest::render(result),
    },
    Format {
        name: "rhel-iotest",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "as SAS's rhel_iotest.sh prints streams, and what it does not say",
        write: |result, _| iotest::render_rhel(result),
    },
    Format {
        name: "dd",
        media_type: "text/plain; charset=utf-8",
        extension: "txt",
        description: "the lines of dd for the first job, and what it does not say",
        write: |result, _| dd::render(result),
    },
    Format {
        name: "iometer-csv",
        media_type: "text/csv; charset=utf-8",
        extension: "csv",
        description: "the table of Iometer: a block for each phase, a row for each job",
        write: |result, _| iometer::render(result),
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
    let text = (format.write)(result, options);
    let is_text = format.media_type.starts_with("text/plain");
    let text = if options.ascii && is_text {
        ascii(&text)
    } else {
        text
    };
    out.write_all(text.as_bytes())?;
    out.flush()
}

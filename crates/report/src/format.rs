//! The table of output formats.

use crate::ascii::ascii;
use crate::formats::{brief, csv, hlog, html, json, junit, markdown, openmetrics, text};
use crate::text_options::TextOptions;
use fathom_core::result::RunResult;
use fathom_core::rows;
use fathom_programs::PROGRAMS;
use std::io::{self, Write};

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
        ["brief", "text", "json", "html", "junit"].contains(&self.name)
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

/// A media type, and the ending of its files.
type Media = (&'static str, &'static str);

const TEXT: Media = ("text/plain; charset=utf-8", "txt");
const CSV: Media = ("text/csv; charset=utf-8", "csv");

impl Format {
    const fn new(
        name: &'static str,
        (media_type, extension): Media,
        description: &'static str,
        write: Lay,
    ) -> Self {
        Self {
            name,
            media_type,
            extension,
            description,
            write,
        }
    }

    const fn own(
        name: &'static str,
        media: Media,
        description: &'static str,
        write: fn(&RunResult, TextOptions) -> String,
    ) -> Self {
        Self::new(name, media, description, Lay::Own(write))
    }

    const fn laid(
        name: &'static str,
        media: Media,
        description: &'static str,
        write: fn(&RunResult) -> String,
    ) -> Self {
        Self::new(name, media, description, Lay::As(write))
    }
}

/// Our own, the one for people first.
static OWN: &[Format] = rows! { Format;
    own("brief", TEXT, "summary on one screen of 24 lines and 80 columns", brief::render);
    own("text", TEXT, "all details: the answer first, then the evidence", text::render);
    own("slowest", TEXT,
        "list of the slowest requests, and which of them were slow at the same time",
        text::slowest);
    laid("json", ("application/json", "json"),
        "complete result for programs, lossless, with a versioned schema", json::render);
    laid("html", ("text/html; charset=utf-8", "html"),
        "one self-contained file with charts, verdict and origin", html::render);
    laid("markdown", ("text/markdown; charset=utf-8", "md"),
        "verdict and table for tickets, wikis and CI summaries; details are folded",
        markdown::render);
    laid("junit", ("application/xml", "xml"),
        "state, errors and each --require as JUnit test cases, for CI", junit::render);
    laid("csv", CSV, "flat table: one row per operation with all values", csv::summary);
    laid("csv-intervals", CSV, "flat table: one row per operation and interval", csv::intervals);
    laid("csv-percentiles", CSV, "flat table: one row per percentile that the sample supports",
        csv::percentiles);
    laid("csv-slowest", CSV, "flat table: one row per slow request", csv::slowest);
    laid("csv-machine", CSV, "flat table: devices, CPUs and queue levels per interval",
        csv::machine);
    laid("hlog", ("text/plain; charset=utf-8", "hlog"),
        "HdrHistogram interval log: the histogram of every interval, lossless", hlog::render);
    laid("openmetrics", ("application/openmetrics-text; version=1.0.0; charset=utf-8", "prom"),
        "metrics for the Prometheus text-file collector", openmetrics::render);
};

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

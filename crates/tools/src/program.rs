//! What is known of another program: a row of the table.

use crate::call::Answer;
use crate::diagnostic::Diagnostic;
use crate::dialects::Dialect;
use crate::results::ResultFormat;
use crate::writers::Writer;
use fathom_core::result::RunResult;
use fathom_core::trace::Trace;

/// Another program: what is read and written of it.
#[derive(Debug)]
pub struct Program {
    /// Its inputs, as they are read.
    pub dialect: Dialect,
    /// Answers a call in its own words.
    pub call: Answer,
    /// Formats of its inputs in which workloads are written.
    pub writers: &'static [Writer],
    /// The formats of its reports in which results are laid out.
    pub layouts: &'static [Layout],
    /// Formats of its results that are read.
    pub results: &'static [ResultFormat],
    /// Reads its I/O traces; none where it writes none.
    pub trace: Option<TraceFormat>,
    /// The sentence in which whoever asks with it would be answered, if the result has one.
    pub sentence: Option<fn(&RunResult) -> Option<String>>,
    /// How it ends where it could not do what it was asked; none where Fathom's own say it.
    pub statuses: Option<Statuses>,
    /// The same where it is called by the name of the program, and by whoever takes it for that.
    pub namesake_statuses: Option<Statuses>,
}

/// How I/O traces are read.
#[derive(Clone, Copy, Debug)]
pub struct TraceFormat {
    /// What such a trace is called.
    pub title: &'static str,
    /// Whether a file that starts with these bytes is one.
    pub is: fn(&[u8]) -> bool,
    /// Reads it. `file` is its name in diagnostics.
    pub read: fn(bytes: &[u8], file: &str) -> Result<Trace, Vec<Diagnostic>>,
}

/// Exit statuses of another program, which scripts that call it look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statuses {
    /// Its words are invalid.
    pub words: u8,
    /// The run could not be made, or requests of it failed.
    pub run: u8,
}

/// A format of another program's reports in which our results are laid out.
#[derive(Debug)]
pub struct Layout {
    /// Name for the command line, as in `fio-json`.
    pub name: &'static str,
    /// Media type, as web servers call it.
    pub media_type: &'static str,
    /// Ending of a file name, without the dot.
    pub extension: &'static str,
    /// Its purpose, in one line.
    pub description: &'static str,
    /// Lays a result out.
    pub write: fn(&RunResult) -> String,
}

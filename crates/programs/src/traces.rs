//! The traces of all programs.

use crate::PROGRAMS;
use fathom_core::trace::Trace;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::program::TraceFormat;

fn formats() -> impl Iterator<Item = TraceFormat> {
    PROGRAMS.iter().filter_map(|program| program.trace)
}

/// The format of a file that starts with these bytes, if it is a trace of a program.
pub fn trace_format(start: &[u8]) -> Option<TraceFormat> {
    formats().find(|format| (format.is)(start))
}

/// Reads an I/O trace. `file` is its name in diagnostics.
///
/// # Errors
///
/// What the first program says that reads traces, if none can read this one; without any, nothing.
pub fn read_trace(bytes: &[u8], file: &str) -> Result<Trace, Vec<Diagnostic>> {
    let mut wrong = None;
    for format in formats() {
        match (format.read)(bytes, file) {
            Ok(trace) => return Ok(trace),
            Err(found) => wrong = wrong.or(Some(found)),
        }
    }
    Err(wrong.unwrap_or_default())
}

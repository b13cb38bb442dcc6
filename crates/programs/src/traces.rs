//! The traces of all programs.

use crate::PROGRAMS;
use fathom_core::trace::Trace;
use fathom_tools::diagnostic::Diagnostic;

/// Reads an I/O trace. `file` is its name in diagnostics.
///
/// # Errors
///
/// What the first program says that reads traces, if none can read this one; without any, nothing.
pub fn read_trace(bytes: &[u8], file: &str) -> Result<Trace, Vec<Diagnostic>> {
    let mut wrong = None;
    for read in PROGRAMS.iter().filter_map(|program| program.trace) {
        match read(bytes, file) {
            Ok(trace) => return Ok(trace),
            Err(found) => wrong = wrong.or(Some(found)),
        }
    }
    Err(wrong.unwrap_or_default())
}

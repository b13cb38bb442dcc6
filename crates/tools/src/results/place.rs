//! Errors on the line of a result's text that they are about.

use super::format::ResultFile;
use crate::diagnostic::{Diagnostic, Severity, Skipped};
use std::ops::Range;

/// An error on its way up.
#[derive(Debug)]
pub struct Wrong(Box<Diagnostic>);

impl Wrong {
    /// The error for the caller.
    pub fn told(self) -> Diagnostic {
        *self.0
    }
}

/// An error about the line that holds the byte `at`.
pub fn line_of(file: &ResultFile<'_>, at: usize, message: &str, remedy: &str) -> Wrong {
    let bytes = file.text.as_bytes();
    let at = at.min(bytes.len());
    let before = bytes[..at].iter().rposition(|byte| *byte == b'\n');
    let start = before.map_or(0, |line| line + 1);
    let rest = bytes[start..].iter().position(|byte| *byte == b'\n');
    let end = rest.map_or(bytes.len(), |length| start + length);
    let line = file.text.get(start..end).unwrap_or_default();
    error(file, start..start + line.trim_end().len(), message, remedy)
}

/// An error about a part of one line; a place that is none becomes the nearest one before it.
pub fn error(
    file: &ResultFile<'_>,
    span: Range<usize>,
    message: impl Into<String>,
    remedy: &str,
) -> Wrong {
    let floor = |at: usize| {
        let mut at = at.min(file.text.len());
        while !file.text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(span.start);
    let end = floor(span.end).max(start);
    let end = file.text[start..end]
        .find('\n')
        .map_or(end, |line| start + line);
    Wrong(Box::new(Diagnostic {
        skipped: Skipped::default(),
        severity: Severity::Error,
        message: message.into(),
        file: file.name.into(),
        text: file.text.into(),
        span: start..end,
        suggestion: None,
        remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
    }))
}

/// The byte at a line and column, both from 1, of the part of a text that begins at `from`.
pub fn byte_at(text: &str, from: usize, line: usize, column: usize) -> usize {
    let part = text.get(from..).unwrap_or_default();
    let mut start = 0;
    for _ in 1..line {
        match part[start..].find('\n') {
            Some(length) => start += length + 1,
            None => break,
        }
    }
    (from + start + column.saturating_sub(1)).min(text.len())
}

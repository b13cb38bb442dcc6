//! The one door for traces: what a file is, by its content, and its requests piece by piece.

use crate::file::{CaptureError, Reader, Source, is_capture};
use crate::foreign::{FORMATS, Foreign};
use std::io::{BufRead, BufReader, Cursor, Read};

/// Bytes at the start of a file by which its format is recognised.
const START_BYTES: u64 = 64 << 10;

/// Opens a capture or the trace of another tool.
///
/// # Errors
///
/// [`CaptureError::Unknown`] where no format fits, and what [`Reader::open`] says.
pub fn open(mut input: impl Read + Send + 'static) -> Result<Box<dyn Source>, CaptureError> {
    let mut start = Vec::new();
    (&mut input).take(START_BYTES).read_to_end(&mut start)?;
    let own = is_capture(&start);
    let format = FORMATS.iter().find(|format| (format.is)(&start));
    let input = BufReader::with_capacity(1 << 20, Cursor::new(start).chain(input));
    if own {
        return Ok(Box::new(Reader::open(input)?));
    }
    let format = format.ok_or(CaptureError::Unknown)?;
    let input: Box<dyn BufRead + Send> = Box::new(input);
    Ok(Box::new(Foreign::new(format, input)))
}

/// Whether a file that starts with these bytes is a capture or the trace of another tool.
pub fn is_trace(start: &[u8]) -> bool {
    is_capture(start) || FORMATS.iter().any(|format| (format.is)(start))
}

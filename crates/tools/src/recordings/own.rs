//! Our own files: a line of JSON that says who wrote them, then one for each moment.

use super::ReadError;
use super::words::{on_line, read_line};
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Moment, RECORDING_VERSION, Recording, RecordingHead};
use serde::de::DeserializeOwned;
use std::io::{self, BufRead};

/// How our files begin.
pub(super) const BEGIN: &[u8] = b"{\"fathom_recording\"";

/// Whether a text begins as our files do.
pub(super) fn is_own(text: &[u8]) -> bool {
    text.starts_with(BEGIN)
}

/// Reads all moments, holding one line of the text at a time. A last line without its end is what
/// a program that was killed left of it: it is left out, with a note.
pub(super) fn read(from: &mut dyn BufRead, file: &str) -> Result<Recording, ReadError> {
    let mut lines = LineReader::new(from, file);
    lines.next()?;
    let head: RecordingHead = lines.parse()?;
    if head.fathom_recording > RECORDING_VERSION {
        let message = format!(
            "a recording of version {}; this program reads up to {RECORDING_VERSION}",
            head.fathom_recording
        );
        let mut refusal = lines.error(message);
        refusal.remedy = Some("use a later fathom".to_owned());
        return Err(refusal.into());
    }
    let mut recording = Recording {
        tool: head.tool,
        host: head.host,
        ..Recording::default()
    };
    while lines.next()? {
        if lines.line().is_empty() {
            continue;
        }
        match lines.parse::<Moment>() {
            Ok(moment) => recording.push(moment),
            Err(_) if !lines.is_whole() => {
                let note = "the last line was not written to its end, and is left out";
                recording.notes.push(note.to_owned());
            }
            Err(error) => return Err(error.into()),
        }
    }
    Ok(recording)
}

/// The lines of a text that is never there as a whole.
struct LineReader<'a> {
    from: &'a mut dyn BufRead,
    file: &'a str,
    /// Lines before this one.
    before: usize,
    /// This one, with its end.
    bytes: Vec<u8>,
    line: String,
}

impl<'a> LineReader<'a> {
    fn new(from: &'a mut dyn BufRead, file: &'a str) -> Self {
        Self {
            from,
            file,
            before: 0,
            bytes: Vec::new(),
            line: String::new(),
        }
    }

    /// Goes to the next; false after the last.
    fn next(&mut self) -> io::Result<bool> {
        self.before += usize::from(!self.bytes.is_empty());
        self.bytes.clear();
        if read_line(self.from, &mut self.bytes)? == 0 {
            return Ok(false);
        }
        let text = self.bytes.strip_suffix(b"\n").unwrap_or(&self.bytes);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        self.line = String::from_utf8_lossy(text).into_owned();
        Ok(true)
    }

    fn line(&self) -> &str {
        &self.line
    }

    /// Whether it was written to its end.
    fn is_whole(&self) -> bool {
        self.bytes.ends_with(b"\n")
    }

    /// An error on this line.
    fn error(&self, message: String) -> Diagnostic {
        let whole = 0..self.line.len();
        on_line(self.file, self.before, &self.line, whole, message)
    }

    fn parse<T: DeserializeOwned>(&self) -> Result<T, Box<Diagnostic>> {
        serde_json::from_str(&self.line).map_err(|error| {
            // The place is said by the mark under the line.
            let message = error.to_string();
            let message = message.split(" at line ").next().unwrap_or_default();
            Box::new(self.error(format!("cannot read the line: {message}")))
        })
    }
}

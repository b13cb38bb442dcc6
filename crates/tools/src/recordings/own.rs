//! Our own files: a line of JSON that says who wrote them, then one for each moment.

use super::words::Text;
use crate::diagnostic::Diagnostic;
use fathom_core::recording::{Moment, RECORDING_VERSION, Recording, RecordingHead};
use serde::de::DeserializeOwned;

/// Whether a text begins as our files do.
pub(super) fn is_own(text: &str) -> bool {
    text.starts_with("{\"fathom_recording\"")
}

/// Reads all moments. A last line without its end is what a program that was killed left of it:
/// it is left out, with a note.
pub(super) fn read(source: &Text) -> Result<Recording, Box<Diagnostic>> {
    let mut lines = source.lines();
    let (at, first) = lines.next().unwrap_or_default();
    let head: RecordingHead = parse(source, at, first)?;
    if head.fathom_recording > RECORDING_VERSION {
        let message = format!(
            "a recording of version {}; this program reads up to {RECORDING_VERSION}",
            head.fathom_recording
        );
        return Err(Box::new(
            source.refuse(first, &message).with("use a later fathom"),
        ));
    }
    let mut recording = Recording {
        tool: head.tool,
        host: head.host,
        ..Recording::default()
    };
    for (at, line) in lines {
        if line.is_empty() {
            continue;
        }
        match parse::<Moment>(source, at, line) {
            Ok(moment) => recording.push(moment),
            Err(_) if at + line.len() == source.text.len() => {
                let note = "the last line was not written to its end, and is left out";
                recording.notes.push(note.to_owned());
            }
            Err(error) => return Err(error),
        }
    }
    Ok(recording)
}

fn parse<T: DeserializeOwned>(source: &Text, at: usize, line: &str) -> Result<T, Box<Diagnostic>> {
    serde_json::from_str(line).map_err(|error| {
        // The place is said by the mark under the line.
        let message = error.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Box::new(source.error(at, line, format!("cannot read the line: {message}")))
    })
}

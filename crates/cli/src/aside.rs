//! What is said beside the answer: notes, progress, problems, on standard error.

use crate::{paragraph, width};
use std::io::{self, Write as _};

/// Says it, in lines that a terminal has room for. Where it cannot be written, the answer goes on
/// without.
pub(crate) fn say(text: &str) {
    let _ = io::stderr().write_all(fitted(text, width::of_asides()).as_bytes());
}

/// The text with a line end, its lines broken where they are longer than there is room for.
pub(crate) fn fitted(text: &str, most: Option<usize>) -> String {
    let mut text = text.to_owned();
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match most {
        Some(most) => paragraph::fitted(&text, most),
        None => text,
    }
}

//! What is printed apart from the answer: notes, progress and problems, on standard error.

use crate::{paragraph, terminal, width};
use std::io::Write as _;

/// Says it, in lines that a terminal has room for. Where it cannot be written, the answer goes on
/// without.
pub(crate) fn say(text: &str) {
    print(&fitted(text, width::of_asides()));
}

/// Writes it as it stands.
pub(crate) fn print(text: &str) {
    let _ = terminal::stderr().write_all(text.as_bytes());
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

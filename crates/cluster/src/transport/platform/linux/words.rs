//! What the system says of an error, for the end of a sentence.

use std::io;

/// Without its number, which helps nobody who reads it.
pub(super) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error")
        .next()
        .unwrap_or(&text)
        .to_lowercase()
}

//! Text from other hosts, files and devices, made harmless for a terminal.
//!
//! A name or a reason may contain the control characters of ECMA-48, which move the cursor, clear
//! the screen or write to the clipboard, and the bidirectional controls of Unicode, which change
//! the order of what is shown. Each of them is shown as `\uXXXX`, its escape in JSON, so that JSON
//! stays the same document.

use std::borrow::Cow;
use std::fmt::Write as _;

/// One line: every control character is escaped, line ends and tabs too.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for sign in text.chars() {
        if is_control(sign) {
            escape(sign, &mut shown);
        } else {
            shown.push(sign);
        }
    }
    Cow::Owned(shown)
}

/// The same of a text that is owned.
pub fn into_visible(text: String) -> String {
    match visible(&text) {
        Cow::Owned(shown) => shown,
        Cow::Borrowed(_) => text,
    }
}

/// The text with U+FFFD for each character that XML 1.0 does not have, escaped or not.
pub fn xml_text(text: &str) -> Cow<'_, str> {
    let is_missing = |sign: char| {
        let is_control = sign < ' ' && !matches!(sign, '\t' | '\n' | '\r');
        is_control || matches!(sign, '\u{fffe}' | '\u{ffff}')
    };
    if text.contains(is_missing) {
        Cow::Owned(text.replace(is_missing, "\u{fffd}"))
    } else {
        Cow::Borrowed(text)
    }
}

/// Whether a spreadsheet would evaluate a cell with this text. Numbers are no formulas.
pub fn is_formula(cell: &str) -> bool {
    cell.starts_with(['=', '@', '+', '-', '\t', '\r']) && cell.parse::<f64>().is_err()
}

/// Whether a terminal obeys this character instead of showing it.
pub fn is_control(sign: char) -> bool {
    sign.is_control()
        || matches!(sign,
            // Arabic letter mark, left-to-right and right-to-left marks.
            '\u{61c}' | '\u{200e}' | '\u{200f}'
            // Line and paragraph separators, embeddings and overrides.
            | '\u{2028}'..='\u{202e}'
            // Isolates.
            | '\u{2066}'..='\u{2069}')
}

/// Adds the escape of a control character.
pub fn escape(sign: char, to: &mut String) {
    // Writing to a string cannot fail.
    let _ = write!(to, "\\u{:04x}", u32::from(sign));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_terminal_obeys_is_shown() {
        let cases = [
            ("db3 µs 日本", "db3 µs 日本"),
            ("a\u{1b}[2Jb", "a\\u001b[2Jb"),
            ("a\nVALID\t", "a\\u000aVALID\\u0009"),
            ("\u{9b}2J\u{7f}\0", "\\u009b2J\\u007f\\u0000"),
            ("\u{202e}lav\u{2069}", "\\u202elav\\u2069"),
        ];
        for (text, expected) in cases {
            assert_eq!(visible(text), expected);
        }
    }
}

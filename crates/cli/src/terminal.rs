//! The one way to standard output and standard error.
//!
//! What is printed contains text from other hosts, files and devices. Control characters in it are
//! escaped here, whoever prints it, but for line ends, tabs and the colours of `fathom_core::paint`
//! and of the help, where colours are wanted.

use crate::appearance;
use fathom_core::foreign::{escape, is_control};
use std::io::{self, IsTerminal, Write};

/// The longest sequence of a colour: `ESC [ 1 ; 3 1 m` with room for one more number.
const LONGEST_COLOUR: usize = 12;

/// Standard output, for text.
pub(crate) fn stdout() -> Shown<io::StdoutLock<'static>> {
    let out = raw_stdout();
    let colors = appearance::looks(out.is_terminal()).color;
    Shown::new(out.lock(), colors)
}

/// Standard error, for text.
pub(crate) fn stderr() -> Shown<io::StderrLock<'static>> {
    let out = raw_stderr();
    let colors = appearance::looks(out.is_terminal()).color;
    Shown::new(out.lock(), colors)
}

/// Standard output for what is no text, and for questions about the terminal.
#[expect(clippy::disallowed_methods, reason = "the one door to it")]
pub(crate) fn raw_stdout() -> io::Stdout {
    io::stdout()
}

/// Standard error, for questions about the terminal.
#[expect(clippy::disallowed_methods, reason = "the one door to it")]
pub(crate) fn raw_stderr() -> io::Stderr {
    io::stderr()
}

/// Writes text with its control characters escaped.
#[derive(Debug)]
pub(crate) struct Shown<W: Write> {
    to: W,
    colors: bool,
    /// The start of a character or of a colour that is not complete yet.
    rest: Vec<u8>,
}

impl<W: Write> Shown<W> {
    pub(crate) const fn new(to: W, colors: bool) -> Self {
        Self {
            to,
            colors,
            rest: Vec::new(),
        }
    }

    /// The bytes as they are shown. At the end nothing is left for later.
    fn shown(&mut self, bytes: &[u8], is_end: bool) -> Vec<u8> {
        let mut text = std::mem::take(&mut self.rest);
        text.extend_from_slice(bytes);
        let mut shown = String::with_capacity(text.len());
        let mut done = 0;
        for chunk in text.utf8_chunks() {
            let (valid, invalid) = (chunk.valid(), chunk.invalid());
            done += valid.len() + invalid.len();
            let is_last = done == text.len() && !is_end;
            let held = self.escaped(valid, is_last && invalid.is_empty(), &mut shown);
            self.rest.extend_from_slice(held.as_bytes());
            if is_last && std::str::from_utf8(invalid).is_err_and(|e| e.error_len().is_none()) {
                self.rest.extend_from_slice(invalid);
            } else if !invalid.is_empty() {
                shown.push(char::REPLACEMENT_CHARACTER);
            }
        }
        shown.into_bytes()
    }

    /// Adds `text` with its control characters escaped; the start of a colour at its end, if more
    /// may come.
    fn escaped<'a>(&self, text: &'a str, may_go_on: bool, shown: &mut String) -> &'a str {
        let mut rest = text;
        while let Some(at) = rest.find(|sign| is_control(sign) && !matches!(sign, '\n' | '\t')) {
            shown.push_str(&rest[..at]);
            rest = &rest[at..];
            let length = match self.colour(rest) {
                Colour::Whole(length) => {
                    shown.push_str(&rest[..length]);
                    length
                }
                Colour::Cut if may_go_on => return rest,
                Colour::Cut | Colour::None => {
                    let sign = rest.chars().next().unwrap_or_default();
                    escape(sign, shown);
                    sign.len_utf8()
                }
            };
            rest = &rest[length..];
        }
        shown.push_str(rest);
        ""
    }

    /// Whether the text starts with a sequence that changes colour or weight and nothing else:
    /// what conceals text is none.
    fn colour(&self, text: &str) -> Colour {
        let Some(rest) = text.strip_prefix('\x1b').filter(|_| self.colors) else {
            return Colour::None;
        };
        if rest.is_empty() {
            return Colour::Cut;
        }
        let Some(rest) = rest.strip_prefix('[') else {
            return Colour::None;
        };
        let numbers = rest.trim_start_matches(|sign: char| sign.is_ascii_digit() || sign == ';');
        let length = text.len() - numbers.len() + 1;
        if length > LONGEST_COLOUR {
            return Colour::None;
        }
        match numbers.chars().next() {
            None => Colour::Cut,
            Some('m') => {
                let mut numbers = rest[..rest.len() - numbers.len()].split(';');
                let is_plain = |number| {
                    matches!(number, "" | "0" | "1" | "2" | "4")
                        || matches!(number.as_bytes(), [b'3' | b'9', b'1'..=b'6'])
                };
                if numbers.all(is_plain) {
                    Colour::Whole(length)
                } else {
                    Colour::None
                }
            }
            Some(_) => Colour::None,
        }
    }
}

/// What a text starts with.
enum Colour {
    /// A sequence of this number of bytes.
    Whole(usize),
    /// The start of one.
    Cut,
    None,
}

impl<W: Write> Write for Shown<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let shown = self.shown(bytes, false);
        self.to.write_all(&shown)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let shown = self.shown(&[], true);
        self.to.write_all(&shown)?;
        self.to.flush()
    }
}

impl<W: Write> Drop for Shown<W> {
    fn drop(&mut self) {
        // Who wants to know whether all was written has flushed it.
        let _ = self.flush();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(pieces: &[&[u8]], colors: bool) -> String {
        let mut out = Vec::new();
        let mut to = Shown::new(&mut out, colors);
        for piece in pieces {
            to.write_all(piece).unwrap();
        }
        drop(to);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn only_colours_pass() {
        let cases: [(&[&[u8]], bool, &str); 10] = [
            (&[b"a\tb\n"], false, "a\tb\n"),
            (&[b"\x1b[1;31mx\x1b[0m"], true, "\x1b[1;31mx\x1b[0m"),
            (
                &[b"\x1b[1;3", b"1mx\x1b", b"[0m"],
                true,
                "\x1b[1;31mx\x1b[0m",
            ),
            (&[b"\x1b[1;31mx"], false, "\\u001b[1;31mx"),
            (&[b"\x1b[2J\x1b[8m"], true, "\\u001b[2J\\u001b[8m"),
            (&[b"\x1b]0;title\x07"], true, "\\u001b]0;title\\u0007"),
            (&[b"\xc2", b"\x9b2J"], true, "\\u009b2J"),
            (&[b"\x9b2J"], true, "\u{fffd}2J"),
            (&[b"\r\x1b"], true, "\\u000d\\u001b"),
            (&["µ".as_bytes(), b"\xe2\x80", b"\xae"], true, "µ\\u202e"),
        ];
        for (pieces, colors, expected) in cases {
            assert_eq!(shown(pieces, colors), expected, "{pieces:?}");
        }
    }

    #[test]
    fn where_a_text_is_cut_changes_nothing() {
        let text = "\x1b[1;31mµ\x1b[0m\x1b[2J\u{202e}\x1b".as_bytes();
        let whole = shown(&[text], true);
        assert_eq!(whole, "\x1b[1;31mµ\x1b[0m\\u001b[2J\\u202e\\u001b");
        for at in 0..=text.len() {
            assert_eq!(shown(&[&text[..at], &text[at..]], true), whole, "{at}");
        }
    }
}

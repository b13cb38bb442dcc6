//! Sentences below a table, in lines of a width that terminals have.

use rustix::termios::tcgetwinsize;
use std::io::{self, IsTerminal as _};

/// Columns of a line where nobody says how wide a terminal is.
const WIDTH: usize = 110;
/// No terminal is taken to be narrower.
const LEAST: usize = 60;

/// Columns of the terminal that is written to; none where it is none.
pub(crate) fn terminal_width() -> Option<usize> {
    let out = io::stdout();
    let size = out.is_terminal().then(|| tcgetwinsize(&out).ok())??;
    (size.ws_col > 0).then(|| usize::from(size.ws_col).max(LEAST))
}

/// Columns of a line.
fn width() -> usize {
    terminal_width().map_or(WIDTH, |columns| columns.min(WIDTH))
}

/// How far all lines but the first are moved in.
const INDENT: &str = "  ";

/// A sentence broken at blanks, with a line end; longer words stay whole.
pub(crate) fn wrapped(text: &str) -> String {
    let mut out = String::new();
    let mut columns = 0;
    let most = width();
    for word in text.split(' ') {
        let length = word.chars().count();
        if columns > 0 && columns + 1 + length > most {
            out.push('\n');
            out.push_str(INDENT);
            columns = INDENT.len();
        } else if columns > 0 {
            out.push(' ');
            columns += 1;
        }
        out.push_str(word);
        columns += length;
    }
    out.push('\n');
    out
}

/// A text behind a word, with a line end: the word moved in, all lines of the text from the same
/// column on, which words that are longer push to the right.
pub(crate) fn hanging(word: &str, column: usize, text: &str) -> String {
    let mut out = format!(
        "{INDENT}{word:<width$}",
        width = column.saturating_sub(INDENT.len())
    );
    let mut columns = out.chars().count();
    let mut is_first = true;
    let most = width();
    for part in text.split(' ') {
        let length = part.chars().count();
        if !is_first && columns + 1 + length > most {
            out.push('\n');
            out.push_str(&" ".repeat(column));
            columns = column;
        } else if !is_first || columns > column {
            out.push(' ');
            columns += 1;
        }
        is_first = false;
        out.push_str(part);
        columns += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::{hanging, wrapped};

    #[test]
    fn texts_hang_from_their_word() {
        assert_eq!(hanging("a", 5, "b c"), "  a  b c\n");
        assert_eq!(hanging("long", 5, "b"), "  long b\n");
        let word = "x".repeat(60);
        let expected = format!("  a  {word}\n     {word}\n");
        assert_eq!(hanging("a", 5, &format!("{word} {word}")), expected);
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a b"), "a b\n");
        let word = "x".repeat(60);
        let text = format!("{word} {word} end");
        assert_eq!(wrapped(&text), format!("{word}\n  {word} end\n"));
    }
}

//! Sentences below a table, in lines of a width that terminals have.

use crate::width;

/// How far all lines but the first are moved in.
const INDENT: &str = "  ";

/// A sentence broken at blanks, with a line end; longer words stay whole.
pub(crate) fn wrapped(text: &str) -> String {
    broken(text, 0, INDENT.len(), width::of_sentences())
}

/// The same, moved in.
pub(crate) fn indented(text: &str) -> String {
    let all = INDENT.len();
    format!("{INDENT}{}", broken(text, all, all, width::of_sentences()))
}

/// A text behind a word, with a line end: the word moved in, all lines of the text from the same
/// column on, which words that are longer push to the right.
pub(crate) fn hanging(word: &str, column: usize, text: &str) -> String {
    hanging_within(word, column, text, width::of_sentences())
}

/// The same in a limited number of columns.
pub(crate) fn hanging_within(word: &str, column: usize, text: &str, most: usize) -> String {
    let width = column.saturating_sub(INDENT.len());
    behind(&format!("{INDENT}{word:<width$}"), column, text, most)
}

/// The same for a word at the left edge.
pub(crate) fn labelled(word: &str, column: usize, text: &str) -> String {
    behind(
        &format!("{word:<column$}"),
        column,
        text,
        width::of_sentences(),
    )
}

fn behind(begin: &str, column: usize, text: &str, most: usize) -> String {
    let columns = begin.chars().count();
    let gap = if begin.ends_with(' ') { "" } else { " " };
    let first = columns + gap.len();
    let text = broken(text, first, column, most);
    format!("{begin}{gap}{text}")
}

/// A text whose lines are broken at blanks where they are longer than `most` columns.
pub(crate) fn fitted(text: &str, most: usize) -> String {
    let mut out = String::new();
    for line in text.lines() {
        if line.chars().count() <= most {
            out.push_str(line);
            out.push('\n');
            continue;
        }
        let begin = line.trim_start();
        let before = line.len() - begin.len();
        out.push_str(&line[..before]);
        out.push_str(&broken(begin, before, before + INDENT.len(), most));
    }
    out
}

/// A text as the terminal has room for it. Elsewhere its lines stay whole, as rows of tables do.
pub(crate) fn on_terminal(text: String) -> String {
    match width::known() {
        Some(most) => fitted(&text, most),
        None => text,
    }
}

/// A text whose first line begins at one column, and the others at another.
fn broken(text: &str, first: usize, others: usize, most: usize) -> String {
    let mut out = String::new();
    let mut columns = first;
    let mut is_begin = true;
    for word in text.split(' ') {
        let length = word.chars().count();
        if !is_begin && columns + 1 + length > most {
            out.push('\n');
            out.push_str(&" ".repeat(others));
            columns = others;
        } else if !is_begin {
            out.push(' ');
            columns += 1;
        }
        is_begin = false;
        out.push_str(word);
        columns += length;
    }
    out.push('\n');
    out
}

#[cfg(test)]
mod tests {
    use super::{fitted, hanging, labelled, wrapped};

    #[test]
    fn texts_hang_from_their_word() {
        assert_eq!(hanging("a", 5, "b c"), "  a  b c\n");
        assert_eq!(hanging("long", 5, "b"), "  long b\n");
        let word = "x".repeat(60);
        let expected = format!("  a  {word}\n     {word}\n");
        assert_eq!(hanging("a", 5, &format!("{word} {word}")), expected);
        let expected = format!("a    {word}\n     {word}\n");
        assert_eq!(labelled("a", 5, &format!("{word} {word}")), expected);
    }

    #[test]
    fn only_lines_that_are_too_long_are_broken() {
        let text = "short\n\n  a line of words\nendless-word and\n";
        let expected = "short\n\n  a line\n    of\n    words\nendless-word\n  and\n";
        assert_eq!(fitted(text, 8), expected);
    }

    #[test]
    fn lines_are_broken_at_blanks() {
        assert_eq!(wrapped("a b"), "a b\n");
        let word = "x".repeat(60);
        let text = format!("{word} {word} end");
        assert_eq!(wrapped(&text), format!("{word}\n  {word} end\n"));
    }
}

//! Lines in the making: wrapped under a short label, and counted.

use crate::page::wrap;
use crate::paint::{Style, paint};
use crate::table::Table;
use fathom_core::foreign::visible;

/// Columns of the labels at the left edge, the gap included.
pub(super) const LABEL_COLUMNS: usize = 8;
/// Stands where words were left out.
const MORE: &str = " …";

#[derive(Debug)]
pub(super) struct BriefLines {
    made: Vec<String>,
    width: usize,
    color: bool,
}

impl BriefLines {
    pub(super) const fn new(width: usize, color: bool) -> Self {
        Self {
            made: Vec::new(),
            width,
            color,
        }
    }

    pub(super) const fn width(&self) -> usize {
        self.width
    }

    pub(super) fn count(&self) -> usize {
        self.made.len()
    }

    /// `left`, cut where it is too long, and `right` at the right edge in a style.
    pub(super) fn ends(&mut self, left: &str, right: &str, style: Style) {
        let room = self.width.saturating_sub(right.chars().count() + 1);
        let left = cut(left, room);
        let gap = " ".repeat(room.saturating_sub(left.chars().count()) + 1);
        let line = paint(self.color, Style::Strong, &left) + &gap;
        self.made.push(line + &paint(self.color, style, right));
    }

    /// A sentence in at most `most` lines, with `right` at the right edge of the first.
    pub(super) fn sentence_ends(&mut self, text: &str, right: &str, style: Style, most: usize) {
        let room = self.width.saturating_sub(right.chars().count() + 1);
        // What is shown of a control character is longer than it, and no line repeats the first.
        let shown = visible(text);
        let words: Vec<&str> = shown.split(' ').filter(|word| !word.is_empty()).collect();
        let shown = words.join(" ");
        let first = wrap(&shown, room).into_iter().next().unwrap_or_default();
        let rest: String = shown.chars().skip(first.chars().count()).collect();
        self.ends(&first, right, style);
        let rest = shortened(rest.trim_start(), self.width, most - 1);
        for line in rest.into_iter().filter(|line| !line.is_empty()) {
            self.made.push(paint(self.color, Style::Strong, &line));
        }
    }

    /// A sentence over the whole width, in at most `most` lines.
    pub(super) fn sentence(&mut self, text: &str, most: usize) {
        let shown = shortened(text, self.width, most);
        self.made.extend(shown);
    }

    /// A label and a text that hangs under it, in at most `most` lines.
    pub(super) fn hang(&mut self, label: &str, text: &str, most: usize) {
        self.hang_in(Style::Plain, label, text, most);
    }

    /// The same with the label in a style.
    pub(super) fn hang_in(&mut self, style: Style, label: &str, text: &str, most: usize) {
        let shown = shortened(text, self.width - LABEL_COLUMNS, most);
        for (index, line) in shown.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            let gap = LABEL_COLUMNS.saturating_sub(label.chars().count()).max(1);
            let label = paint(self.color, style, label);
            self.made.push(label + &" ".repeat(gap) + line);
        }
    }

    pub(super) fn table(&mut self, table: &Table) {
        self.made.extend(table.lines(self.width, self.color));
    }

    pub(super) fn faint(&mut self, line: &str) {
        self.made.push(paint(self.color, Style::Faint, line));
    }

    pub(super) fn finish(self) -> String {
        let lines = self.made.iter().map(|line| line.trim_end());
        lines.fold(String::new(), |text, line| text + line + "\n")
    }
}

/// The text in at most `most` lines; what does not fit is marked.
fn shortened(text: &str, width: usize, most: usize) -> Vec<String> {
    let mut lines = wrap(text, width);
    if lines.len() <= most {
        return lines;
    }
    lines.truncate(most);
    if let Some(last) = lines.last_mut() {
        while last.chars().count() + MORE.chars().count() > width {
            match last.rfind(' ') {
                Some(at) => last.truncate(at),
                None => break,
            }
        }
        let kept = last.trim_end_matches([',', ';', ':', ' ']).len();
        last.truncate(kept);
        last.push_str(MORE);
    }
    lines
}

/// The text in at most `room` columns.
fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    let kept: String = text.chars().take(room.saturating_sub(1)).collect();
    kept.trim_end().to_owned() + "…"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_marked() {
        assert_eq!(shortened("one two three", 20, 1), ["one two three"]);
        assert_eq!(shortened("one two, three four", 12, 1), ["one two …"]);
        assert_eq!(
            shortened("one two three four five", 9, 2),
            ["one two", "three …"]
        );
        assert_eq!(cut("fathom quick", 9), "fathom q…");
    }

    #[test]
    fn a_sentence_with_control_characters_is_said_once() {
        let mut lines = BriefLines::new(30, false);
        lines.sentence_ends("a\u{1b}[31mred  disk: 10\u{a0}ms", "VALID", Style::Good, 3);
        let expected = "a\\u001b[31mred disk:     VALID\n10 ms\n";
        assert_eq!(lines.finish(), expected);
    }

    #[test]
    fn a_headline_fills_the_line() {
        let mut lines = BriefLines::new(24, false);
        lines.ends("fathom quick", "VALID", Style::Good);
        lines.hang("means", "as expected of a drive", 2);
        let expected = "fathom quick       VALID\nmeans   as expected of a\n        drive\n";
        assert_eq!(lines.finish(), expected);
    }
}

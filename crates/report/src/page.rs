//! The page that the text format is written on: lines of a limited width.

use crate::paint::{Style, paint};
use crate::table::Table;
use crate::text_options::TextOptions;
use fathom_core::foreign::visible;

/// Width of the labels at the left edge, the gap included.
pub(crate) const LABEL_COLUMNS: usize = 12;

/// A space at which no line is broken; it becomes a plain one on the page.
pub(crate) const HARD_SPACE: &str = "\u{a0}";

/// No page is made narrower.
const LEAST_COLUMNS: usize = 40;

/// Text under construction.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
    width: usize,
    color: bool,
    /// Label of the last plain entry, not to be repeated in the next.
    last_label: String,
    entries: Vec<Entry>,
}

/// A label and its text, before they are laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Empty where the text goes on.
    pub(crate) label: String,
    pub(crate) text: String,
}

impl Page {
    pub(crate) fn new(options: TextOptions) -> Self {
        Self {
            text: String::new(),
            width: options.width.max(LEAST_COLUMNS),
            color: options.color,
            last_label: String::new(),
            entries: Vec::new(),
        }
    }

    /// An empty line, unless there is one already.
    pub(crate) fn blank(&mut self) {
        self.last_label.clear();
        if !self.text.is_empty() && !self.text.ends_with("\n\n") {
            self.text.push('\n');
        }
    }

    /// A heading with an empty line before it.
    pub(crate) fn heading(&mut self, text: &str) {
        self.blank();
        self.push_line(&paint(self.color, Style::Strong, text));
    }

    /// A label at the left edge and its `text`, wrapped. A label that is empty or the one of the
    /// entry before only indents.
    pub(crate) fn entry(&mut self, label: &str, text: &str) {
        if label.is_empty() || label == self.last_label {
            self.styled_entry("", Style::Plain, text);
        } else {
            self.styled_entry(label, Style::Plain, text);
            label.clone_into(&mut self.last_label);
        }
    }

    /// As [`Self::entry`], with the label in a style.
    pub(crate) fn styled_entry(&mut self, label: &str, style: Style, text: &str) {
        self.entries.push(Entry {
            label: label.to_owned(),
            text: visible(text).replace(HARD_SPACE, " "),
        });
        let label_columns = label.chars().count();
        let indent = LABEL_COLUMNS;
        let mut first = paint(self.color, style, label);
        if label_columns + 2 > LABEL_COLUMNS {
            // A label that is too long has the line for itself.
            self.push_line(&first);
            first = String::new();
        }
        let padding = indent - if first.is_empty() { 0 } else { label_columns };
        first.push_str(&" ".repeat(padding));
        for line in wrap(text, self.width - indent) {
            self.push_line(&(std::mem::take(&mut first) + &line));
            first = " ".repeat(indent);
        }
    }

    /// A table over the whole width.
    pub(crate) fn table(&mut self, table: &Table) {
        for line in table.lines(self.width, self.color) {
            self.push_line(&line);
        }
    }

    /// A wrapped paragraph.
    pub(crate) fn paragraph(&mut self, text: &str) {
        for line in wrap(text, self.width) {
            self.push_line(&line);
        }
    }

    /// A wrapped paragraph in small print.
    pub(crate) fn footnote(&mut self, text: &str) {
        for line in wrap(text, self.width) {
            self.push_line(&paint(self.color, Style::Faint, &line));
        }
    }

    /// What was entered, for formats with a layout of their own.
    pub(crate) fn into_entries(self) -> Vec<Entry> {
        self.entries
    }

    pub(crate) fn finish(self) -> String {
        self.text
    }

    fn push_line(&mut self, line: &str) {
        self.text.push_str(line.trim_end());
        self.text.push('\n');
    }
}

/// Breaks `text` at spaces into lines of at most `width` characters; longer words stay whole.
/// Control characters are escaped.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let text = visible(text);
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut columns = 0;
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        let length = word.chars().count();
        if columns > 0 && columns + 1 + length > width {
            lines.push(std::mem::take(&mut line));
            columns = 0;
        }
        if columns > 0 {
            line.push(' ');
            columns += 1;
        }
        line.push_str(&word.replace(HARD_SPACE, " "));
        columns += length;
    }
    lines.push(line);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(width: usize) -> Page {
        Page::new(TextOptions {
            color: false,
            width,
            ..TextOptions::default()
        })
    }

    #[test]
    fn entries_hang_under_their_text() {
        let mut page = page(60);
        page.entry("device", &"word ".repeat(14));
        page.entry("a long label", "beside");
        page.entry("", "below");
        page.entry("a long label", "once more");
        page.entry("other", "text");
        let expected = "\
device      word word word word word word word word word
            word word word word word
a long label
            beside
            below
            once more
other       text
";
        assert_eq!(page.finish(), expected);
    }

    #[test]
    fn there_is_never_more_than_one_empty_line() {
        let mut page = page(100);
        page.blank();
        page.entry("a", "b");
        page.blank();
        page.blank();
        page.heading("c");
        assert_eq!(page.finish(), "a           b\n\nc\n");
    }

    #[test]
    fn words_wider_than_the_page_stay_whole() {
        let path = "/a/very/long/path";
        assert_eq!(
            wrap(&format!("see {path} there"), 8),
            ["see", path, "there"]
        );
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("p99 34.2\u{a0}µs", 8), ["p99", "34.2 µs"]);
    }
}

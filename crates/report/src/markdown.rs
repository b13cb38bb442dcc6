//! Markdown: tables, and text that stays text in it.

use crate::table::{Align, Table};
use fathom_core::foreign::visible;

pub(crate) fn table(table: &Table, text: &mut String) {
    let (mut names, mut rules) = (String::from("|"), String::from("|"));
    for (name, align) in table.headers() {
        names += &format!(" {} |", escape(name));
        rules += match align {
            Align::Left => " --- |",
            Align::Right => " ---: |",
        };
    }
    *text += &format!("{names}\n{rules}\n");
    for row in table.rows() {
        let cells: Vec<String> = row.iter().map(|cell| escape(cell.trim())).collect();
        *text += &format!("| {} |\n", cells.join(" | "));
    }
    if let Some(caption) = table.caption_text() {
        *text += &format!("\n<sub>latency: {}</sub>\n", escape(caption));
    }
}

/// A text as it was typed, in one line, between backticks of which it has none itself.
pub(crate) fn code(text: &str) -> String {
    format!("`{}`", visible(text).replace('`', "'"))
}

/// Text that stays text: no markup, no HTML, one line.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in visible(&text.replace(['\n', '\r', '\t'], " ")).chars() {
        match letter {
            '\\' | '|' | '*' | '_' | '`' | '[' | ']' | '#' | '~' => escaped.extend(['\\', letter]),
            '<' => escaped.push_str("&lt;"),
            '&' => escaped.push_str("&amp;"),
            '>' => escaped.push_str("&gt;"),
            plain => escaped.push(plain),
        }
    }
    escaped
}

//! Answers in sections of labelled entries: as text, for a ticket, and for a browser.

use crate::assets::{STYLE, style_policy};
use crate::formats::html::view::TableView;
use crate::markdown;
use crate::page::{Entry, Page};
use crate::table::Table;
use crate::text_options::TextOptions;
use askama::Template;

/// A heading, empty for the first one, and what stands below it.
pub(crate) struct Section {
    pub(crate) heading: String,
    pub(crate) table: Option<Table>,
    pub(crate) entries: Vec<Entry>,
}

impl Section {
    pub(crate) fn new(heading: &str, entries: Vec<Entry>) -> Self {
        Self {
            heading: heading.to_owned(),
            table: None,
            entries,
        }
    }
}

pub(crate) fn entry(label: &str, text: impl Into<String>) -> Entry {
    Entry {
        label: label.to_owned(),
        text: text.into(),
    }
}

/// The first entry is the answer.
pub(crate) fn as_text(sections: &[Section], options: TextOptions) -> String {
    let mut page = Page::new(options);
    for (index, section) in sections.iter().enumerate() {
        page.blank();
        if !section.heading.is_empty() {
            page.heading(&section.heading);
        }
        if let Some(table) = &section.table {
            page.table(table);
            page.blank();
        }
        for (row, entry) in section.entries.iter().enumerate() {
            if index == 0 && row == 0 {
                page.footnote(&entry.text);
                page.blank();
            } else {
                page.entry(&entry.label, &entry.text);
            }
        }
    }
    page.finish()
}

pub(crate) fn as_markdown(sections: &[Section]) -> String {
    let mut text = String::new();
    for (index, section) in sections.iter().enumerate() {
        if !section.heading.is_empty() {
            text += &format!("\n#### {}\n\n", markdown::escape(&section.heading));
        } else if index > 0 {
            text.push('\n');
        }
        if let Some(table) = &section.table {
            markdown::table(table, &mut text);
        }
        for (row, entry) in section.entries.iter().enumerate() {
            if index == 0 && row == 0 {
                text += &format!("**{}**\n\n", markdown::escape(&entry.text));
                continue;
            }
            let is_command = matches!(entry.label.as_str(), "decide" | "or" | "against");
            let words = if is_command {
                markdown::code(&entry.text)
            } else {
                markdown::escape(&entry.text)
            };
            let label = markdown::escape(&entry.label);
            text += &match label.as_str() {
                "" => format!("- {words}\n"),
                label => format!("- {label}: {words}\n"),
            };
        }
    }
    text
}

#[derive(Template)]
#[template(path = "sections.html")]
struct View<'a> {
    policy: String,
    style: &'a str,
    what: &'a str,
    headline: &'a str,
    sections: Vec<SectionView<'a>>,
}

struct SectionView<'a> {
    heading: &'a str,
    table: Option<TableView>,
    entries: &'a [Entry],
}

/// One file without scripts; `what` names the kind of the answer.
pub(crate) fn as_html(what: &str, sections: &[Section]) -> String {
    let views = sections.iter().map(|section| SectionView {
        heading: &section.heading,
        table: section
            .table
            .as_ref()
            .map(|table| TableView::of(what, table, Vec::new())),
        entries: &section.entries,
    });
    View {
        policy: style_policy(),
        style: STYLE.text,
        what,
        headline: &sections[0].entries[0].text,
        sections: views.collect(),
    }
    .render()
    .expect("a template of ours writes to memory")
}

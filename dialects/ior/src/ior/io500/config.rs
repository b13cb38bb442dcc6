//! Reads the file: sections in brackets, a key and its value on a line, and comments.

use super::keys::{self, Does};
use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Notes, Standing};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// What a file says.
pub(super) struct Config {
    file: Arc<str>,
    text: Arc<str>,
    /// Values that are used, with where they are, by section and key in lower case.
    values: HashMap<(String, String), (String, Range<usize>)>,
    pub(super) errors: Faults,
    pub(super) notes: Notes,
    /// Sizes that it does not state, as they are taken for each task.
    pub(super) sizes: Vec<String>,
}

/// A line without its comment, which begins with a blank before it or at the start.
fn content(line: &str) -> &str {
    let mut before = ' ';
    let mut marks = line.char_indices().filter(|(_, mark)| {
        let begins = ['#', ';'].contains(mark) && before.is_whitespace();
        before = *mark;
        begins
    });
    let end = marks.next().map_or(line.len(), |(at, _)| at);
    line[..end].trim()
}

/// The name of a section in a line that begins one.
pub(super) fn section(line: &str) -> Option<&str> {
    let inner = content(line).strip_prefix('[')?.strip_suffix(']')?;
    Some(inner.trim())
}

impl Config {
    pub(super) fn read(text: &str, file: &str) -> Self {
        let mut config = Self {
            file: file.into(),
            text: text.into(),
            values: HashMap::new(),
            errors: Faults::default(),
            notes: Notes::default(),
            sizes: Vec::new(),
        };
        let mut at = 0;
        let mut inside = None;
        for line in text.split_inclusive('\n') {
            if config.errors.is_hopeless() {
                break;
            }
            let start = at + (line.len() - line.trim_start().len());
            let span = start..start.max(at + line.trim_end().len());
            at += line.len();
            if let Some(name) = section(line) {
                inside = Some(name.to_lowercase());
                if !keys::is_section(&name.to_lowercase()) {
                    let message = format!("IO500 has no section `[{name}]`");
                    config.error(span, message, "a section of IO500, such as [ior-easy]");
                    inside = None;
                }
            } else if !content(line).is_empty() {
                config.line(inside.as_deref(), content(line), span);
            }
        }
        config
    }

    pub(super) fn error(&mut self, span: Range<usize>, message: impl Into<String>, remedy: &str) {
        self.errors.push(Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message: message.into(),
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            span,
            suggestion: None,
            remedy: Some(remedy.to_owned()),
        });
    }

    fn line(&mut self, section: Option<&str>, line: &str, span: Range<usize>) {
        let Some((name, value)) = line.split_once('=') else {
            self.error(span, "this is no `key = value`", "as in `datadir = /data`");
            return;
        };
        let (name, value) = (name.trim(), value.trim());
        // Below a section that is not known nothing is either.
        let Some(section) = section else { return };
        let key = name.to_lowercase();
        let Some(does) = keys::find(section, &key) else {
            let message = format!("`[{section}]` has no key `{name}`");
            self.error(span, message, "a key of IO500's own configuration");
            return;
        };
        // Without a value it is not set.
        if value.is_empty() {
            return;
        }
        match does {
            Does::Used => {
                let place = (section.to_owned(), key);
                self.values.insert(place, (value.to_owned(), span));
            }
            Does::Nothing(why) => {
                let note = Note::new(Standing::Ignored, format!("[{section}] {name}"), why);
                self.notes.add(note);
            }
            Does::Only(taken, why) => {
                let is_off = taken == "FALSE" && value == "0";
                if !is_off && !value.eq_ignore_ascii_case(taken) {
                    let message = format!("`[{section}] {name} = {value}` is not taken: {why}");
                    let remedy = match taken {
                        "" => "without it".to_owned(),
                        taken => format!("{name} = {taken}"),
                    };
                    self.error(span, message, &remedy);
                }
            }
        }
    }

    /// A value that is set.
    pub(super) fn value(&self, section: &str, key: &str) -> Option<&str> {
        self.at(section, key).map(|(value, _)| value.as_str())
    }

    /// Where a value is, or the end of the file.
    pub(super) fn place(&self, section: &str, key: &str) -> Range<usize> {
        let end = self.text.trim_end().len();
        self.at(section, key)
            .map_or(end..end, |(_, span)| span.clone())
    }

    fn at(&self, section: &str, key: &str) -> Option<&(String, Range<usize>)> {
        self.values.get(&(section.to_owned(), key.to_owned()))
    }

    /// A flag, or `without` where no value is set.
    pub(super) fn flag(&mut self, section: &str, key: &str, without: bool) -> bool {
        let Some((value, span)) = self.at(section, key).cloned() else {
            return without;
        };
        if value.eq_ignore_ascii_case("true") || value == "1" {
            return true;
        }
        if !value.eq_ignore_ascii_case("false") && value != "0" {
            let message = format!("`{value}` is no value for [{section}] {key}");
            self.error(span, message, "TRUE or FALSE");
        }
        false
    }
}

//! The lines of a configuration file: keys begin with an apostrophe, data follows.

use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use std::ops::Range;
use std::sync::Arc;

/// A line without what surrounds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct IcfLine<'a> {
    pub(super) text: &'a str,
    /// Its place in the file.
    pub(super) place: Range<usize>,
}

impl<'a> IcfLine<'a> {
    /// Its parts between commas, or between blanks where there is no comma; each with its place.
    pub(super) fn parts(&self) -> Vec<IcfLine<'a>> {
        let by_comma = self.text.contains(',');
        let mut parts = Vec::new();
        let mut at = self.place.start;
        let is_gap = |c: char| {
            if by_comma {
                c == ','
            } else {
                c.is_whitespace()
            }
        };
        for raw in self.text.split(is_gap) {
            let lead = raw.len() - raw.trim_start().len();
            let text = raw.trim();
            let start = at + lead;
            if by_comma || !text.is_empty() {
                parts.push(IcfLine {
                    text,
                    place: start..start + text.len(),
                });
            }
            at += raw.len() + 1;
        }
        parts
    }
}

/// A file, read line by line.
#[derive(Clone, Debug)]
pub(super) struct IcfLines<'a> {
    file: Arc<str>,
    shared: Arc<str>,
    text: &'a str,
    at: usize,
}

impl<'a> IcfLines<'a> {
    pub(super) fn new(text: &'a str, file: &str) -> Self {
        Self {
            file: file.into(),
            shared: text.into(),
            text,
            // Windows likes to begin a file with the mark of its encoding.
            at: text.len() - text.trim_start_matches('\u{feff}').len(),
        }
    }

    /// The next line, whatever it is, and where the one after it begins.
    fn look(&self) -> Option<(IcfLine<'a>, usize)> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let length = rest.find('\n').map_or(rest.len(), |end| end + 1);
        let raw = &rest[..length];
        let text = raw.trim();
        let start = self.at + (raw.len() - raw.trim_start().len()).min(raw.len());
        // Of an empty line the place is its beginning, not that of the next.
        let start = if text.is_empty() { self.at } else { start };
        let line = IcfLine {
            text,
            place: start..start + text.len(),
        };
        Some((line, self.at + length))
    }

    /// The next line, whatever it is.
    pub(super) fn next(&mut self) -> Option<IcfLine<'a>> {
        let (line, next) = self.look()?;
        self.at = next;
        Some(line)
    }

    /// The data line that follows a key; headings of columns in between are passed over.
    pub(super) fn data(&mut self) -> Option<IcfLine<'a>> {
        loop {
            let (line, next) = self.look()?;
            match line.text.strip_prefix('\'') {
                Some(rest) if rest.starts_with(char::is_whitespace) => self.at = next,
                Some(_) => return None,
                None => {
                    self.at = next;
                    return Some(line);
                }
            }
        }
    }

    /// All data lines up to the next key, empty ones left out.
    pub(super) fn all_data(&mut self) -> Vec<IcfLine<'a>> {
        let mut all = Vec::new();
        while let Some(line) = self.data() {
            if !line.text.is_empty() {
                all.push(line);
            }
        }
        all
    }

    /// An error at a place.
    pub(super) fn error(
        &self,
        place: Range<usize>,
        message: impl Into<String>,
        remedy: &str,
    ) -> Diagnostic {
        Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message: message.into(),
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.shared),
            span: place,
            suggestion: None,
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
        }
    }
}

/// What a key line says: in lower case, without the apostrophe and what rules it off.
pub(super) fn key(text: &str) -> Option<String> {
    let key = text.strip_prefix('\'')?;
    Some(key.trim_end_matches('=').trim().to_lowercase())
}

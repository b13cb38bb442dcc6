//! Where in its text each word or element of an input stands.

use super::options::OptionForm;
use super::profile::MOST_TARGETS;
use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use fathom_tools::translation::{Note, Standing};
use std::cell::RefCell;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// Of what in a profile something is said: a time span, and perhaps one of its targets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct At {
    pub(super) span: usize,
    pub(super) target: Option<usize>,
}

impl At {
    pub(super) const fn span(span: usize) -> Self {
        Self { span, target: None }
    }

    pub(super) const fn target(span: usize, target: usize) -> Self {
        Self {
            span,
            target: Some(target),
        }
    }
}

/// A note, and where in the text it belongs.
pub(super) type PlacedNote = (usize, Note);

/// A text and the places in it.
#[derive(Clone, Debug)]
pub(super) struct Source {
    pub(super) file: Arc<str>,
    pub(super) text: Arc<str>,
    places: Places,
}

#[derive(Clone, Debug)]
enum Places {
    /// Words of a command line, the program's name left out; and the last ones that begin with what
    /// was looked for, which is looked for again for each target.
    Words(
        Vec<Range<usize>>,
        RefCell<HashMap<&'static str, Option<Range<usize>>>>,
    ),
    /// The first elements of a name in each part of a profile.
    Elements(HashMap<String, HashMap<At, Range<usize>>>),
}

impl Source {
    /// A command line: the words joined by blanks. Returns it with the place of each word but the
    /// first, which is the program.
    pub(super) fn command_line(argv: &[String]) -> Self {
        let mut text = String::new();
        let mut words = Vec::new();
        for (index, word) in argv.iter().enumerate() {
            if index > 0 {
                text.push(' ');
            }
            let start = text.len();
            // A place has to be inside one line.
            text.push_str(&word.replace(['\n', '\r'], " "));
            if index > 0 {
                words.push(start..text.len());
            }
        }
        Self {
            file: "command line".into(),
            text: text.into(),
            places: Places::Words(words, RefCell::default()),
        }
    }

    pub(super) fn elements(
        file: &str,
        text: &str,
        elements: Vec<(At, String, Range<usize>)>,
    ) -> Self {
        let mut first: HashMap<String, HashMap<At, Range<usize>>> = HashMap::new();
        for (at, name, place) in elements {
            let of_name = first.entry(name).or_default();
            of_name.entry(at).or_insert(place);
        }
        Self {
            file: file.into(),
            text: text.into(),
            places: Places::Elements(first),
        }
    }

    /// The place of a word.
    pub(super) fn word(&self, index: usize) -> Range<usize> {
        match &self.places {
            Places::Words(words, _) => words.get(index).cloned().unwrap_or(0..0),
            Places::Elements(_) => 0..0,
        }
    }

    /// The place of a target: the word or element that names it.
    pub(super) fn target(&self, at: At, path: &str) -> Range<usize> {
        match &self.places {
            Places::Words(words, _) => {
                let named = |place: &&Range<usize>| &self.text[(*place).clone()] == path;
                // Targets come last.
                let place = words.iter().rev().take(MOST_TARGETS).find(named).cloned();
                place.unwrap_or_else(|| self.whole())
            }
            Places::Elements(_) => self.find(&super::options::TARGET, at).1,
        }
    }

    /// Where the input says what `row` is about, and the words with which it does.
    fn find(&self, row: &OptionForm, at: At) -> (String, Range<usize>) {
        let found = match &self.places {
            Places::Words(words, known) => {
                let start = |prefix: &'static str| {
                    let begins = |place: &&Range<usize>| {
                        !prefix.is_empty() && self.text[(*place).clone()].starts_with(prefix)
                    };
                    let mut known = known.borrow_mut();
                    let last = known.entry(prefix);
                    last.or_insert_with(|| words.iter().rfind(begins).cloned())
                        .clone()
                };
                let end = row
                    .form
                    .find(['<', '[', ',', ' '])
                    .unwrap_or(row.form.len());
                let letters = row.form.char_indices().nth(2).map_or(end, |(at, _)| at);
                start(&row.form[..end]).or_else(|| start(&row.form[..letters.min(end)]))
            }
            Places::Elements(elements) => {
                let of_name = elements.get(row.element);
                let named = |wanted: At| of_name?.get(&wanted).cloned();
                named(at).or_else(|| named(At::span(at.span)))
            }
        };
        if let Some(place) = found {
            return (self.text[place.clone()].to_owned(), place);
        }
        let end = row.form.find(['<', '[']).unwrap_or(row.form.len());
        let end = if end == 0 { row.form.len() } else { end };
        (row.form[..end].to_owned(), self.whole())
    }

    /// The first line: what nothing narrower can be said of.
    fn whole(&self) -> Range<usize> {
        0..self.text.find('\n').unwrap_or(self.text.len())
    }

    /// The note that `row` holds about what the input says.
    pub(super) fn note(&self, row: &OptionForm, at: At) -> PlacedNote {
        self.remark(row, at, row.standing, row.remark)
    }

    /// A note of another kind.
    pub(super) fn remark(
        &self,
        row: &OptionForm,
        at: At,
        standing: Standing,
        message: &str,
    ) -> PlacedNote {
        let (what, place) = self.find(row, at);
        (place.start, Note::new(standing, what, message))
    }

    /// Whether a place is that of all that nothing narrower can be said of.
    pub(super) fn is_whole(&self, place: &Range<usize>) -> bool {
        *place == self.whole()
    }

    /// The input in one line, for the workload.
    pub(super) fn origin(&self) -> &str {
        match &self.places {
            Places::Words(..) => &self.text,
            Places::Elements(_) => &self.file,
        }
    }

    /// The refusal that `row` holds.
    pub(super) fn refusal(&self, row: &OptionForm, at: At) -> Diagnostic {
        self.error_about(row, at, row.remark, row.remedy)
    }

    /// An error about what `row` stands for.
    pub(super) fn error_about(
        &self,
        row: &OptionForm,
        at: At,
        message: impl Into<String>,
        remedy: &str,
    ) -> Diagnostic {
        self.error(self.find(row, at).1, message, remedy)
    }

    /// An error at a place of the text.
    pub(super) fn error(
        &self,
        span: Range<usize>,
        message: impl Into<String>,
        remedy: &str,
    ) -> Diagnostic {
        Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message: message.into(),
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            span,
            suggestion: None,
            remedy: (!remedy.is_empty()).then(|| remedy.to_owned()),
        }
    }
}

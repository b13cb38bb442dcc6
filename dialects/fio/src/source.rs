//! Where a word of an input stands, so that whatever is said of it can show the place.

use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Notes, Standing};
use std::ops::Range;
use std::sync::Arc;

/// A text and the name under which the user knows it.
#[derive(Debug)]
pub(super) struct Source {
    pub(super) file: Arc<str>,
    pub(super) text: Arc<str>,
}

impl Source {
    pub(super) fn new(file: &str, text: &str) -> Arc<Self> {
        Arc::new(Self {
            file: file.into(),
            text: text.into(),
        })
    }
}

/// A part of a line of a source.
#[derive(Clone, Debug)]
pub(super) struct TextPlace {
    pub(super) source: Arc<Source>,
    pub(super) span: Range<usize>,
}

/// Why a word cannot be taken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) message: String,
    pub(super) suggestion: Option<String>,
    pub(super) remedy: Option<String>,
}

impl Wrong {
    pub(super) fn new(message: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self {
            message: message.into(),
            suggestion: None,
            remedy: Some(remedy.into()),
        }
    }

    pub(super) fn suggest(mut self, known: Option<&str>) -> Self {
        self.suggestion = known.map(|name| format!("did you mean `{name}`?"));
        self
    }
}

/// What is found while an input is read: errors and warnings with their place, and notes.
#[derive(Debug, Default)]
pub(super) struct Findings {
    errors: Faults,
    warnings: Faults,
    notes: Notes,
}

impl Findings {
    /// Errors of another text.
    pub(super) fn extend(&mut self, wrong: Vec<Diagnostic>) {
        self.errors.extend(wrong);
    }

    pub(super) fn error(&mut self, place: &TextPlace, wrong: Wrong) {
        push(&mut self.errors, Severity::Error, place, wrong);
    }

    pub(super) fn warn(&mut self, place: &TextPlace, wrong: Wrong) {
        push(&mut self.warnings, Severity::Warning, place, wrong);
    }

    /// A note; the same one is not said twice, as of an option in `[global]` for each job.
    pub(super) fn note(&mut self, standing: Standing, what: &str, message: impl Into<String>) {
        self.notes.add(Note::new(standing, what, message));
    }

    /// The notes, in the order in which they were made.
    pub(super) fn take_notes(&mut self) -> Vec<Note> {
        std::mem::take(&mut self.notes).into_vec()
    }

    pub(super) fn is_clean(&self) -> bool {
        self.errors.is_empty()
    }

    /// Whether further errors are only counted.
    pub(super) const fn is_full(&self) -> bool {
        self.errors.is_full()
    }

    /// Whether reading on is of no use.
    pub(super) const fn is_hopeless(&self) -> bool {
        self.errors.is_hopeless()
    }

    /// Number of errors.
    pub(super) const fn errors(&self) -> usize {
        self.errors.len()
    }

    /// The warnings, in the order in which they were found.
    pub(super) fn take_warnings(&mut self) -> Vec<Diagnostic> {
        std::mem::take(&mut self.warnings).into_vec()
    }

    /// The errors, in the order in which they stand in their texts.
    pub(super) fn into_errors(mut self) -> Vec<Diagnostic> {
        let first = self
            .errors
            .told()
            .first()
            .map(|first| Arc::clone(&first.file));
        let elsewhere = |error: &Diagnostic| Some(&error.file) != first.as_ref();
        self.errors
            .sort_by_key(|error| (elsewhere(error), error.span.start));
        self.errors.into_vec()
    }
}

fn push(list: &mut Faults, severity: Severity, place: &TextPlace, wrong: Wrong) {
    let diagnostic = Diagnostic {
        skipped: Skipped::default(),
        severity,
        message: wrong.message,
        file: Arc::clone(&place.source.file),
        text: Arc::clone(&place.source.text),
        span: place.span.clone(),
        suggestion: wrong.suggestion,
        remedy: wrong.remedy,
    };
    list.push(diagnostic);
}

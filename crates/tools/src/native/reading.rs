//! One text being read: what was found wrong, and where each resolved value was written.

use super::group::Tree;
use super::made::made;
use crate::diagnostic::{Diagnostic, Severity, Skipped};
use crate::faults::Faults;
use fathom_core::spec::fields::Group;
use fathom_core::spec::validate::Violation;
use serde::de::DeserializeOwned;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

pub(super) struct Reading {
    file: Arc<str>,
    text: Arc<str>,
    found: RefCell<Faults>,
    /// From the path of a value in the resolved workload to the bytes that decided it; none where
    /// nobody will ask. To make the paths takes a third of the time of reading.
    places: Option<RefCell<BTreeMap<String, Range<usize>>>>,
    /// Of those, the paths that somebody will ask for, and all around them.
    asked: HashSet<String>,
}

impl Reading {
    pub(super) fn new(text: &str, file: &str) -> Self {
        Self {
            file: file.into(),
            text: text.into(),
            found: RefCell::default(),
            places: None,
            asked: HashSet::new(),
        }
    }

    /// The same text, read again for where the values were decided that break these rules.
    pub(super) fn with_places(&self, violations: &[Violation]) -> Self {
        let around = violations.iter().flat_map(|one| ancestors(&one.path));
        Self {
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            found: RefCell::default(),
            places: Some(RefCell::default()),
            asked: around.map(str::to_owned).collect(),
        }
    }

    /// Whether a table of a list is of use: where places are looked for, only one that has some.
    pub(super) fn asks_for(&self, path: &str) -> bool {
        self.places.is_none() || self.asked.contains(path)
    }

    /// Whether it is remembered where values were decided.
    pub(super) const fn keeps_places(&self) -> bool {
        self.places.is_some()
    }

    /// Remembers that the value at `path` was decided at `span`.
    pub(super) fn place(&self, path: impl FnOnce() -> String, span: &Range<usize>) {
        if let Some(places) = &self.places {
            places.borrow_mut().insert(path(), span.clone());
        }
    }

    /// The line of a place, from 1.
    pub(super) fn line(&self, span: &Range<usize>) -> usize {
        1 + self.text[..span.start].matches('\n').count()
    }

    /// The text of a place.
    pub(super) fn quoted(&self, span: &Range<usize>) -> Option<&str> {
        self.text.get(span.clone())
    }

    pub(super) fn error(
        &self,
        span: &Range<usize>,
        message: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        self.add(span, message.into(), None, Some(remedy.into()));
    }

    pub(super) fn add(
        &self,
        span: &Range<usize>,
        message: String,
        suggestion: Option<String>,
        remedy: Option<String>,
    ) {
        let diagnostic = Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message,
            file: Arc::clone(&self.file),
            text: Arc::clone(&self.text),
            span: self.within_line(span),
            suggestion,
            remedy,
        };
        // Both halves of a short form may break the same rule in the same words: it is said once.
        self.found.borrow_mut().push(diagnostic);
    }

    /// Shows a broken rule at the place that decided the value, or at the nearest one around it.
    pub(super) fn violation(&self, violation: Violation) {
        let span = self.places.as_ref().and_then(|places| {
            let places = places.borrow();
            ancestors(&violation.path).find_map(|path| places.get(path).cloned())
        });
        self.error(&span.unwrap_or(0..0), violation.message, violation.remedy);
    }

    /// Whether further findings are only counted.
    pub(super) fn is_full(&self) -> bool {
        self.found.borrow().is_full()
    }

    /// Whether reading on is of no use.
    pub(super) fn is_hopeless(&self) -> bool {
        self.found.borrow().is_hopeless()
    }

    /// A part of the workload out of what the text says of it, unless anything was found.
    pub(super) fn made<T: DeserializeOwned>(&self, tree: &Tree, group: &Group) -> Option<T> {
        if !self.is_clean() {
            return None;
        }
        match made(tree, group) {
            Ok(part) => Some(part),
            Err(error) => {
                let remedy = "docs/specification.md lists the keys of a workload";
                self.error(&(0..0), error.to_string(), remedy);
                None
            }
        }
    }

    pub(super) fn is_clean(&self) -> bool {
        self.found.borrow().is_empty()
    }

    /// All that was found, in the order of the text.
    pub(super) fn into_diagnostics(self) -> Vec<Diagnostic> {
        let mut found = self.found.into_inner();
        found.sort_by_key(|diagnostic| diagnostic.span.start);
        found.into_vec()
    }

    /// The part of `span` in its first line, on character boundaries.
    fn within_line(&self, span: &Range<usize>) -> Range<usize> {
        let boundary = |at: usize| {
            let mut at = at.min(self.text.len());
            while !self.text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let start = boundary(span.start);
        let end = boundary(span.end).max(start);
        let line = self.text[start..end].find(['\n', '\r']);
        start..line.map_or(end, |length| start + length)
    }
}

/// The path itself and then each path around it, the root last.
fn ancestors(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(path), |path| {
        if path.is_empty() {
            return None;
        }
        Some(path.rfind(['.', '[']).map_or("", |at| &path[..at]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_paths_around_a_path_end_at_the_root() {
        let found: Vec<&str> = ancestors("phase[0].job[1].io[2].op").collect();
        assert_eq!(
            found,
            [
                "phase[0].job[1].io[2].op",
                "phase[0].job[1].io[2]",
                "phase[0].job[1].io",
                "phase[0].job[1]",
                "phase[0].job",
                "phase[0]",
                "phase",
                ""
            ]
        );
    }
}

//! The lines of a job file: sections, options, includes, comments, variables.

use super::machine;
use super::source::{Findings, Source, TextPlace, Wrong};
use fathom_tools::dialects::{Surroundings, reason};
use std::borrow::Cow;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Deepest nesting of includes that is followed.
const DEEPEST: usize = 8;

/// Most bytes of included files, each time counted: files that include each other many times come
/// to more than anybody could read.
const MOST_INCLUDED: usize = 16 << 20;

/// Most options of one section.
pub(super) const MOST_OPTIONS: usize = 10_000;

/// Most includes that are followed.
const MOST_INCLUDES: usize = 1000;

/// `key=value`, or a key alone.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) value: Option<String>,
    pub(super) place: TextPlace,
    pub(super) value_place: TextPlace,
}

impl Entry {
    /// Where the key stands, without its value.
    pub(super) fn key_place(&self) -> TextPlace {
        let text = &self.place.source.text[self.place.span.clone()];
        let mut place = self.place.clone();
        if text.starts_with(&self.key) {
            place.span.end = place.span.start + self.key.len();
        }
        place
    }
}

/// A section and what is in it.
#[derive(Clone, Debug)]
pub(super) struct Section {
    pub(super) name: String,
    pub(super) place: TextPlace,
    pub(super) entries: Vec<Entry>,
}

impl Section {
    /// Whether it holds defaults for the sections that follow.
    pub(super) fn is_global(&self) -> bool {
        self.name.starts_with("global")
    }
}

/// The sections of a text.
pub(super) fn sections(
    source: &Arc<Source>,
    surroundings: &dyn Surroundings,
    findings: &mut Findings,
) -> Vec<Section> {
    let mut lexer = Lexer {
        surroundings,
        findings,
        sections: Vec::new(),
        includes: 0,
        included_bytes: 0,
        is_over: false,
    };
    lexer.text(source, 0);
    lexer.sections
}

struct Lexer<'a> {
    surroundings: &'a dyn Surroundings,
    findings: &'a mut Findings,
    sections: Vec<Section>,
    /// How many includes were followed, and how many bytes they came to.
    includes: usize,
    included_bytes: usize,
    /// Whether that was too much.
    is_over: bool,
}

impl Lexer<'_> {
    fn text(&mut self, source: &Arc<Source>, depth: usize) {
        let mut at = 0;
        for line in source.text.split_inclusive('\n') {
            let content = line.split([';', '#']).next().unwrap_or_default();
            let span = trimmed(&source.text, at..at + content.len());
            at += line.len();
            if !span.is_empty() && !self.findings.is_hopeless() {
                self.line(source, span, depth);
            }
        }
    }

    fn line(&mut self, source: &Arc<Source>, span: Range<usize>, depth: usize) {
        let text = &source.text[span.clone()];
        let place = TextPlace {
            source: Arc::clone(source),
            span: span.clone(),
        };
        if let Some(rest) = text.strip_prefix('[') {
            return self.section(rest, place, depth);
        }
        if let Some(path) = text.strip_prefix("include").filter(|path| {
            path.starts_with(char::is_whitespace) && !path.trim_start().starts_with('=')
        }) {
            return self.include(path.trim(), &place, depth);
        }
        let Some(section) = self.sections.last_mut() else {
            let wrong = Wrong::new(
                "an option before any section",
                "begin with a section, as in [global] or [job1]",
            );
            return self.findings.error(&place, wrong);
        };
        let (key_end, value) = match text.find('=') {
            Some(equals) => (equals, Some(span.start + equals + 1..span.end)),
            None => (text.len(), None),
        };
        let value_span = value.map(|value| trimmed(&source.text, value));
        let value = value_span
            .clone()
            .map(|value| expand(&source.text[value], self.surroundings).into_owned());
        let value_place = match value_span {
            Some(value) if !value.is_empty() => TextPlace {
                source: Arc::clone(source),
                span: value,
            },
            _ => place.clone(),
        };
        // fio has some hundred; beyond, nobody has written them, and those that are left out would
        // be read one by one. One more than the most tells that there are too many.
        if section.entries.len() > MOST_OPTIONS {
            return;
        }
        section.entries.push(Entry {
            key: text[..key_end].trim().to_owned(),
            value,
            place,
            value_place,
        });
    }

    fn section(&mut self, rest: &str, place: TextPlace, depth: usize) {
        if depth > 0 {
            let remedy = "options only, for the section that includes the file";
            let wrong = Wrong::new("an included file cannot begin a section", remedy);
            return self.findings.error(&place, wrong);
        }
        let Some(end) = rest.rfind(']') else {
            let wrong = Wrong::new("a section without its closing bracket", "as in [job1]");
            return self.findings.error(&place, wrong);
        };
        self.sections.push(Section {
            name: rest[..end].to_owned(),
            place,
            entries: Vec::new(),
        });
    }

    fn include(&mut self, path: &str, place: &TextPlace, depth: usize) {
        if depth >= DEEPEST {
            let wrong = Wrong::new(
                format!("includes are nested more than {DEEPEST} deep"),
                "a file that does not include itself",
            );
            return self.findings.error(place, wrong);
        }
        if self.includes >= MOST_INCLUDES || self.included_bytes > MOST_INCLUDED {
            // Said once, not for each of those that would follow.
            if !self.is_over {
                let wrong = Wrong::new(
                    "too much is included",
                    format!("{MOST_INCLUDES} includes and 16 MiB at most, each time counted"),
                );
                self.findings.error(place, wrong);
            }
            self.is_over = true;
            return;
        }
        let folder = Path::new(&*place.source.file).parent();
        let path = folder.unwrap_or(Path::new("")).join(path);
        match self.surroundings.read(&path) {
            Ok(text) => {
                self.includes += 1;
                self.included_bytes += text.len();
                self.text(&Source::new(&path.to_string_lossy(), &text), depth + 1);
            }
            Err(error) => {
                let message = format!("cannot read {}: {}", path.display(), reason(&error));
                let remedy = "a path relative to the file that includes it";
                self.findings.error(place, Wrong::new(message, remedy));
            }
        }
    }
}

/// The span without blanks at its ends.
fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = &text[span.clone()];
    let start = span.start + (part.len() - part.trim_start().len());
    start..start + part.trim().len()
}

/// The value with variables and words of the machine in their place.
pub(super) fn expand<'a>(value: &'a str, surroundings: &dyn Surroundings) -> Cow<'a, str> {
    if !value.contains('$') {
        return value.into();
    }
    let mut expanded = String::new();
    let mut rest = value;
    while let Some(begin) = rest.find("${") {
        let Some(length) = rest[begin..].find('}') else {
            break;
        };
        expanded.push_str(&rest[..begin]);
        let name = &rest[begin + 2..begin + length];
        expanded.push_str(&surroundings.variable(name).unwrap_or_default());
        rest = &rest[begin + length + 1..];
    }
    expanded.push_str(rest);
    machine::expand(&expanded, surroundings).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    /// Files that include the next one twenty times each, seven deep.
    struct Nested;

    impl Surroundings for Nested {
        fn size_bytes(&self, _: &Path) -> Option<u64> {
            None
        }

        fn read(&self, path: &Path) -> io::Result<String> {
            let depth = path.to_string_lossy().len();
            let next = if depth < 7 {
                format!("include {}\n", "x".repeat(depth + 1)).repeat(20)
            } else {
                "bs=4k\n".to_owned()
            };
            Ok(next)
        }

        fn variable(&self, _: &str) -> Option<String> {
            None
        }
    }

    #[test]
    fn includes_without_end_are_given_up_and_told_once() {
        let source = Source::new("a.fio", "[a]\ninclude x\nsize=1m\n");
        let mut findings = Findings::default();
        let sections = sections(&source, &Nested, &mut findings);
        let told: Vec<String> = findings
            .into_errors()
            .iter()
            .map(|e| e.message.clone())
            .collect();
        assert_eq!(told, ["too much is included"]);
        let entries: Vec<usize> = sections.iter().map(|one| one.entries.len()).collect();
        // Those of the innermost files that were reached, and the one after them.
        assert_eq!(entries, [946]);
    }
}

//! The lines of a parameter file and of those that it includes: comments are dropped, variables
//! replaced, and lines that go on are put together.

use crate::parameter::Wrong;
use fathom_tools::diagnostic::{Diagnostic, Severity, Skipped};
use fathom_tools::dialects::{Surroundings, reason};
use fathom_tools::faults::Faults;
use fathom_tools::translation::{Note, Notes, Standing};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Files that an input may include.
const MOST_INCLUDES: usize = 100;
/// Bytes that all lines may have when their variables are replaced.
const MOST_BYTES: usize = 1 << 28;

/// A file that is read.
#[derive(Debug)]
pub(crate) struct Source {
    name: Arc<str>,
    text: Arc<str>,
}

/// Where something is in a file.
#[derive(Clone, Debug)]
pub(crate) struct SourcePlace {
    source: Arc<Source>,
    span: Range<usize>,
}

impl SourcePlace {
    /// An error here.
    pub(crate) fn error(&self, (message, remedy): Wrong) -> Diagnostic {
        Diagnostic {
            skipped: Skipped::default(),
            severity: Severity::Error,
            message,
            file: Arc::clone(&self.source.name),
            text: Arc::clone(&self.source.text),
            span: self.span.clone(),
            suggestion: None,
            remedy: (!remedy.is_empty()).then_some(remedy),
        }
    }
}

/// A physical line inside a logical one.
#[derive(Debug)]
struct Piece {
    /// Where it begins in the logical line.
    at: usize,
    place: SourcePlace,
    /// Whether a variable was replaced in it: the place is that of the whole line then.
    replaced: bool,
}

/// Lines that belong together: all but the last end in a comma.
#[derive(Debug, Default)]
pub(crate) struct Logical {
    pub(crate) text: String,
    pieces: Vec<Piece>,
}

impl Logical {
    /// Where a part of it is; the end is cut to the line of its start.
    pub(crate) fn place(&self, part: Range<usize>) -> SourcePlace {
        let index = self.pieces.partition_point(|piece| piece.at <= part.start);
        let piece = &self.pieces[index.saturating_sub(1)];
        let mut place = piece.place.clone();
        if !piece.replaced {
            let start = place.span.start + (part.start - piece.at);
            let end = (start + part.len()).min(place.span.end);
            place.span = start.min(end)..end;
        }
        place
    }
}

/// Values of variables, as in `$lun` or `!lun`.
pub(crate) type Variables = BTreeMap<String, String>;

/// Reads files into logical lines.
pub(crate) struct ParameterLines<'a> {
    surroundings: &'a dyn Surroundings,
    variables: &'a Variables,
    pub(crate) errors: Faults,
    pub(crate) notes: Notes,
    pub(crate) list: Vec<Logical>,
    used: HashSet<String>,
    includes: usize,
    bytes: usize,
    /// Whether the last line goes on.
    continues: bool,
}

impl<'a> ParameterLines<'a> {
    pub(crate) fn new(surroundings: &'a dyn Surroundings, variables: &'a Variables) -> Self {
        Self {
            surroundings,
            variables,
            errors: Faults::default(),
            notes: Notes::default(),
            list: Vec::new(),
            used: HashSet::new(),
            includes: 0,
            bytes: 0,
            continues: false,
        }
    }

    /// The names of variables that no line has.
    pub(crate) fn unused(&self) -> impl Iterator<Item = &String> {
        let names = self.variables.keys();
        names.filter(|name| !self.used.contains(*name))
    }

    /// Reads a whole file; where it begins.
    pub(crate) fn read(&mut self, text: &str, name: &str) -> SourcePlace {
        self.file(text, name, false)
    }

    fn file(&mut self, text: &str, name: &str, is_included: bool) -> SourcePlace {
        let source = Arc::new(Source {
            name: name.into(),
            text: text.into(),
        });
        let begin = SourcePlace {
            source: Arc::clone(&source),
            span: 0..0,
        };
        let mut at = 0;
        for raw in text.split_inclusive('\n') {
            let line = raw.trim_start_matches('\u{feff}').trim();
            let start = at + (raw.len() - raw.trim_start_matches('\u{feff}').trim_start().len());
            at += raw.len();
            if line.starts_with("eof") || self.errors.is_hopeless() {
                break;
            }
            if line.is_empty() || line.starts_with(['/', '#', '*']) {
                continue;
            }
            let place = SourcePlace {
                source: Arc::clone(&source),
                span: start..start + line.len(),
            };
            match line.strip_prefix("include=") {
                Some(included) => self.include(included.trim(), name, is_included, &place),
                None => self.line(line, place),
            }
        }
        begin
    }

    fn include(&mut self, included: &str, from: &str, is_included: bool, place: &SourcePlace) {
        self.includes += 1;
        if is_included || self.includes > MOST_INCLUDES {
            let message = "an included file cannot include others, and 100 files are the most";
            let remedy = "all of it in one file".to_owned();
            self.errors.push(place.error((message.to_owned(), remedy)));
            return;
        }
        let beside = Path::new(from).with_file_name(included);
        let paths = [beside.as_path(), Path::new(included)];
        let is_bare = !included.contains('/');
        let found = paths.iter().skip(usize::from(!is_bare));
        let mut cause = String::new();
        for path in found {
            match self.surroundings.read(path) {
                Ok(text) => {
                    self.file(&text, &path.display().to_string(), true);
                    return;
                }
                Err(error) => cause = reason(&error),
            }
        }
        let message = format!("cannot read `{included}`: {cause}");
        let remedy = "a file in the directory of this one, or a path".to_owned();
        self.errors.push(place.error((message, remedy)));
    }

    fn line(&mut self, line: &str, place: SourcePlace) {
        let text = self.replaced(line, &place);
        self.bytes += text.len();
        if self.bytes > MOST_BYTES {
            let message = "the lines with their variables replaced are too long".to_owned();
            let remedy = "shorter values".to_owned();
            self.errors.push(place.error((message, remedy)));
            return;
        }
        let end = first_blank(&text);
        let rest = text[end..].trim();
        if rest.contains('=') && !rest.starts_with(['*', '#', '/']) {
            let message = "it follows a blank, which for vdbench begins a comment";
            self.notes.add(Note::new(Standing::Ignored, rest, message));
        }
        let replaced = text != line;
        let text = &text[..end];
        if !self.continues {
            self.list.push(Logical::default());
        }
        if let Some(logical) = self.list.last_mut() {
            logical.pieces.push(Piece {
                at: logical.text.len(),
                place,
                replaced,
            });
            logical.text.push_str(text);
        }
        self.continues = text.ends_with(',');
    }

    /// The line with the values of its variables.
    fn replaced(&mut self, line: &str, place: &SourcePlace) -> String {
        let mut text = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(at) = rest.find(['$', '!']) {
            let (before, sign) = rest.split_at(at);
            text.push_str(before);
            let named = &sign[1..];
            // Of two names that fit, the longer one counts.
            let known = self
                .variables
                .iter()
                .filter(|(name, _)| named.starts_with(*name));
            let known = known.max_by_key(|(name, _)| name.len());
            if let Some((name, value)) = known {
                self.used.insert(name.clone());
                text.push_str(value);
                rest = &named[name.len()..];
                continue;
            }
            let letters = named.find(|c: char| !c.is_alphanumeric() && c != '_');
            let name = &named[..letters.unwrap_or(named.len())];
            if sign.starts_with('$') && !name.is_empty() {
                let message = format!("`${name}` has no value");
                let remedy = format!("`{name}=VALUE` after the name of the file");
                self.errors.push(place.error((message, remedy)));
            }
            text.push_str(&sign[..1]);
            rest = named;
        }
        text + rest
    }
}

/// Where the first blank is that is not between quotes, or the end.
fn first_blank(text: &str) -> usize {
    let mut is_quoted = false;
    let blank = text.find(|c: char| {
        is_quoted ^= c == '"';
        c.is_whitespace() && !is_quoted
    });
    blank.unwrap_or(text.len())
}

//! The table of formats, and the files that belong together.

use super::place;
use crate::diagnostic::Diagnostic;
use crate::programs::PROGRAMS;
use fathom_core::result::RunResult;

/// A file with a result, read by somebody else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResultFile<'a> {
    /// Its path, as the user gave it.
    pub name: &'a str,
    /// Its whole text.
    pub text: &'a str,
}

/// What a source came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Import {
    /// The result, not judged yet.
    pub result: RunResult,
    /// What was left out of the source and why: fragments without a full stop.
    pub notes: Vec<String>,
}

/// The type of [`ResultFormat::parse`]. Its errors are all that is wrong with the texts.
pub type Parse = fn(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>>;

/// A format in which another program writes results.
#[derive(Debug)]
pub struct ResultFormat {
    /// Name, as in `fio-json`.
    pub name: &'static str,
    /// What it is, in one line.
    pub description: &'static str,
    /// How sure it is, from 0 to 100, that a text with this file name is of its format.
    pub detect: fn(file: &str, text: &str) -> u8,
    /// What files have in common that are one result together; without it each is by itself.
    pub set: Option<fn(file: &str) -> String>,
    /// Reads the files of one result, or the results of one file.
    pub parse: Parse,
}

/// All formats.
pub fn formats() -> impl DoubleEndedIterator<Item = &'static ResultFormat> {
    PROGRAMS.iter().flat_map(|program| program.results)
}

/// The format that is surest of a text, if any is.
pub fn detect(file: &str, text: &str) -> Option<&'static ResultFormat> {
    let surest = formats()
        .map(|format| ((format.detect)(file, text), format))
        .rev()
        .max_by_key(|(confidence, _)| *confidence)?;
    (surest.0 > 0).then_some(surest.1)
}

/// Reads files of any formats; those that are one result are put together. The results are in the
/// order of the files.
///
/// # Errors
///
/// All that is wrong with any of the files.
pub fn read(files: &[ResultFile<'_>]) -> Result<Vec<Import>, Vec<Diagnostic>> {
    let mut groups: Vec<(&'static ResultFormat, Option<String>, Vec<ResultFile<'_>>)> = Vec::new();
    let mut errors = Vec::new();
    for file in files {
        let Some(format) = detect(file.name, file.text) else {
            errors.push(unknown(file));
            continue;
        };
        let set = format.set.map(|set| set(file.name));
        let same = groups
            .iter_mut()
            .find(|group| set.is_some() && group.0.name == format.name && group.1 == set);
        match same {
            Some(group) => group.2.push(*file),
            None => groups.push((format, set, vec![*file])),
        }
    }
    let mut imports = Vec::new();
    for (format, _, files) in groups {
        match (format.parse)(&files) {
            Ok(read) => imports.extend(read),
            Err(found) => errors.extend(found),
        }
    }
    if errors.is_empty() {
        Ok(imports)
    } else {
        Err(errors)
    }
}

fn unknown(file: &ResultFile<'_>) -> Diagnostic {
    let names: Vec<&str> = formats().map(|format| format.name).collect();
    let remedy = format!(
        "the formats are {}; logs of fio are known by their names, as in x_lat.1.log",
        names.join(", ")
    );
    place::line_of(file, 0, "this is no result that can be read", &remedy).told()
}

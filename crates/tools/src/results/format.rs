//! A format in which another program writes its results.

use crate::diagnostic::Diagnostic;
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
    /// A description in one line.
    pub description: &'static str,
    /// How sure it is, from 0 to 100, that a text with this file name is of its format.
    pub detect: fn(file: &str, text: &str) -> u8,
    /// What files have in common that are one result together; without it each is by itself.
    pub set: Option<fn(file: &str) -> String>,
    /// Reads the files of one result, or the results of one file.
    pub parse: Parse,
}

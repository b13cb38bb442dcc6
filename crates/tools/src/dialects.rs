//! What a foreign dialect is, and what it may ask of its surroundings.

use crate::diagnostic::Diagnostic;
use crate::drives::Drive;
use crate::translation::Translation;
use std::io;
use std::path::Path;

/// What a translation may ask about the world: the crate itself opens nothing.
pub trait Surroundings {
    /// Size in bytes of the file or device at `path`; none when there is none.
    fn size_bytes(&self, path: &Path) -> Option<u64>;
    /// Bytes that files below the directory of `path` can still have; none where nobody knows.
    fn free_bytes(&self, path: &Path) -> Option<u64> {
        let _ = path;
        None
    }
    /// The text of a file that an input refers to, as in an include.
    ///
    /// # Errors
    ///
    /// Those of reading it.
    fn read(&self, path: &Path) -> io::Result<String>;
    /// The bytes of a file that an input refers to and that need not be text.
    ///
    /// # Errors
    ///
    /// Those of reading it.
    fn read_bytes(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.read(path).map(String::into_bytes)
    }
    /// A variable of the environment.
    fn variable(&self, name: &str) -> Option<String>;

    /// Whether there is a folder at `path`.
    fn is_folder(&self, path: &Path) -> bool {
        let _ = path;
        false
    }

    /// Where drives of Windows are here, for paths that are on one.
    fn drives(&self) -> &[Drive] {
        &[]
    }

    /// Whether the input is only looked at here, so that its targets may be somewhere else.
    fn is_elsewhere(&self) -> bool {
        false
    }

    /// Whether targets are on other machines, so that nothing is known of them here, also where
    /// the input is to be run.
    fn has_targets_elsewhere(&self) -> bool {
        self.is_elsewhere()
    }
}

/// No files and no environment: for tests and for looking at an input without running it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Nowhere;

impl Surroundings for Nowhere {
    fn size_bytes(&self, _: &Path) -> Option<u64> {
        None
    }

    fn read(&self, _: &Path) -> io::Result<String> {
        Err(io::ErrorKind::NotFound.into())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }
}

/// What the system said of a file, without its number and its capital.
pub fn reason(error: &io::Error) -> String {
    let said = error.to_string();
    let words = said.split(" (os error ").next().unwrap_or_default();
    let mut letters = words.chars();
    let first = letters.next().map(char::to_lowercase);
    first.into_iter().flatten().chain(letters).collect()
}

/// A language in which others describe a load.
#[derive(Debug)]
pub struct Dialect {
    /// Name for the command line, as in `diskspd`.
    pub name: &'static str,
    /// What it reads, in one line.
    pub description: &'static str,
    /// How sure it is, from 0 to 100, that a text with this file name is of its language.
    pub detect: fn(file: &str, text: &str) -> u8,
    /// Translates a text: a file, or a whole command line. `file` is the name by which the user
    /// knows it.
    pub translate: Translate,
    /// Translates the words of a command line, the program's name left out; none where the
    /// language has no command line.
    pub translate_words: Option<TranslateWords>,
}

/// The type of [`Dialect::translate`]. Its errors are all that is wrong with the text.
pub type Translate = fn(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>>;

/// The type of [`Dialect::translate_words`]. Its errors are all that is wrong with the words.
pub type TranslateWords =
    fn(words: &[String], surroundings: &dyn Surroundings) -> Result<Translation, Vec<Diagnostic>>;

//! The inputs of all programs.

use crate::PROGRAMS;
use fathom_tools::dialects::Dialect;

/// All foreign dialects.
pub fn dialects() -> impl DoubleEndedIterator<Item = &'static Dialect> {
    PROGRAMS.iter().map(|program| &program.dialect)
}

/// The dialect called `name`.
pub fn find(name: &str) -> Option<&'static Dialect> {
    dialects().find(|dialect| dialect.name == name)
}

/// The dialect that is surest of a text, if any is.
pub fn detect(file: &str, text: &str) -> Option<&'static Dialect> {
    let surest = dialects()
        .map(|dialect| ((dialect.detect)(file, text), dialect))
        .max_by_key(|(confidence, _)| *confidence)?;
    (surest.0 > 0).then_some(surest.1)
}

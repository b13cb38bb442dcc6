//! What is read as an input: a command line of IOR, or the configuration of IO500, which calls it.

use super::{io500, translate as line};
use crate::tasks;
use fathom_tools::diagnostic::Diagnostic;
use fathom_tools::dialects::Surroundings;
use fathom_tools::translation::Translation;

/// How sure it is that a text is a command line of IOR or IO500, or a configuration of IO500.
pub fn detect(file: &str, text: &str) -> u8 {
    let lines = line::detect(file, text).max(io500::detect_line(text));
    lines.max(io500::detect(text))
}

/// Translates the words of a call, with what starts the tasks or without it.
///
/// # Errors
///
/// Everything that is wrong with them.
pub fn translate_words(
    argv: &[String],
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    if !tasks::are_started(argv) {
        return line::translate_argv(argv, None);
    }
    let words = tasks::started_words(argv);
    if tasks::call(argv, "io500") {
        io500::translate_started(&words, &argv[0], surroundings)
    } else {
        line::translate_started(&words, &argv[0])
    }
}

/// Translates a command line, with what starts the tasks or without it, or a configuration.
///
/// # Errors
///
/// Everything that is wrong with it.
pub fn translate(
    text: &str,
    file: &str,
    surroundings: &dyn Surroundings,
) -> Result<Translation, Vec<Diagnostic>> {
    if io500::detect(text) > 0 {
        io500::translate(text, file, surroundings, (None, None))
    } else if io500::detect_line(text) > 0 {
        io500::translate_line(text, file, surroundings)
    } else {
        line::translate(text, file, surroundings)
    }
}

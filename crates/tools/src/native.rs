//! Fathom's own text format: TOML, lenient in what it reads, complete in what it prints.
//!
//! A text goes through three steps: its syntax is read with the place of every key, the keys are
//! resolved to a [`Workload`] in which every choice is made, and the rules of
//! [`fathom_core::spec::validate`] are applied. Each step reports all it finds, on the lines that
//! caused it; a later step is taken only when the one before found nothing, since its findings
//! would be consequences. What is read and printed is said by the rows of
//! [`fathom_core::spec::fields`], of which `docs/specification.md` is made.

mod either;
mod form;
mod group;
mod job;
mod keys;
mod kind;
mod made;
mod pacing;
mod phase;
mod print;
mod reading;
#[cfg(test)]
mod reference;
mod table;
mod toml_text;
mod value;
mod workload;
mod write;

pub use print::print;
pub use write::write;

use crate::diagnostic::Diagnostic;
use crate::faults::HOPELESS;
use fathom_core::spec::Workload;
use fathom_core::spec::validate::{check_jobs, validate};
use reading::Reading;
use toml::de::DeTable;

/// Reads a workload from `text`. `file` is the name by which the user knows it: it is quoted in
/// diagnostics, and its stem names a workload that does not name itself.
///
/// # Errors
///
/// All that is wrong with the text, in its order.
pub fn parse(text: &str, file: &str) -> Result<Workload, Vec<Diagnostic>> {
    let reading = Reading::new(text, file);
    let (begin, parse) = (begin(text), DeTable::parse_recoverable);
    // The parser keeps an error for every byte of a text that is something else altogether.
    if begin.len() < text.len() {
        let (_, errors) = parse(begin);
        if errors.len() >= HOPELESS {
            return Err(wrong_syntax(reading, errors));
        }
    }
    let (root, errors) = parse(text);
    if !errors.is_empty() {
        return Err(wrong_syntax(reading, errors));
    }
    if let Some(violation) = check_jobs(workload::jobs(root.get_ref())) {
        reading.violation(violation);
        return Err(reading.into_diagnostics());
    }
    let read = |reading| workload::read(reading, root.get_ref(), file);
    let workload = read(&reading).filter(|_| reading.is_clean());
    let violations = workload.as_ref().map(validate).unwrap_or_default();
    match workload.filter(|_| violations.is_empty()) {
        Some(workload) => Ok(workload),
        None if violations.is_empty() => Err(reading.into_diagnostics()),
        None => {
            let reading = reading.with_places(&violations);
            let _ = read(&reading);
            for violation in violations {
                reading.violation(violation);
            }
            Err(reading.into_diagnostics())
        }
    }
}

/// Bytes that decide whether a text is TOML at all.
const BEGIN: usize = 1 << 18;

fn begin(text: &str) -> &str {
    let end = (0..=BEGIN.min(text.len())).rev();
    let end = end.into_iter().find(|at| text.is_char_boundary(*at));
    &text[..end.unwrap_or(0)]
}

fn wrong_syntax(reading: Reading, errors: Vec<toml::de::Error>) -> Vec<Diagnostic> {
    for error in errors.into_iter().take(HOPELESS) {
        let span = error.span().unwrap_or(0..0);
        let remedy = "the file is TOML: `key = value` lines, texts in quotes, `[[job]]` headers";
        reading.error(&span, error.message().trim_end_matches('.'), remedy);
    }
    reading.into_diagnostics()
}

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
pub(crate) use write::write;

use crate::diagnostic::Diagnostic;
use fathom_core::spec::{Workload, validate::validate};
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
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        let remedy = "the file is TOML: `key = value` lines, texts in quotes, `[[job]]` headers";
        reading.error(&span, error.message().trim_end_matches('.'), remedy);
    }
    if !reading.is_clean() {
        return Err(reading.into_diagnostics());
    }
    let workload = workload::read(&reading, root.get_ref(), file);
    if let Some(workload) = workload.filter(|_| reading.is_clean()) {
        let violations = validate(&workload);
        if violations.is_empty() {
            return Ok(workload);
        }
        for violation in violations {
            reading.violation(violation);
        }
    }
    Err(reading.into_diagnostics())
}

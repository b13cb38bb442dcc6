//! How many columns there are for what is printed.

use crate::platform;
use crate::terminal;
use fathom_platform::fd::AsFd;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// Columns of a line of text where nobody says how wide the terminal is.
const UNKNOWN: usize = 80;
/// Wider than this nobody reads sentences.
const WIDEST: usize = 110;
/// No terminal is taken to be narrower.
const LEAST: usize = 40;

static COLUMNS: OnceLock<Option<usize>> = OnceLock::new();

/// Keeps how wide standard output is, for the whole process: as its terminal says, else COLUMNS.
pub(crate) fn look() {
    // It is read once.
    let _ = COLUMNS.set(terminal().or_else(|| told(std::env::var("COLUMNS").ok().as_deref())));
}

/// Columns of the terminal that is written to. None where nobody says: rows of a table stay whole
/// then, for programs that look for words in lines.
pub(crate) fn known() -> Option<usize> {
    COLUMNS.get().copied().flatten()
}

/// Columns of the terminal that problems and notes are written to; none where it is no terminal.
pub(crate) fn of_asides() -> Option<usize> {
    of_terminal(&terminal::raw_stderr())
}

/// Columns of what is read as a page, tables and all.
pub(crate) fn of_pages() -> usize {
    known().unwrap_or(UNKNOWN)
}

/// Columns of sentences.
pub(crate) fn of_sentences() -> usize {
    of_pages().min(WIDEST)
}

fn terminal() -> Option<usize> {
    of_terminal(&terminal::raw_stdout())
}

fn of_terminal(out: &(impl IsTerminal + AsFd)) -> Option<usize> {
    let columns = out.is_terminal().then(|| platform::columns(out))??;
    Some(usize::from(columns).max(LEAST))
}

fn told(columns: Option<&str>) -> Option<usize> {
    let columns: usize = columns?.trim().parse().ok()?;
    (columns > 0).then(|| columns.max(LEAST))
}

#[cfg(test)]
mod tests {
    use super::told;

    #[test]
    fn columns_are_a_number() {
        let cases = [
            (None, None),
            (Some(""), None),
            (Some("wide"), None),
            (Some("0"), None),
            (Some("132"), Some(132)),
            (Some("10"), Some(40)),
        ];
        for (given, expected) in cases {
            assert_eq!(told(given), expected, "{given:?}");
        }
    }
}

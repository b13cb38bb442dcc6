//! File lengths and line widths.

use crate::finding::{Finding, Rule};
use crate::rust_text;
use crate::sources::Source;

/// Lines above which a file is reported; its trailing test module does not count.
const SOFT: usize = 300;
/// Lines above which a file is refused.
const HARD: usize = 700;
/// Characters in a line, as in rustfmt.toml, which leaves comments and literals alone.
const WIDTH: usize = 100;

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    let lines = counted_lines(source);
    if lines > HARD {
        let message = format!("{lines} lines without tests, {HARD} at most: split it by noun");
        findings.push(Finding::new(&source.path, 0, Rule::Length, message));
    }
    for (index, line) in source.text.lines().enumerate() {
        let width = line.chars().count();
        if width > WIDTH {
            let message = format!("{width} characters, {WIDTH} at most");
            findings.push(Finding::new(&source.path, index + 1, Rule::Width, message));
        }
    }
    findings
}

/// A remark on a file that is getting long.
pub(super) fn note(source: &Source) -> Option<String> {
    let lines = if source.is_rust() {
        counted_lines(source)
    } else {
        0
    };
    (SOFT < lines && lines <= HARD).then(|| {
        format!(
            "{}: {lines} lines without tests, {SOFT} are enough",
            source.path
        )
    })
}

fn counted_lines(source: &Source) -> usize {
    let end = rust_text::test_module(&source.text).unwrap_or(source.text.len());
    source.text[..end].lines().count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn a_file_is_refused_above_the_hard_limit_only() {
        let full = source("a.rs", &"x\n".repeat(HARD));
        let over = source("a.rs", &"x\n".repeat(HARD + 1));
        let message = "701 lines without tests, 700 at most: split it by noun";
        assert_eq!(check(&full), []);
        assert_eq!(
            check(&over),
            [Finding::new("a.rs", 0, Rule::Length, message)]
        );
    }

    #[test]
    fn the_test_module_does_not_count() {
        let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", "x\n".repeat(HARD));
        assert_eq!(check(&source("a.rs", &tests)), []);
    }

    #[test]
    fn width_is_counted_in_characters() {
        let lines = format!("{}\n{}\n", "é".repeat(WIDTH), "é".repeat(WIDTH + 1));
        let finding = Finding::new("a.rs", 2, Rule::Width, "101 characters, 100 at most");
        assert_eq!(check(&source("a.rs", &lines)), [finding]);
    }

    #[test]
    fn a_note_is_made_between_the_limits() {
        let note_at = |lines: usize| note(&source("a.rs", &"x\n".repeat(lines)));
        let remark = "a.rs: 301 lines without tests, 300 are enough".to_owned();
        assert_eq!(note_at(SOFT), None);
        assert_eq!(note_at(SOFT + 1), Some(remark));
        assert_eq!(note_at(HARD + 1), None);
        assert_eq!(note(&source("a.md", &"x\n".repeat(SOFT + 1))), None);
    }
}

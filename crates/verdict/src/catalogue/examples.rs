//! What was said of results of ours: an example of each code.
//!
//! `examples.txt` is written by the tests: from results that raise each code they take what the
//! check says. A block is a line of code, level and subject (of `fathom check` with `check` before
//! it), the sentence and, if there is one, the remedy.

use fathom_core::{Caveat, Level};

const TEXT: &str = include_str!("examples.txt");

/// Words of the levels.
const LEVELS: [(&str, Level); 4] = [
    ("note", Level::Note),
    ("qualified", Level::Qualified),
    ("suspect", Level::Suspect),
    ("invalid", Level::Invalid),
];

/// A caveat as somebody raised it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Whether `fathom check` says it, and no result.
    pub before: bool,
    /// What was raised.
    pub caveat: Caveat,
}

/// All examples.
pub fn examples() -> Vec<Example> {
    TEXT.split("\n\n").filter_map(read).collect()
}

fn read(block: &str) -> Option<Example> {
    let mut lines = block.trim_matches('\n').lines();
    let first = lines.next()?;
    let (before, first) = match first.strip_prefix("check ") {
        Some(rest) => (true, rest),
        None => (false, first),
    };
    let mut words = first.splitn(3, ' ');
    let (code, word) = (words.next()?, words.next()?);
    let (_, level) = LEVELS.iter().find(|(known, _)| *known == word)?;
    let subject = words.next().unwrap_or_default();
    let caveat = Caveat::new(code, *level, lines.next()?).about(subject);
    let remedy = lines.next().unwrap_or_default();
    Some(Example {
        before,
        caveat: caveat.remedy(remedy),
    })
}

/// The text of examples, as [`examples`] reads it.
#[cfg(test)]
pub(super) fn written(examples: &[Example]) -> String {
    let block = |example: &Example| {
        let caveat = &example.caveat;
        let before = if example.before { "check " } else { "" };
        let (word, _) = LEVELS
            .iter()
            .find(|(_, level)| *level == caveat.level)
            .expect("a level");
        let first = format!("{before}{} {word} {}", caveat.code, caveat.subject);
        let lines = [first.trim_end(), &caveat.message, &caveat.remedy];
        let lines: Vec<&str> = lines.into_iter().filter(|line| !line.is_empty()).collect();
        lines.join("\n") + "\n"
    };
    let blocks: Vec<String> = examples.iter().map(block).collect();
    blocks.join("\n")
}

//! Plain English: private words, long sentences and comments that repeat a name are counted.
//!
//! `xtask/english.toml` has the highest count allowed for each kind; a count may only go down. The
//! words and what to write instead are in the glossary of CONTRIBUTING.

use std::collections::BTreeMap;

use anyhow::{Context as _, Result};

use crate::finding::{Finding, Rule};
use crate::rust_text::{hidden, test_module};
use crate::sources::Source;

pub(super) const LIMITS: &str = "xtask/english.toml";

/// Words per sentence in help, findings and messages.
const LONGEST: usize = 25;

/// Phrases that the glossary replaces, in lower case.
const PRIVATE: [&str; 34] = [
    "cannot be meant",
    "is meant",
    "are meant",
    "can be meant",
    "was meant",
    "told",
    "so many",
    "so much",
    "so long",
    "beside",
    "besides",
    "of whom",
    "to be had",
    "can be had",
    "cannot be had",
    "as said",
    "put up with",
    "gone on with",
    "content with",
    "doubtful",
    "doubts",
    "held back",
    "the begin",
    "its begin",
    "knee",
    "bend",
    "witness",
    "patience",
    "all the same",
    "what it is",
    "what there is",
    "what is there",
    "the one that is",
    "stands in",
];

/// A kind of text and a fault, with the number of cases.
pub(super) type Counts = BTreeMap<String, usize>;

/// Counts the faults of all sources.
pub(super) fn count(sources: &[Source]) -> Counts {
    let mut counts = Counts::new();
    for source in sources {
        if source.is_rust() {
            rust(source, &mut counts);
        } else if source.is_markdown() && source.path != "CONTRIBUTING.md" {
            add(&mut counts, "docs-words", private(&source.text));
        }
    }
    counts
}

/// Findings where a count is above its limit, and notes where a limit can be lowered.
pub(super) fn check(limits: &str, counts: &Counts) -> Result<(Vec<Finding>, Vec<String>)> {
    let limits: Counts = toml::from_str(limits).with_context(|| format!("cannot read {LIMITS}"))?;
    let mut findings = Vec::new();
    let mut notes = Vec::new();
    for (kind, count) in counts {
        let limit = limits.get(kind).copied().unwrap_or(0);
        if *count > limit {
            let message = format!(
                "{kind}: {count}, at most {limit} allowed; see the glossary in CONTRIBUTING.md"
            );
            findings.push(Finding::new(LIMITS, 0, Rule::English, message));
        } else if *count < limit {
            notes.push(format!("{LIMITS}: lower {kind} from {limit} to {count}"));
        }
    }
    Ok((findings, notes))
}

fn rust(source: &Source, counts: &mut Counts) {
    if source.path.contains("/tests") || source.path.starts_with("xtask/src/tidy/english") {
        return;
    }
    let product = &source.text[..test_module(&source.text).unwrap_or(source.text.len())];
    let kind = kind(&source.path);
    let mut doc = String::new();
    for (position, text) in hidden(product) {
        if let Some(line) = text.strip_prefix("///") {
            doc.push_str(line);
            let after = product[position + text.len()..].trim_start();
            if !after.starts_with("///") {
                let text = std::mem::take(&mut doc);
                if kind == "help" && is_help(&source.path) {
                    fault(counts, "help", &text);
                } else {
                    add(counts, "comments-words", private(&text));
                }
                add(counts, "comments-short", usize::from(repeats(&text, after)));
            }
        } else if text.starts_with("//") {
            add(counts, "comments-words", private(text));
        } else if text.starts_with('"') {
            let text = joined(text);
            if text.contains(' ') {
                fault(counts, kind, &text);
            }
        }
    }
}

fn kind(path: &str) -> &'static str {
    if path.starts_with("crates/cli/src/args") || path.starts_with("crates/core/src/spec/fields") {
        "help"
    } else if path.starts_with("crates/verdict/") {
        "findings"
    } else {
        "messages"
    }
}

/// Whether documentation in the file is printed as help.
fn is_help(path: &str) -> bool {
    path.starts_with("crates/cli/src/args/")
}

fn fault(counts: &mut Counts, kind: &str, text: &str) {
    add(counts, &format!("{kind}-words"), private(text));
    add(counts, &format!("{kind}-long"), long(text));
}

fn add(counts: &mut Counts, kind: &str, count: usize) {
    *counts.entry(kind.to_owned()).or_default() += count;
}

/// Occurrences of private phrases, as whole words.
fn private(text: &str) -> usize {
    let text = text.to_lowercase();
    let at_edge = |c: Option<char>| !c.is_some_and(|c| c.is_alphanumeric() || "_-{".contains(c));
    let times = |phrase: &str| {
        let hits = text.match_indices(phrase);
        hits.filter(|(at, hit)| {
            at_edge(text[..*at].chars().next_back())
                && at_edge(text[at + hit.len()..].chars().next())
        })
        .count()
    };
    PRIVATE.iter().map(|phrase| times(phrase)).sum()
}

/// Sentences above the limit. A colon, a semicolon and a bracket end one too.
fn long(text: &str) -> usize {
    let sentences = text.split(['.', ';', ':', '(', ')', '\n']);
    sentences
        .filter(|sentence| sentence.split_whitespace().count() > LONGEST)
        .count()
}

/// Whether a comment of three words or fewer only repeats words of the name below it.
fn repeats(doc: &str, after: &str) -> bool {
    let line = after
        .lines()
        .find(|line| !line.trim_start().starts_with('#'));
    let name = line.unwrap_or_default().to_lowercase().replace('_', " ");
    let words: Vec<String> = doc
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let counts = |word: &&String| !matches!(word.as_str(), "the" | "a" | "an" | "its" | "of");
    !words.is_empty()
        && words.len() <= 3
        && words
            .iter()
            .filter(counts)
            .all(|word| name.contains(word.as_str()))
}

/// A literal without its marks, its lines joined where a backslash does so.
fn joined(text: &str) -> String {
    let mut parts = text.trim_matches('"').split("\\\n");
    let mut whole = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        whole.push_str(part.trim_start());
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn each_kind_of_fault_is_counted_once() {
        let text = "/// The offset.\nlet offset = 1;\n// told so\nlet a = \"it is \\\n    \
                    meant, x\";\n#[cfg(test)]\nmod tests {\n// told\n}\n";
        let words = "one two three four five six seven eight nine ten ".repeat(3);
        let sources = [
            source("crates/cli/src/a.rs", text),
            source("crates/verdict/src/b.rs", &format!("f(\"{words}\");")),
            source("docs/c.md", "Besides, untold and told.\n"),
        ];
        let expected = [
            ("comments-short", 1),
            ("comments-words", 1),
            ("docs-words", 2),
            ("findings-long", 1),
            ("findings-words", 0),
            ("messages-long", 0),
            ("messages-words", 1),
        ];
        let expected = expected.map(|(kind, count)| (kind.to_owned(), count));
        assert_eq!(count(&sources), Counts::from(expected));
    }

    #[test]
    fn a_count_may_only_go_down() {
        let counts = Counts::from([("a".to_owned(), 2), ("b".to_owned(), 2)]);
        let (over, notes) = check("a = 1\nb = 3\n", &counts).expect("limits");
        let message = "a: 2, at most 1 allowed; see the glossary in CONTRIBUTING.md".to_owned();
        assert_eq!(over, [Finding::new(LIMITS, 0, Rule::English, message)]);
        assert_eq!(notes, ["xtask/english.toml: lower b from 3 to 2"]);
    }
}

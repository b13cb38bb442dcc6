//! Words that must not be committed: leftovers of work, and paths of one person's machine.
//!
//! Each is put together from two halves so that this file does not contain what it looks for.

use crate::finding::{Finding, Rule};
use crate::sources::Source;

/// A word, compared without regard to case, and what to do instead.
const BANNED: [(&str, &str); 5] = [
    (concat!("to", "do!("), "write it or leave the feature out"),
    (
        concat!("unimpl", "emented!("),
        "write it or leave the feature out",
    ),
    (concat!("db", "g!("), "remove it"),
    (concat!("not ", "implemented"), "offer only what works"),
    (
        concat!("#[", "ignore"),
        "make the test run, or print why it skips",
    ),
];

/// Top-level folders that exist on no user's machine.
const FOLDERS: [&str; 2] = [concat!("/wo", "rk/"), concat!("/fa", "rm/")];

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in source.text.lines().enumerate() {
        let mut found = |message: String| {
            findings.push(Finding::new(&source.path, index + 1, Rule::Word, message));
        };
        let lower = line.to_lowercase();
        for (word, remedy) in BANNED {
            if lower.contains(word) {
                found(format!("`{word}`: {remedy}"));
            }
        }
        for folder in FOLDERS {
            if names_folder(line, folder) {
                found(format!("`{folder}` is a path of one machine"));
            }
        }
    }
    findings
}

/// Whether the line names the folder at the root, and not one inside another folder or an address.
fn names_folder(line: &str, folder: &str) -> bool {
    line.match_indices(folder).any(|(position, _)| {
        let before = line[..position].chars().next_back();
        !before.is_some_and(|c| c.is_ascii_lowercase() || c == '.')
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn every_banned_word_is_found_with_its_line() {
        for (word, remedy) in BANNED {
            let text = format!("fine\n  {})\n", word.to_uppercase());
            let message = format!("`{word}`: {remedy}");
            let expected = [Finding::new("a.md", 2, Rule::Word, message)];
            assert_eq!(check(&source("a.md", &text)), expected);
        }
    }

    #[test]
    fn a_folder_counts_at_the_root_only() {
        for folder in FOLDERS {
            let message = format!("`{folder}` is a path of one machine");
            let expected = [Finding::new("a", 1, Rule::Word, message)];
            assert_eq!(check(&source("a", &format!("{folder}x"))), expected);
            assert_eq!(check(&source("a", &format!("see `{folder}x`"))), expected);
            assert_eq!(
                check(&source("a", &format!("home{folder}x ..{folder}x"))),
                []
            );
            assert_eq!(check(&source("a", folder.trim_end_matches('/'))), []);
        }
    }

    #[test]
    fn this_file_does_not_find_itself() {
        assert_eq!(check(&source("words.rs", include_str!("words.rs"))), []);
    }
}

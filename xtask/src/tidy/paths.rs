//! Documents speak of files that are there.

use crate::finding::{Finding, Rule};
use crate::sources::Source;

/// Folders at the top of the repository that documents speak of.
const FOLDERS: [&str; 9] = [
    "crates/",
    "dialects/",
    "lab/",
    "xtask/",
    "profiles/",
    "benches/",
    "docs/",
    "fuzz/",
    ".ci/",
];

/// Checks the paths in inline code of a Markdown document. Those with a placeholder in capitals
/// or a wildcard name no file and are skipped.
pub(super) fn check(document: &Source, sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in document.text.lines().enumerate() {
        // Between the first and the second backtick, the third and the fourth, and so on.
        for span in line.split('`').skip(1).step_by(2) {
            if is_path(span) && !exists(span, sources) {
                let message = format!("`{span}` is not in the repository");
                findings.push(Finding::new(&document.path, index + 1, Rule::Path, message));
            }
        }
    }
    findings
}

fn is_path(span: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "/._-".contains(c);
    FOLDERS.iter().any(|folder| span.starts_with(folder)) && span.chars().all(plain)
}

fn exists(path: &str, sources: &[Source]) -> bool {
    let folder = format!("{}/", path.trim_end_matches('/'));
    sources
        .iter()
        .any(|source| source.path == path || source.path.starts_with(&folder))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn paths_to_files_and_folders_must_exist() {
        let sources = [source("crates/core/src/op.rs", ""), source(".ci/run", "")];
        let text = "`crates/core/src/op.rs`, `crates/core`, `crates/core/`, `.ci/run`\n\
            `crates/core/src/gone.rs` and `crates/co`, crates/no/code\n\
            `profiles/NAME.toml` `crates/*/src` `op.rs` `target/x`\n";
        let found = |path| {
            let message = format!("`{path}` is not in the repository");
            Finding::new("A.md", 2, Rule::Path, message)
        };
        let expected = [found("crates/core/src/gone.rs"), found("crates/co")];
        assert_eq!(check(&source("A.md", text), &sources), expected);
    }
}

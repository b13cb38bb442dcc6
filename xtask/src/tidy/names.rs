//! File names that name nothing.

use crate::finding::{Finding, Rule};
use crate::sources::Source;

/// Stems under which anything would fit, so that everything ends there.
const EMPTY: [&str; 6] = ["util", "utils", "common", "helper", "helpers", "misc"];

pub(super) fn check(source: &Source) -> Vec<Finding> {
    let mut findings = Vec::new();
    for part in source.path.split('/') {
        let stem = part.strip_suffix(".rs").unwrap_or(part);
        if EMPTY.contains(&stem) {
            let message = format!("`{stem}` names nothing: name the file after what it holds");
            findings.push(Finding::new(&source.path, 0, Rule::Name, message));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn empty_names_are_found_as_file_and_as_folder() {
        let found = |path, stem| {
            let message = format!("`{stem}` names nothing: name the file after what it holds");
            vec![Finding::new(path, 0, Rule::Name, message)]
        };
        assert_eq!(
            check(&source("src/utils.rs", "")),
            found("src/utils.rs", "utils")
        );
        assert_eq!(
            check(&source("common/a.rs", "")),
            found("common/a.rs", "common")
        );
        assert_eq!(check(&source("src/common_mistakes.rs", "")), []);
    }
}

//! Documents promise the toolchain that the manifest asks for.

use crate::finding::{Finding, Rule};
use crate::metadata::Package;
use crate::sources::Source;

/// What stands before the version in a document.
const BEFORE: &str = "Rust toolchain (";

/// Checks the oldest toolchain that a Markdown document names.
pub(super) fn check(members: &[Package], document: &Source) -> Vec<Finding> {
    let wanted = |named: &str| {
        let others = members
            .iter()
            .filter_map(|member| member.rust_version.as_deref());
        others.into_iter().find(|wanted| *wanted != named)
    };
    let lines = document.text.lines().enumerate();
    let findings = lines.filter_map(|(index, line)| {
        let (_, rest) = line.split_once(BEFORE)?;
        let named = rest
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .next()?;
        let wanted = wanted(named)?;
        let message = format!("says {named}, and `rust-version` of Cargo.toml says {wanted}");
        Some(Finding::new(
            &document.path,
            index + 1,
            Rule::Toolchain,
            message,
        ))
    });
    findings.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::source;

    #[test]
    fn the_version_is_that_of_the_manifest() {
        let members = [Package {
            rust_version: Some("1.95".to_owned()),
            ..Package::default()
        }];
        let found = |text: &str| check(&members, &source("A.md", text));
        assert_eq!(
            found("A Rust toolchain (1.95 or later)\nand a Rust toolchain\n"),
            []
        );
        let message = "says 1.94, and `rust-version` of Cargo.toml says 1.95".to_owned();
        assert_eq!(
            found("\nLinux and a Rust toolchain (1.94 or newer).\n"),
            [Finding::new("A.md", 2, Rule::Toolchain, message)]
        );
    }
}

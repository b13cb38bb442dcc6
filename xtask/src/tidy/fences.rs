//! Unsafe code stays inside the crates that the layer table allows it in.

use crate::finding::{Finding, Rule};
use crate::layers::LayerTable;
use crate::metadata::{self, Package};
use crate::rust_text::code_only;
use crate::sources::Source;

const FORBID: &str = "#![forbid(unsafe_code)]";

/// Every library and program root of a crate without the permission must forbid unsafe code.
pub(super) fn check(table: &LayerTable, members: &[Package], sources: &[Source]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in members
        .iter()
        .filter(|package| !table.allows_unsafe(&package.name))
    {
        for target in &package.targets {
            if !target
                .kind
                .iter()
                .any(|kind| matches!(kind.as_str(), "lib" | "bin"))
            {
                continue;
            }
            let path = metadata::relative(&target.src_path);
            if table.allows_unsafe_in(&package.name, &path) {
                continue;
            }
            let forbids = sources
                .iter()
                .find(|source| source.path == path)
                .is_some_and(|root| code_only(&root.text).lines().any(|line| line == FORBID));
            if !forbids {
                let message = format!("`{FORBID}` is missing at the crate's root");
                findings.push(Finding::new(&path, 0, Rule::Unsafe, message));
            }
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Target;
    use crate::sources::{root, source};

    fn package(name: &str, kind: &str, path: &str) -> Package {
        let target = Target {
            kind: vec![kind.to_owned()],
            src_path: root().join(path),
        };
        Package {
            name: name.to_owned(),
            targets: vec![target],
            ..Package::default()
        }
    }

    #[test]
    fn roots_without_the_attribute_are_found_unless_the_table_permits() {
        let table = LayerTable::parse(
            "[[crate]]\nname = \"a\"\nlayer = 0\npurpose = \"\"\nmay_use = []\nunsafe = true\n\
             [[tool]]\nname = \"e\"\npurpose = \"\"\nunsafe = \"e/bare\"\n",
        );
        let members = [
            package("fathom-a", "lib", "a/lib.rs"),
            package("fathom-b", "lib", "b/lib.rs"),
            package("fathom-c", "bin", "c/main.rs"),
            package("fathom-d", "test", "d/tests/e.rs"),
            package("e", "bin", "e/bare/main.rs"),
            package("e", "bin", "e/main.rs"),
        ];
        let sources = [
            source("a/lib.rs", ""),
            source("b/lib.rs", &format!("//! Doc.\n{FORBID}\n")),
            source("c/main.rs", &format!("// {FORBID}\n")),
            source("d/tests/e.rs", ""),
            source("e/bare/main.rs", ""),
            source("e/main.rs", ""),
        ];
        let message = "`#![forbid(unsafe_code)]` is missing at the crate's root";
        let expected =
            ["c/main.rs", "e/main.rs"].map(|path| Finding::new(path, 0, Rule::Unsafe, message));
        assert_eq!(check(&table.unwrap(), &members, &sources), expected);
    }
}

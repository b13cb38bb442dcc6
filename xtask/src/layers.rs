//! The layer table: `layers.toml`, the manifests it speaks of, and its picture in ARCHITECTURE.md.

use anyhow::{Context, Result};
use serde::Deserialize;

use crate::finding::{Finding, Rule};
use crate::metadata::{self, Package};
use crate::sources;

/// Where the table stands.
pub(crate) const TABLE: &str = "layers.toml";
/// Where its picture stands.
pub(crate) const DOCUMENT: &str = "ARCHITECTURE.md";

const BEGIN: &str = "<!-- layers:begin -->\n";
const END: &str = "<!-- layers:end -->";

/// The crates on their layers, and the programs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct LayerTable {
    #[serde(rename = "crate")]
    crates: Vec<Layered>,
    #[serde(rename = "tool", default)]
    tools: Vec<Tool>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Layered {
    name: String,
    layer: u8,
    purpose: String,
    may_use: Vec<String>,
    #[serde(default)]
    pure: bool,
    #[serde(default, rename = "unsafe")]
    allows_unsafe: bool,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tool {
    name: String,
    purpose: String,
    /// Folder of the only program of it that may contain unsafe code.
    #[serde(default, rename = "unsafe")]
    unsafe_folder: Option<String>,
}

/// Prints the table as it is in the document.
pub(crate) fn print() -> Result<bool> {
    print!("{}", LayerTable::parse(&sources::read(TABLE)?)?.markdown());
    Ok(true)
}

/// Writes the table into the document.
pub(crate) fn write() -> Result<bool> {
    let table = LayerTable::parse(&sources::read(TABLE)?)?;
    let document = sources::read(DOCUMENT)?;
    let (before, _, after) = split(&document)
        .with_context(|| format!("{DOCUMENT} lacks the marks {} and {END}", BEGIN.trim()))?;
    let text = format!("{before}{}{after}", table.markdown());
    std::fs::write(sources::root().join(DOCUMENT), text)
        .with_context(|| format!("cannot write {DOCUMENT}"))?;
    Ok(true)
}

/// Whether the document shows the table as it is.
pub(crate) fn check_document(table: &LayerTable, document: &str) -> Option<Finding> {
    let message = match split(document) {
        None => format!("the marks {} and {END} are missing", BEGIN.trim()),
        Some((_, shown, _)) if shown != table.markdown() => {
            format!("the layers are not those of {TABLE}: run `cargo xtask layers --write`")
        }
        Some(_) => return None,
    };
    Some(Finding::new(DOCUMENT, 0, Rule::Layers, message))
}

/// The text up to the mark, between the marks, and from the second mark on.
fn split(document: &str) -> Option<(&str, &str, &str)> {
    let start = document.find(BEGIN)? + BEGIN.len();
    let end = start + document[start..].find(END)?;
    Some((&document[..start], &document[start..end], &document[end..]))
}

impl LayerTable {
    pub(crate) fn parse(text: &str) -> Result<Self> {
        toml::from_str(text).with_context(|| format!("cannot read {TABLE}"))
    }

    /// Compares the table with itself and with the manifests of the workspace.
    pub(crate) fn check(&self, members: &[Package]) -> Vec<Finding> {
        let mut findings = self.check_itself();
        let packages = self.crates.iter().map(Layered::package);
        for name in packages.chain(self.tools.iter().map(|tool| tool.name.clone())) {
            if !members.iter().any(|member| member.name == name) {
                let message = format!("{name} is not in the workspace");
                findings.push(Finding::new(TABLE, 0, Rule::Layers, message));
            }
        }
        for member in members {
            findings.extend(self.check_member(member, members));
        }
        findings
    }

    /// Whether a package may contain unsafe code.
    pub(crate) fn allows_unsafe(&self, package: &str) -> bool {
        self.find(package)
            .is_some_and(|layered| layered.allows_unsafe)
    }

    /// Whether the root of a tool's program is in the folder that may contain unsafe code.
    pub(crate) fn allows_unsafe_in(&self, package: &str, root: &str) -> bool {
        let tool = self.tools.iter().find(|tool| tool.name == package);
        let folder = tool.and_then(|tool| tool.unsafe_folder.as_deref());
        folder.is_some_and(|folder| root.rsplit_once('/').map(|(of, _)| of) == Some(folder))
    }

    /// Whether a source file belongs to a pure crate.
    pub(crate) fn is_pure(&self, path: &str) -> bool {
        let mut pure = self.crates.iter().filter(|layered| layered.pure);
        sources::layered(path).is_some_and(|name| pure.any(|layered| layered.name == name))
    }

    /// The table as Markdown, top layer first.
    pub(crate) fn markdown(&self) -> String {
        let mut crates: Vec<&Layered> = self.crates.iter().collect();
        crates.sort_by_key(|layered| std::cmp::Reverse(layered.layer));
        let mut rows = vec![
            "| layer | crate | what it holds | may use | promise |".to_owned(),
            "| ---: | --- | --- | --- | --- |".to_owned(),
        ];
        for Layered {
            name,
            layer,
            purpose,
            may_use,
            pure,
            allows_unsafe,
        } in crates
        {
            let promise = match (pure, allows_unsafe) {
                (true, _) => "pure",
                (false, true) => "fences `unsafe`",
                (false, false) => "",
            };
            let uses = if may_use.is_empty() {
                "nothing".into()
            } else {
                may_use.join(", ")
            };
            rows.push(format!(
                "| {layer} | `{name}` | {purpose} | {uses} | {promise} |"
            ));
        }
        for Tool { name, purpose, .. } in &self.tools {
            rows.push(format!(
                "| | `{name}` | {purpose} | anything | used by none |"
            ));
        }
        rows.push(String::new());
        rows.join("\n")
    }

    fn find(&self, package: &str) -> Option<&Layered> {
        self.crates
            .iter()
            .find(|layered| layered.package() == package)
    }

    fn check_itself(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        let mut found = |message| findings.push(Finding::new(TABLE, 0, Rule::Layers, message));
        for (index, user) in self.crates.iter().enumerate() {
            if self.crates[..index]
                .iter()
                .any(|other| other.name == user.name)
            {
                found(format!("{} is in the table twice", user.name));
            }
            for name in &user.may_use {
                match self.crates.iter().find(|used| used.name == *name) {
                    None => found(format!("{} may use {name}, which is no crate", user.name)),
                    Some(used) if used.layer >= user.layer => found(format!(
                        "{} on layer {} may use {name} on layer {}: only lower ones can be used",
                        user.name, user.layer, used.layer
                    )),
                    Some(_) => {}
                }
            }
        }
        findings
    }

    fn check_member(&self, member: &Package, members: &[Package]) -> Vec<Finding> {
        let path = metadata::relative(&member.manifest_path);
        let found = |message| Finding::new(&path, 0, Rule::Layers, message);
        let Some(user) = self.find(&member.name) else {
            if self.tools.iter().any(|tool| tool.name == member.name) {
                return Vec::new();
            }
            return vec![found(format!("{} is missing in {TABLE}", member.name))];
        };
        let ours = member.dependencies.iter().filter(|dependency| {
            let is_member = members.iter().any(|other| other.name == dependency.name);
            is_member && dependency.kind.as_deref() != Some("dev")
        });
        let refused = ours.filter(|dependency| {
            !user
                .may_use
                .iter()
                .any(|name| Layered::package_of(name) == dependency.name)
        });
        refused
            .map(|used| {
                found(format!(
                    "{} uses {}, which {TABLE} does not allow",
                    member.name, used.name
                ))
            })
            .collect()
    }
}

impl Layered {
    fn package(&self) -> String {
        Self::package_of(&self.name)
    }

    fn package_of(name: &str) -> String {
        format!("fathom-{name}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metadata::Dependency;

    fn table(text: &str) -> LayerTable {
        LayerTable::parse(text).unwrap()
    }

    fn two_layers() -> LayerTable {
        table(
            "[[crate]]\nname = \"core\"\nlayer = 0\npurpose = \"words\"\n\
             may_use = []\npure = true\n\
             [[crate]]\nname = \"side\"\nlayer = 0\npurpose = \"ioctls\"\n\
             may_use = []\nunsafe = true\n\
             [[crate]]\nname = \"cli\"\nlayer = 5\npurpose = \"the binary\"\n\
             may_use = [\"core\", \"side\"]\n\
             [[tool]]\nname = \"xtask\"\npurpose = \"checks\"\n",
        )
    }

    fn package(name: &str, uses: &[(&str, Option<&str>)]) -> Package {
        let dependencies = uses
            .iter()
            .map(|(name, kind)| Dependency {
                name: (*name).to_owned(),
                kind: kind.map(str::to_owned),
                ..Dependency::default()
            })
            .collect();
        let folder = name.strip_prefix("fathom-").unwrap_or(name);
        let manifest_path = sources::root().join(format!("crates/{folder}/Cargo.toml"));
        Package {
            name: name.to_owned(),
            manifest_path,
            dependencies,
            ..Package::default()
        }
    }

    fn found(path: &str, message: &str) -> Finding {
        Finding::new(path, 0, Rule::Layers, message)
    }

    #[test]
    fn edges_of_the_table_and_of_tests_and_tools_are_free() {
        let members = [
            package(
                "fathom-core",
                &[("serde", None), ("fathom-side", Some("dev"))],
            ),
            package("fathom-side", &[]),
            package(
                "fathom-cli",
                &[("fathom-core", None), ("fathom-side", None)],
            ),
            package("xtask", &[("fathom-cli", None)]),
        ];
        assert_eq!(two_layers().check(&members), []);
    }

    #[test]
    fn other_edges_and_unknown_members_are_found() {
        let members = [
            package("fathom-core", &[("fathom-side", None)]),
            package("fathom-side", &[("fathom-cli", Some("build"))]),
            package("fathom-cli", &[("xtask", None)]),
            package("xtask", &[]),
            package("fathom-new", &[]),
        ];
        let expected = [
            found(
                "crates/core/Cargo.toml",
                "fathom-core uses fathom-side, which layers.toml does not allow",
            ),
            found(
                "crates/side/Cargo.toml",
                "fathom-side uses fathom-cli, which layers.toml does not allow",
            ),
            found(
                "crates/cli/Cargo.toml",
                "fathom-cli uses xtask, which layers.toml does not allow",
            ),
            found(
                "crates/new/Cargo.toml",
                "fathom-new is missing in layers.toml",
            ),
        ];
        assert_eq!(two_layers().check(&members), expected);
    }

    #[test]
    fn a_table_that_contradicts_itself_is_found() {
        let table = table(
            "[[crate]]\nname = \"a\"\nlayer = 1\npurpose = \"\"\nmay_use = [\"b\", \"c\"]\n\
             [[crate]]\nname = \"b\"\nlayer = 1\npurpose = \"\"\nmay_use = []\n\
             [[crate]]\nname = \"b\"\nlayer = 2\npurpose = \"\"\nmay_use = []\n",
        );
        let members = [package("fathom-a", &[])];
        let expected = [
            found(
                TABLE,
                "a on layer 1 may use b on layer 1: only lower ones can be used",
            ),
            found(TABLE, "a may use c, which is no crate"),
            found(TABLE, "b is in the table twice"),
            found(TABLE, "fathom-b is not in the workspace"),
            found(TABLE, "fathom-b is not in the workspace"),
        ];
        assert_eq!(table.check(&members), expected);
    }

    #[test]
    fn the_picture_has_the_top_layer_first() {
        let expected = "\
| layer | crate | what it holds | may use | promise |
| ---: | --- | --- | --- | --- |
| 5 | `cli` | the binary | core, side |  |
| 0 | `core` | words | nothing | pure |
| 0 | `side` | ioctls | nothing | fences `unsafe` |
| | `xtask` | checks | anything | used by none |
";
        assert_eq!(two_layers().markdown(), expected);
    }

    #[test]
    fn a_document_with_another_table_or_without_marks_is_found() {
        let table = two_layers();
        let good = format!("# A\n{BEGIN}{}{END}\nmore\n", table.markdown());
        let stale = format!("# A\n{BEGIN}| old |\n{END}\nmore\n");
        let rewrite = "the layers are not those of layers.toml: run `cargo xtask layers --write`";
        let marks = "the marks <!-- layers:begin --> and <!-- layers:end --> are missing";
        assert_eq!(check_document(&table, &good), None);
        assert_eq!(
            check_document(&table, &stale),
            Some(found(DOCUMENT, rewrite))
        );
        assert_eq!(
            check_document(&table, "# A\n"),
            Some(found(DOCUMENT, marks))
        );
    }
}

//! What a package puts on a system: one list, which every form packs.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::release::Release;
use super::{binary, notices, program, root};
use crate::sources::{self, Source};

/// Shells, and where their completions lie.
pub(super) const COMPLETIONS: [(&str, &str); 3] = [
    ("bash", "usr/share/bash-completion/completions/fathom"),
    ("zsh", "usr/share/zsh/vendor-completions/_fathom"),
    ("fish", "usr/share/fish/vendor_completions.d/fathom.fish"),
];

/// Where the binary lies.
const BINARY: &str = "usr/bin/fathom";

/// Where the documents lie.
const DOCUMENTS: &str = "usr/share/doc/fathom";

/// A file, by its path below the root of the system.
#[derive(Clone, Debug)]
pub(super) struct Item {
    pub(super) path: String,
    pub(super) mode: u32,
    pub(super) bytes: Vec<u8>,
}

/// All files of a release, in order of their paths.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    pub(super) release: Release,
    pub(super) items: Vec<Item>,
}

impl Contents {
    /// The binary, what it writes of itself (pages, completions), and the licences of all in it.
    pub(super) fn gather(release: Release, binary: &Path, bytes: Vec<u8>) -> Result<Self> {
        let mut items = vec![Item {
            path: BINARY.to_owned(),
            mode: 0o755,
            bytes,
        }];
        let mut add = |path: String, bytes: Vec<u8>| {
            items.push(Item {
                path,
                mode: 0o644,
                bytes,
            });
        };
        for (path, bytes) in pages(binary)? {
            add(path, bytes);
        }
        for (shell, path) in COMPLETIONS {
            let mut command = Command::new(binary);
            command.args(["generate", "completions", shell]);
            add(path.to_owned(), program::output(&mut command)?);
        }
        let pages = sources::all()?.into_iter().filter(is_page);
        let pages = pages.map(|source| source.path);
        for name in ["README.md", "CHANGELOG.md"]
            .map(str::to_owned)
            .into_iter()
            .chain(pages)
        {
            let bytes = fs::read(root().join(&name)).with_context(|| name.clone())?;
            add(format!("{DOCUMENTS}/{name}"), bytes);
        }
        add(
            format!("{DOCUMENTS}/copyright"),
            notices::all(&binary::target())?.into_bytes(),
        );
        items.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(Self { release, items })
    }

    /// The binary itself.
    pub(super) fn binary(&self) -> &[u8] {
        let found = self.items.iter().find(|item| item.path == BINARY);
        found.map_or(&[], |item| item.bytes.as_slice())
    }

    /// All of it, in bytes.
    pub(super) fn size_bytes(&self) -> u64 {
        self.items.iter().map(|item| item.bytes.len() as u64).sum()
    }

    /// The folders that the files lie in, outer ones first.
    pub(super) fn folders(&self) -> Vec<String> {
        let mut folders: Vec<String> = self
            .items
            .iter()
            .flat_map(|item| {
                let cuts = item.path.match_indices('/');
                cuts.map(|(cut, _)| item.path[..cut].to_owned())
            })
            .collect();
        folders.sort();
        folders.dedup();
        folders
    }
}

/// Whether a file of the repository is a page of its documentation.
fn is_page(source: &Source) -> bool {
    source.path.starts_with("docs/") && source.is_markdown()
}

/// The manual pages, compressed as systems keep them.
fn pages(binary: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let folder = tempfile::tempdir().context("cannot make a folder")?;
    let mut command = Command::new(binary);
    program::output(command.args(["generate", "man"]).arg(folder.path()))?;
    let mut pages = Vec::new();
    for entry in fs::read_dir(folder.path()).context("the manual pages")? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let bytes = super::tarball::gzip(&fs::read(entry.path())?)?;
        pages.push((format!("usr/share/man/man1/{name}.gz"), bytes));
    }
    Ok(pages)
}

#[cfg(test)]
pub(super) fn example() -> Contents {
    let item = |path: &str, mode, bytes: &[u8]| Item {
        path: path.to_owned(),
        mode,
        bytes: bytes.to_vec(),
    };
    Contents {
        release: Release {
            version: "1.2.3".to_owned(),
            commit: "c0ffee".to_owned(),
            epoch_s: 1_700_000_000,
            summary: "Storage-performance workbench".to_owned(),
        },
        items: vec![
            item("usr/bin/fathom", 0o755, b"binary"),
            item("usr/share/doc/fathom/copyright", 0o644, b"licences"),
        ],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_documentation_is_inside() {
        let all = sources::all().unwrap();
        let pages = all.iter().filter(|source| is_page(source));
        let mut paths = pages.map(|source| source.path.as_str());
        assert_eq!(paths.next(), Some("docs/README.md"));
        assert!(paths.any(|path| path == "docs/dialects/fio.md"));
    }

    #[test]
    fn folders_come_before_what_is_in_them() {
        let expected = [
            "usr",
            "usr/bin",
            "usr/share",
            "usr/share/doc",
            "usr/share/doc/fathom",
        ];
        assert_eq!(example().folders(), expected);
    }
}

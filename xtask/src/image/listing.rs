//! What is in the image, and under which licences.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use sha2::{Digest as _, Sha256};

use super::packages::{Package, Packages};
use super::tree::{Node, Tree};
use crate::dist::{binary, notices};

/// The packages with their versions and licences, then every file with its size and sum.
pub(super) fn contents(packages: &Packages, tree: &Tree) -> Result<String> {
    let mut text =
        String::from("Packages of Debian: version; licences named in their copyright\n\n");
    for package in &packages.all {
        let licences = names(&copyright(packages, package)?).join(", ");
        writeln!(text, "{} {}; {licences}", package.name, package.version)?;
    }
    text.push_str("\nFathom; MIT OR Apache-2.0, with the crates in the list of licences\n\n");
    text.push_str("Files of the first file system: SHA-256, bytes, path\n\n");
    for (path, node) in &tree.nodes {
        match node {
            Node::Folder => writeln!(text, "{:64} {:>9} {path}/", "", "")?,
            Node::Link { to } => writeln!(text, "{:64} {:>9} {path} -> {to}", "", "")?,
            Node::File { bytes, .. } => {
                writeln!(
                    text,
                    "{:x} {:>9} {path}",
                    Sha256::digest(bytes),
                    bytes.len()
                )?;
            }
        }
    }
    Ok(text)
}

/// All texts of licences: those of the packages, and those of the crates in the binary.
pub(super) fn licences(packages: &Packages) -> Result<String> {
    let mut text = String::new();
    for package in &packages.all {
        writeln!(text, "===== {} {}\n", package.name, package.version)?;
        text.push_str(&copyright(packages, package)?);
        text.push('\n');
    }
    text.push_str("===== fathom\n\n");
    text.push_str(&notices::all(&binary::target())?);
    Ok(text)
}

/// The copyright of a package, which may be that of another with the same source.
fn copyright(packages: &Packages, package: &Package) -> Result<String> {
    let doc = Path::new("usr/share/doc").join(&package.name);
    let own = package.root.join(&doc).join("copyright");
    let file = if own.exists() {
        own
    } else {
        // The folder, or the file in it, is a link to that of another package.
        let to = fs::read_link(package.root.join(&doc))
            .or_else(|_| fs::read_link(&own))
            .with_context(|| format!("{} has no copyright", package.name))?;
        let parts = to.components().filter_map(|part| part.as_os_str().to_str());
        let mut parts = parts.filter(|part| !matches!(*part, ".." | "." | "copyright"));
        let other = parts.next_back().context("a link to nothing")?;
        packages.file(&format!("usr/share/doc/{other}/copyright"))?
    };
    let bytes = fs::read(&file).with_context(|| file.display().to_string())?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The short names of licences, each once, where the text has the form that names them (DEP 5).
fn names(copyright: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let lines = copyright
        .lines()
        .filter_map(|line| line.strip_prefix("License:"));
    for name in lines.map(str::trim).filter(|name| !name.is_empty()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    if names.is_empty() {
        names.push("in words, in the list of licences".to_owned());
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn licences_are_named_once() {
        let text =
            "Files: *\nLicense: GPL-2\n\nFiles: a\nLicense: MIT\n\nLicense: GPL-2\n On Debian";
        assert_eq!(names(text), ["GPL-2", "MIT"]);
        assert_eq!(names("GPL"), ["in words, in the list of licences"]);
    }
}

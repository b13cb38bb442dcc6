//! Fathom for Windows: a ZIP archive with the program and the licences, and the manifests by which
//! winget and Scoop install it. All three are made from one table of facts.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use serde_json::json;
use sha2::{Digest as _, Sha256};

use super::contents::Contents;
use super::{binary, notices, root, zip};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// Largest program that is shipped, in bytes.
const LARGEST_BYTES: usize = 25_000_000;

/// The variable that names the folder on the web where releases lie.
const DOWNLOADS: &str = "FATHOM_DOWNLOADS";
/// Where nothing lies: manifests with it are for a look only.
const NOWHERE: &str = "https://fathom.invalid/releases";

/// What the manifests say.
struct Facts<'a> {
    name: &'a str,
    publisher: &'a str,
    summary: &'a str,
    licence: &'a str,
    home: &'a str,
    version: &'a str,
    archive: &'a str,
    sha256: &'a str,
    program: &'a str,
}

impl Facts<'_> {
    fn url(&self) -> String {
        format!("{}/{}", self.home, self.archive)
    }

    /// The manifest of winget, version 1.6, all in one.
    fn winget(&self) -> String {
        format!(
            "PackageIdentifier: {publisher}.{name}\n\
             PackageVersion: {version}\n\
             PackageLocale: en-US\n\
             Publisher: {publisher}\n\
             PackageName: {name}\n\
             License: {licence}\n\
             ShortDescription: {summary}\n\
             Installers:\n\
             - Architecture: x64\n  \
               InstallerType: zip\n  \
               NestedInstallerType: portable\n  \
               NestedInstallerFiles:\n  \
               - RelativeFilePath: {program}\n    \
                 PortableCommandAlias: fathom\n  \
               InstallerUrl: {url}\n  \
               InstallerSha256: {sha256}\n\
             ManifestType: singleton\n\
             ManifestVersion: 1.6.0\n",
            publisher = self.publisher,
            name = self.name,
            version = self.version,
            licence = self.licence,
            summary = self.summary,
            program = self.program,
            url = self.url(),
            sha256 = self.sha256.to_uppercase(),
        )
    }

    /// The manifest of Scoop.
    fn scoop(&self) -> Result<String> {
        let manifest = json!({
            "version": self.version,
            "description": self.summary,
            "homepage": self.home,
            "license": self.licence,
            "architecture": {"64bit": {"url": self.url(), "hash": self.sha256}},
            "bin": self.program,
        });
        Ok(serde_json::to_string_pretty(&manifest)? + "\n")
    }
}

/// Makes the archive and both manifests.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let built = binary::build_for(&contents.release, TARGET, "fathom.exe", &[])?;
    let program = fs::read(&built).with_context(|| built.display().to_string())?;
    ensure!(
        program.len() < LARGEST_BYTES,
        "fathom.exe has {} bytes, more than {LARGEST_BYTES}",
        program.len()
    );
    let guide = fs::read(root().join("docs/windows.md")).context("docs/windows.md")?;
    let licences = notices::all()?;
    let version = &contents.release.version;
    let archive = format!("fathom-{version}-x86_64-windows.zip");
    let packed = zip::of(&[
        ("fathom.exe", &program),
        ("LICENCES.txt", licences.as_bytes()),
        ("windows.md", &guide),
    ])?;
    fs::write(folder.join(&archive), &packed).context("the archive")?;
    let home = std::env::var(DOWNLOADS).unwrap_or_else(|_| NOWHERE.to_owned());
    let facts = Facts {
        name: "Fathom",
        publisher: "Fathom",
        summary: "Storage-performance workbench",
        licence: "MIT OR Apache-2.0",
        home: &home,
        version,
        archive: &archive,
        sha256: &format!("{:x}", Sha256::digest(&packed)),
        program: "fathom.exe",
    };
    fs::write(folder.join("fathom.winget.yaml"), facts.winget())?;
    fs::write(folder.join("fathom.scoop.json"), facts.scoop()?)?;
    println!("        fathom.exe, {} bytes", program.len());
    Ok(archive)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: Facts<'_> = Facts {
        name: "Fathom",
        publisher: "Fathom",
        summary: "Storage-performance workbench",
        licence: "MIT OR Apache-2.0",
        home: "https://example.org",
        version: "1.2.3",
        archive: "a.zip",
        sha256: "c0ffee",
        program: "fathom.exe",
    };

    #[test]
    fn winget_is_told_where_the_program_lies_and_what_is_in_the_archive() {
        let expected = "\
PackageIdentifier: Fathom.Fathom
PackageVersion: 1.2.3
PackageLocale: en-US
Publisher: Fathom
PackageName: Fathom
License: MIT OR Apache-2.0
ShortDescription: Storage-performance workbench
Installers:
- Architecture: x64
  InstallerType: zip
  NestedInstallerType: portable
  NestedInstallerFiles:
  - RelativeFilePath: fathom.exe
    PortableCommandAlias: fathom
  InstallerUrl: https://example.org/a.zip
  InstallerSha256: C0FFEE
ManifestType: singleton
ManifestVersion: 1.6.0
";
        assert_eq!(FACTS.winget(), expected);
    }

    #[test]
    fn scoop_is_told_the_same() {
        let expected = json!({
            "version": "1.2.3",
            "description": "Storage-performance workbench",
            "homepage": "https://example.org",
            "license": "MIT OR Apache-2.0",
            "architecture": {"64bit": {"url": "https://example.org/a.zip", "hash": "c0ffee"}},
            "bin": "fathom.exe",
        });
        let told: serde_json::Value = serde_json::from_str(&FACTS.scoop().unwrap()).unwrap();
        assert_eq!(told, expected);
    }
}

//! What every recipe states of a release: one table, from Cargo.toml and the files that were made.

use std::fs;

use anyhow::{Context, Result};
use sha2::{Digest as _, Sha256};

use super::release::LICENCE;
use super::shelf::Shelf;

/// The variable with the URL of the folder.
const DOWNLOADS: &str = "FATHOM_DOWNLOADS";

/// Used without the variable. No host can have this name, so the recipes only show their form.
const NOWHERE: &str = "https://fathom.invalid/releases";

/// All of them, with the files of one ending.
#[derive(Clone, Debug)]
pub(super) struct Facts {
    pub(super) version: String,
    pub(super) summary: String,
    /// URL of the folder with the files.
    pub(super) downloads: String,
    /// The public key in letters, empty without one.
    pub(super) key: String,
    pub(super) files: Vec<File>,
}

/// A file for one architecture.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// As Rust and `uname -m` name it.
    pub(super) architecture: &'static str,
    pub(super) name: String,
    pub(super) sha256: String,
}

impl Facts {
    /// Reads the files `fathom-VERSION-ARCHENDING` of a folder.
    pub(super) fn of(shelf: &Shelf<'_>, ending: &str) -> Result<Self> {
        let Shelf {
            folder,
            release,
            key,
        } = shelf;
        let mut files = Vec::new();
        for architecture in ["x86_64", "aarch64"] {
            let name = format!("fathom-{}-{architecture}{ending}", release.version);
            let path = folder.join(&name);
            if !path.exists() {
                continue;
            }
            let bytes = fs::read(&path).with_context(|| path.display().to_string())?;
            files.push(File {
                architecture,
                name,
                sha256: format!("{:x}", Sha256::digest(bytes)),
            });
        }
        Ok(Self {
            version: release.version.clone(),
            summary: release.summary.clone(),
            downloads: std::env::var(DOWNLOADS).unwrap_or_else(|_| NOWHERE.to_owned()),
            key: key
                .as_ref()
                .map_or_else(String::new, |key| key.public.clone()),
            files,
        })
    }

    /// The whole expression.
    #[expect(clippy::unused_self, reason = "templates ask the table for everything")]
    pub(super) fn licence(&self) -> &'static str {
        LICENCE
    }

    /// The licences to choose from, in this form and with this separator.
    pub(super) fn licences(&self, mark: &str, separator: &str) -> String {
        let each = self.licence().split(" OR ");
        let marked: Vec<String> = each.map(|name| format!("{mark}{name}{mark}")).collect();
        marked.join(separator)
    }
}

#[cfg(test)]
pub(super) fn example(ending: &str) -> Facts {
    let file = |architecture, sha256: &str| File {
        architecture,
        name: format!("fathom-1.2.3-{architecture}{ending}"),
        sha256: sha256.to_owned(),
    };
    Facts {
        version: "1.2.3".to_owned(),
        summary: "Storage-performance workbench".to_owned(),
        downloads: "https://example.org/fathom".to_owned(),
        key: "-----BEGIN-----\n\nletters\n-----END-----\n".to_owned(),
        files: if ending == "-windows.zip" {
            vec![file("x86_64", &"c0ffee00".repeat(8))]
        } else {
            vec![file("x86_64", "c0ffee"), file("aarch64", "decade")]
        },
    }
}

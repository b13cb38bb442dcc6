//! A folder of packages, which repositories and recipes make a release of.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::program;
use super::release::Release;

/// The folder, and what signs it.
pub(super) struct Shelf<'a> {
    pub(super) folder: &'a Path,
    pub(super) release: &'a Release,
    pub(super) key: Option<Key<'a>>,
}

/// A key of GnuPG.
#[derive(Clone, Debug)]
pub(super) struct Key<'a> {
    name: &'a str,
    /// The public part, in letters.
    pub(super) public: String,
}

impl<'a> Key<'a> {
    /// Asks gpg for the key, which therefore has to be there.
    pub(super) fn of(name: &'a str) -> Result<Self> {
        let export = ["--batch", "--armor", "--export", name];
        let public = program::text(Command::new("gpg").args(export))?;
        ensure!(
            !public.is_empty(),
            "gpg has no key {name}; `gpg --list-secret-keys` lists them"
        );
        Ok(Self { name, public })
    }
}

impl Shelf<'_> {
    /// Names of its files, sorted, without those whose name ends so.
    pub(super) fn names(&self, but: &[&str]) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.folder).context("the folder of the release")? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if entry.file_type()?.is_file() && !but.iter().any(|ending| name.ends_with(ending)) {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Removes what an earlier call made.
    pub(super) fn remove(&self, name: &str) -> Result<()> {
        let path = self.folder.join(name);
        if path.exists() {
            fs::remove_file(&path)?;
        }
        Ok(())
    }

    /// Signs a file as an option of gpg says. Without a key it removes an earlier signature, which
    /// the file no longer has.
    pub(super) fn sign(&self, how: &str, file: &str, signature: &str) -> Result<()> {
        self.remove(signature)?;
        let Some(key) = &self.key else {
            return Ok(());
        };
        let mut command = Command::new("gpg");
        command
            .args(["--batch", "--armor", "--local-user", key.name])
            .args(["--output", signature, how, file])
            .current_dir(self.folder);
        program::output(&mut command).map(drop)
    }
}

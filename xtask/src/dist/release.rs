//! Which state of the source is shipped, and when it was made: the only instant in any package.
//! What packages say of the program is here or in Cargo.toml, and nowhere else.

use std::process::Command;

use anyhow::{Context, Result};

use super::{program, root};
use crate::metadata;

/// Of the workspace, as an SPDX expression.
pub(super) const LICENCE: &str = env!("CARGO_PKG_LICENSE");

/// What package managers print below the summary.
pub(super) const DESCRIPTION: &str = "\
Puts the load of a real application on a disk, array, volume or file system,
measures what it delivers, and says how far the number may be trusted and why.
";

/// One commit.
#[derive(Clone, Debug)]
pub struct Release {
    /// Of the packages, as the workspace has it.
    pub version: String,
    /// Full name of the commit, with `-changed` where files differ from it.
    pub commit: String,
    /// Seconds since 1970 of the commit: the time of every file that is shipped.
    pub epoch_s: u64,
    /// One line about the program, as its Cargo.toml has it.
    pub summary: String,
}

impl Release {
    /// What is checked out.
    pub fn of_head() -> Result<Self> {
        let git = |words: &[&str]| {
            let told = program::text(Command::new("git").args(words).current_dir(root()))?;
            Ok::<_, anyhow::Error>(told.trim().to_owned())
        };
        let commit = git(&["rev-parse", "HEAD"])?;
        let changed = git(&["status", "--porcelain", "--untracked-files=no"])?;
        let mark = if changed.is_empty() { "" } else { "-changed" };
        let epoch = git(&["log", "-1", "--format=%ct"])?;
        let packages = metadata::members()?.packages;
        let program = packages
            .into_iter()
            .find(|package| package.name == "fathom-cli");
        let summary = program.and_then(|program| program.description);
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: format!("{commit}{mark}"),
            epoch_s: epoch.parse().context("git names no time of the commit")?,
            summary: summary.context("Cargo.toml of fathom-cli has no description")?,
        })
    }
}

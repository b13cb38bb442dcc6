//! Which state of the source is shipped, and when it was made: the only instant in any package.

use std::process::Command;

use anyhow::{Context, Result};

use super::{program, root};

/// One commit.
#[derive(Clone, Debug)]
pub struct Release {
    /// Of the packages, as the workspace has it.
    pub version: String,
    /// Full name of the commit, with `-changed` where files differ from it.
    pub commit: String,
    /// Seconds since 1970 of the commit: the time of every file that is shipped.
    pub epoch_s: u64,
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
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            commit: format!("{commit}{mark}"),
            epoch_s: epoch.parse().context("git names no time of the commit")?,
        })
    }
}

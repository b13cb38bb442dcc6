//! The program that a command tries: one that is there, or a new build of a profile.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};

use crate::{metadata, sources};

/// The one that `[--binary FATHOM]` names.
pub(crate) fn named(words: &[&str]) -> Result<Option<PathBuf>> {
    match words {
        [] => Ok(None),
        ["--binary", file] => {
            let path = PathBuf::from(file);
            ensure!(path.is_file(), "there is no {file}");
            Ok(Some(path.canonicalize()?))
        }
        _ => bail!("it takes only --binary FATHOM"),
    }
}

/// A release build of the workspace's program.
pub fn release() -> Result<PathBuf> {
    let status = Command::new(metadata::cargo())
        .args(["build", "--quiet", "--locked", "--release"])
        .args(["--package", "fathom-cli"])
        .current_dir(sources::root())
        .status()
        .context("cannot run cargo")?;
    ensure!(status.success(), "the release build ended with {status}");
    Ok(metadata::members()?.target_directory.join("release/fathom"))
}

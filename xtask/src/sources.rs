//! The text files of the repository, as git sees them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

/// A text file, by its path from the repository root.
#[derive(Clone, Debug)]
pub struct Source {
    pub path: String,
    pub text: String,
}

impl Source {
    pub fn is_rust(&self) -> bool {
        self.extension() == Some("rs")
    }

    pub fn is_markdown(&self) -> bool {
        self.extension() == Some("md")
    }

    fn extension(&self) -> Option<&str> {
        Path::new(&self.path).extension()?.to_str()
    }

    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }
}

/// The repository root: the parent of this crate's folder.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The folders whose folders are crates on layers.
const LAYERED: [&str; 2] = ["crates", "dialects"];

/// The name of the crate on a layer that a file belongs to.
pub fn layered(path: &str) -> Option<&str> {
    let mut folders = path.split('/');
    LAYERED.contains(&folders.next()?).then(|| folders.next())?
}

/// Reads a file of the repository.
pub fn read(path: &str) -> Result<String> {
    std::fs::read_to_string(root().join(path)).with_context(|| format!("cannot read {path}"))
}

/// All files that are tracked or could be: new files count before they are added, so that a
/// check before the commit sees them; ignored ones do not. Files that are not UTF-8 are skipped.
pub fn all() -> Result<Vec<Source>> {
    let listing = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root())
        .output()
        .context("cannot run git, which lists the files to check")?;
    ensure!(
        listing.status.success(),
        "git cannot list the files to check: {}",
        String::from_utf8_lossy(&listing.stderr).trim()
    );
    let names = String::from_utf8(listing.stdout).context("a file name is not UTF-8")?;
    let mut sources = Vec::new();
    for path in names.split_terminator('\0') {
        // A file deleted but not yet committed is listed and cannot be read; so is a submodule.
        let Ok(bytes) = std::fs::read(root().join(path)) else {
            continue;
        };
        if let Ok(text) = String::from_utf8(bytes) {
            sources.push(Source {
                path: path.to_owned(),
                text,
            });
        }
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    sources.dedup_by(|a, b| a.path == b.path);
    Ok(sources)
}

#[cfg(test)]
pub fn source(path: &str, text: &str) -> Source {
    Source {
        path: path.to_owned(),
        text: text.to_owned(),
    }
}

//! What cargo says about the workspace, as far as we ask.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::sources;

#[derive(Debug, Deserialize)]
pub(crate) struct Metadata {
    pub(crate) packages: Vec<Package>,
    pub(crate) target_directory: PathBuf,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) license: Option<String>,
    pub(crate) manifest_path: PathBuf,
    pub(crate) dependencies: Vec<Dependency>,
    pub(crate) targets: Vec<Target>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    pub(crate) kind: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Target {
    pub(crate) kind: Vec<String>,
    pub(crate) src_path: PathBuf,
}

/// The members of the workspace only.
pub(crate) fn members() -> Result<Metadata> {
    query(&["--no-deps"])
}

/// Members and everything they are built from on this platform.
pub(crate) fn everything() -> Result<Metadata> {
    let version = run(Command::new(cargo()).arg("-vV"))?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("cargo -vV does not name the host")?;
    query(&["--filter-platform", host])
}

/// The cargo that runs us, or the one in the path.
pub(crate) fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// A path from the repository root, with forward slashes, as findings print it.
pub(crate) fn relative(path: &Path) -> String {
    path.strip_prefix(sources::root())
        .unwrap_or(path)
        .display()
        .to_string()
}

fn query(options: &[&str]) -> Result<Metadata> {
    let mut command = Command::new(cargo());
    command
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(options);
    let json = run(command.current_dir(sources::root()))?;
    serde_json::from_str(&json).context("cannot read the answer of cargo metadata")
}

fn run(command: &mut Command) -> Result<String> {
    let output = command.output().context("cannot run cargo")?;
    ensure!(
        output.status.success(),
        "{command:?} ended with {}: {}",
        output.status,
        String::from_utf8_lossy(&output.stderr).trim()
    );
    String::from_utf8(output.stdout).context("cargo wrote something that is not UTF-8")
}

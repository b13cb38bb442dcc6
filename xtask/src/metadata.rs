//! What cargo says about the workspace, as far as we ask.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde::Deserialize;

use crate::sources;

#[derive(Debug, Deserialize)]
pub struct Metadata {
    pub packages: Vec<Package>,
    /// Who depends on whom; not asked for with the members alone.
    resolve: Option<Resolve>,
    pub target_directory: PathBuf,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Package {
    #[serde(default)]
    pub id: String,
    pub name: String,
    pub version: String,
    pub license: Option<String>,
    #[serde(default)]
    pub description: Option<String>,
    /// The oldest toolchain that builds it.
    #[serde(default)]
    pub rust_version: Option<String>,
    /// `None` for what lies in a folder.
    #[serde(default)]
    pub source: Option<String>,
    pub manifest_path: PathBuf,
    pub dependencies: Vec<Dependency>,
    pub targets: Vec<Target>,
}

#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    deps: Vec<Edge>,
}

#[derive(Debug, Deserialize)]
struct Edge {
    pkg: String,
    dep_kinds: Vec<EdgeKind>,
}

#[derive(Debug, Deserialize)]
struct EdgeKind {
    /// `None` for a normal dependency.
    kind: Option<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
pub struct Dependency {
    pub name: String,
    /// `None` for a normal dependency, else `dev` or `build`.
    pub kind: Option<String>,
    #[serde(default)]
    pub req: String,
    /// Of one in a folder.
    #[serde(default)]
    pub path: Option<PathBuf>,
}

#[derive(Clone, Debug, Deserialize)]
pub struct Target {
    pub kind: Vec<String>,
    pub src_path: PathBuf,
}

/// The members of the workspace only.
pub fn members() -> Result<Metadata> {
    query(&["--no-deps"])
}

/// Members and everything they are built from on this platform.
pub fn everything() -> Result<Metadata> {
    let version = run(Command::new(cargo()).arg("-vV"))?;
    let host = version
        .lines()
        .find_map(|line| line.strip_prefix("host: "))
        .context("cargo -vV does not name the host")?;
    everything_on(host)
}

/// The same for a target.
fn everything_on(target: &str) -> Result<Metadata> {
    query(&["--filter-platform", target])
}

/// The packages of others in the binary for a target: its parts, without what only builds or tests
/// it, by name and version.
pub fn shipped(target: &str) -> Result<Vec<Package>> {
    let all = everything_on(target)?;
    let resolve = all.resolve.context("cargo metadata resolves nothing")?;
    let binary = all.packages.iter().find(|p| p.name == "fathom-cli");
    let mut open = vec![binary.context("there is no package fathom-cli")?.id.clone()];
    let is_macro = |package: &&Package| {
        let kinds = package.targets.iter().flat_map(|target| &target.kind);
        kinds.into_iter().any(|kind| kind == "proc-macro")
    };
    let macros: BTreeSet<&String> = all
        .packages
        .iter()
        .filter(is_macro)
        .map(|p| &p.id)
        .collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    while let Some(id) = open.pop() {
        if macros.contains(&id) || !seen.insert(id.clone()) {
            continue;
        }
        let edges = resolve.nodes.iter().filter(|node| node.id == id);
        for edge in edges.flat_map(|node| &node.deps) {
            if edge.dep_kinds.iter().any(|kind| kind.kind.is_none()) {
                open.push(edge.pkg.clone());
            }
        }
    }
    let is_ours = |package: &Package| package.manifest_path.starts_with(sources::root());
    let mut packages: Vec<Package> = all
        .packages
        .into_iter()
        .filter(|package| seen.contains(&package.id) && !is_ours(package))
        .collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

/// The cargo that runs us, or the one in the path.
pub fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from)
}

/// A path from the repository root, with forward slashes, as findings print it.
pub fn relative(path: &Path) -> String {
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

//! Programs that are not static, with the libraries they load.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result};

use super::packages::Packages;
use super::tree::Tree;
use crate::dist::program;

/// Where packages have libraries.
const FOLDERS: [&str; 5] = [
    "lib/x86_64-linux-gnu",
    "usr/lib/x86_64-linux-gnu",
    "usr/lib/x86_64-linux-gnu/systemd",
    "lib64",
    "usr/lib64",
];

/// What loads them, named in every program.
const LOADER: &str = "ld-linux-x86-64.so.2";

/// Puts a program into `/bin`, and all libraries that it needs where they are looked for.
pub fn add(tree: &mut Tree, packages: &Packages, path: &str) -> Result<()> {
    let file = packages.file(path)?;
    let name = path.rsplit('/').next().unwrap_or(path);
    let bytes = fs::read(&file).with_context(|| path.to_owned())?;
    tree.file(&format!("bin/{name}"), 0o755, bytes);
    load(tree, packages, &file)
}

/// Puts all libraries that a program needs where they are looked for; none for one that is static.
pub fn load(tree: &mut Tree, packages: &Packages, file: &Path) -> Result<()> {
    let name = file.display();
    let mut wanted = needed(file)?;
    if !wanted.is_empty() {
        wanted.push(LOADER.to_owned());
    }
    while let Some(library) = wanted.pop() {
        let folder = if library == LOADER {
            "lib64"
        } else {
            FOLDERS[0]
        };
        let place = format!("{folder}/{library}");
        if tree.has(&place) {
            continue;
        }
        let mut places = FOLDERS.iter();
        let found = places.find_map(|folder| packages.file(&format!("{folder}/{library}")).ok());
        let found =
            found.with_context(|| format!("{name} needs {library}, which no package has"))?;
        wanted.extend(needed(&found)?);
        tree.file(&place, 0o755, fs::read(&found)?);
    }
    Ok(())
}

/// What an ELF file needs.
fn needed(file: &Path) -> Result<Vec<String>> {
    let told = program::text(Command::new("objdump").arg("-p").arg(file))?;
    let lines = told
        .lines()
        .filter_map(|line| line.trim().strip_prefix("NEEDED"));
    let names = lines.map(|name| name.trim().to_owned());
    Ok(names.filter(|name| name != LOADER).collect())
}

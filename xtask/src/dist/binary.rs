//! The static binary: one file that starts on every Linux of its architecture.
//!
//! glibc and not musl: the allocator of musl is many times slower, and a report of a long run
//! allocates much.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};

use super::contents::Contents;
use super::release::Release;
use super::{program, root};
use crate::metadata;

/// Name of the target. With one named, cargo builds its build scripts and macros without the flags,
/// which a static C library would break.
pub(crate) fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// What the linker does to make the program smaller. Rust links with LLD on x86-64, and with the
/// linker of the system elsewhere, which may know neither option.
///
/// The program loads anywhere, and has 28,000 addresses to relocate: packed, they take 10 KB
/// instead of 690. The C library reads them from 2.36 on, and [`check`] would not start a program
/// of an older one. Functions with equal code are stored once, which saves 220 KB.
fn linker_options() -> &'static [&'static str] {
    if cfg!(target_arch = "x86_64") {
        &[
            "-Clink-arg=-Wl,-z,pack-relative-relocs",
            "-Clink-arg=-Wl,--icf=all",
        ]
    } else {
        &[]
    }
}

/// Builds it, and gives its path.
pub fn build(release: &Release) -> Result<PathBuf> {
    let no_id = ["-Clink-arg=-Wl,--build-id=none"];
    let flags: Vec<&str> = no_id.iter().chain(linker_options()).copied().collect();
    build_for(release, &target(), "fathom", &flags)
}

/// Builds it for a target, where the file has this name, and gives its path.
pub(super) fn build_for(
    release: &Release,
    target: &str,
    file: &str,
    flags: &[&str],
) -> Result<PathBuf> {
    let root = root().canonicalize()?;
    let home = std::env::var_os("CARGO_HOME").map_or_else(
        || PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cargo"),
        PathBuf::from,
    );
    let maps = [(root.as_path(), "fathom"), (home.as_path(), "cargo")];
    let rust_flags: Vec<String> = maps
        .iter()
        .map(|(from, to)| format!("--remap-path-prefix={}={to}", from.display()))
        .chain(["-Ctarget-feature=+crt-static".to_owned()])
        .chain(flags.iter().map(|&flag| flag.to_owned()))
        .collect();
    let c_flags: Vec<String> = maps
        .iter()
        .map(|(from, to)| format!("-ffile-prefix-map={}={to}", from.display()))
        .collect();
    let mut command = Command::new(metadata::cargo());
    command
        .args(["build", "--locked", "--quiet", "--profile", "dist"])
        .args(["--package", "fathom-cli", "--target", target])
        .current_dir(&root)
        .env("CARGO_ENCODED_RUSTFLAGS", rust_flags.join("\u{1f}"))
        .env("CFLAGS", c_flags.join(" "))
        .env("FATHOM_COMMIT", &release.commit)
        .env("SOURCE_DATE_EPOCH", release.epoch_s.to_string());
    program::output(&mut command)?;
    let folder = metadata::members()?.target_directory;
    Ok(folder.join(target).join("dist").join(file))
}

/// Writes it by itself.
pub(super) fn write(contents: &Contents, folder: &Path) -> Result<()> {
    let name = format!(
        "fathom-{}-{}",
        contents.release.version,
        std::env::consts::ARCH
    );
    let path = folder.join(&name);
    fs::write(&path, contents.binary()).with_context(|| path.display().to_string())?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    Ok(())
}

/// That what a static build may have lost works in it.
pub(super) fn check(binary: &Path) -> Result<()> {
    let told = program::text(Command::new(binary).args(["--version", "--verbose"]))?;
    for line in told.lines() {
        println!("        {line}");
    }
    let broken: Vec<&str> = told
        .lines()
        .filter(|line| {
            let is = |name: &str| line.starts_with(name);
            (is("sqlite") && line.contains("does not work"))
                || (is("names") && line.contains("cannot"))
                || (is("engine") && line.contains("io_uring") && !line.ends_with("works here"))
                || (is("built") && !line.contains("static glibc"))
        })
        .collect();
    ensure!(
        broken.is_empty(),
        "the static binary lacks something:\n{}",
        broken.join("\n")
    );
    Ok(())
}

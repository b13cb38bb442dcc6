//! What is shipped: a static binary, and packages of it that anybody can install without a Rust
//! toolchain. The same commit gives the same bytes in every folder.

mod bare_root;
pub mod binary;
mod contents;
mod deb;
pub mod notices;
mod oci;
pub mod program;
mod release;
mod rpm;
mod sbom;
pub mod sums;
pub mod tarball;
mod twice;
mod windows;
mod zip;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::{metadata, sources};
use contents::Contents;
pub use release::Release;

/// Largest binary that is shipped, in bytes.
const LARGEST_BINARY_BYTES: u64 = 21_000_000;

/// One form in which Fathom is shipped.
struct Form {
    /// Its word on the command line.
    name: &'static str,
    /// Makes the file in the folder, and gives its name.
    make: fn(&Contents, &Path) -> Result<String>,
    /// The program that it needs, with the Debian package that has it.
    needs: Option<(&'static str, &'static str)>,
}

/// All of them, in the order in which they are made.
const FORMS: [Form; 5] = [
    Form {
        name: "tar",
        make: tarball::make,
        needs: Some(("zstd", "zstd")),
    },
    Form {
        name: "deb",
        make: deb::make,
        needs: None,
    },
    Form {
        name: "rpm",
        make: rpm::make,
        needs: Some(("rpmbuild", "rpm")),
    },
    Form {
        name: "oci",
        make: oci::make,
        needs: None,
    },
    Form {
        name: "zip",
        make: windows::make,
        needs: Some(("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")),
    },
];

/// `dist [FORM…]`: all forms, or the named ones; true when everything was made.
pub fn run(words: &[&str]) -> Result<bool> {
    match words {
        ["--twice"] => return twice::run(),
        ["--try"] => return bare_root::run(&folder()?),
        _ => {}
    }
    let wanted = |form: &&Form| words.is_empty() || words.contains(&form.name);
    for word in words {
        ensure!(
            FORMS.iter().any(|form| form.name == *word),
            "there is no form {word}: tar, deb, rpm, oci and zip are made"
        );
    }
    let release = Release::of_head()?;
    let folder = folder()?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let binary = binary::build(&release)?;
    let bytes = fs::read(&binary).with_context(|| format!("cannot read {}", binary.display()))?;
    println!("binary  {} bytes, static", bytes.len());
    ensure!(
        (bytes.len() as u64) < LARGEST_BINARY_BYTES,
        "the binary has {} bytes, more than {LARGEST_BINARY_BYTES}",
        bytes.len()
    );
    binary::check(&binary)?;
    let contents = Contents::gather(release, &binary, bytes)?;
    let alone = binary::write(&contents, &folder)?;
    let bill = sbom::write(&contents.release, &folder)?;
    let mut made = vec![alone, bill];
    let mut is_whole = true;
    for form in FORMS.iter().filter(wanted) {
        if let Some((command, package)) = form.needs
            && !program::is_there(command)
        {
            println!(
                "{:7} not made: {command} is missing (package {package})",
                form.name
            );
            is_whole = false;
            continue;
        }
        let name = (form.make)(&contents, &folder).with_context(|| form.name.to_owned())?;
        let size = fs::metadata(folder.join(&name))?.len();
        println!("{:7} {name}, {size} bytes", form.name);
        made.push(name);
    }
    sums::write(&folder, &made)?;
    println!("in {}", folder.display());
    Ok(is_whole)
}

/// Where everything is put: `dist` in cargo's target folder.
fn folder() -> Result<PathBuf> {
    Ok(metadata::members()?.target_directory.join("dist-files"))
}

/// The repository whose commit is shipped.
fn root() -> PathBuf {
    sources::root()
}

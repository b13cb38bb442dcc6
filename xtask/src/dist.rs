//! What is shipped: a static binary, packages of it that anybody can install without a Rust
//! toolchain, and what makes their folder a repository. The same commit gives the same bytes in
//! every folder.

mod apt;
mod bare_root;
pub mod binary;
mod contents;
mod deb;
mod dnf;
mod facts;
mod install;
pub mod notices;
mod oci;
pub mod program;
mod recipes;
mod release;
mod rpm;
mod sbom;
mod shelf;
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
use shelf::{Key, Shelf};

/// Largest binary that is shipped, in bytes.
const LARGEST_BINARY_BYTES: u64 = 20_000_000;

/// One form in which Fathom is shipped.
struct Shipment<F> {
    /// Its word on the command line.
    name: &'static str,
    make: F,
    /// The program that it needs, with the Debian package that has it.
    needs: Option<(&'static str, &'static str)>,
}

/// Makes a file of the binary and its documents in the folder, and gives its name.
type Package = fn(&Contents, &Path) -> Result<String>;

/// Makes files about all packages in the folder, which may be of several architectures.
type Index = fn(&Shelf<'_>) -> Result<Vec<String>>;

/// In the order in which they are made.
const PACKAGES: [Shipment<Package>; 5] = [
    Shipment {
        name: "tar",
        make: tarball::make,
        needs: Some(("zstd", "zstd")),
    },
    Shipment {
        name: "deb",
        make: deb::make,
        needs: None,
    },
    Shipment {
        name: "rpm",
        make: rpm::make,
        needs: Some(("rpmbuild", "rpm")),
    },
    Shipment {
        name: "oci",
        make: oci::make,
        needs: None,
    },
    Shipment {
        name: "zip",
        make: windows::make,
        needs: Some(("x86_64-w64-mingw32-gcc", "gcc-mingw-w64-x86-64")),
    },
];

/// Made after the packages.
const INDEXES: [Shipment<Index>; 3] = [
    Shipment {
        name: "apt",
        make: apt::make,
        needs: Some(("apt-ftparchive", "apt-utils")),
    },
    Shipment {
        name: "dnf",
        make: dnf::make,
        needs: Some(("createrepo_c", "createrepo-c")),
    },
    Shipment {
        name: "recipes",
        make: recipes::make,
        needs: None,
    },
];

/// `dist [--sign KEY] [FORM…]`: all forms, or the named ones; true when everything was made.
pub fn run(words: &[&str]) -> Result<bool> {
    let (key, words) = match words {
        ["--twice"] => return twice::run(),
        ["--try"] => return bare_root::run(&folder()?),
        ["--sign", key, words @ ..] => (Some(Key::of(key)?), words),
        words => (None, words),
    };
    let known: Vec<&str> = PACKAGES
        .iter()
        .map(|form| form.name)
        .chain(INDEXES.iter().map(|form| form.name))
        .collect();
    for word in words {
        ensure!(
            known.contains(word),
            "there is no form {word}. The forms are {}",
            known.join(", ")
        );
    }
    let wanted = |name: &str| words.is_empty() || words.contains(&name);
    let release = Release::of_head()?;
    let folder = folder()?;
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let shelf = Shelf {
        folder: &folder,
        release: &release,
        key,
    };
    let mut is_whole = true;
    if PACKAGES.iter().any(|form| wanted(form.name)) {
        let contents = contents(&release, &folder)?;
        for form in PACKAGES.iter().filter(|form| wanted(form.name)) {
            is_whole &= form.made(&folder, |make| Ok(vec![make(&contents, &folder)?]))?;
        }
    }
    for form in INDEXES.iter().filter(|form| wanted(form.name)) {
        is_whole &= form.made(&folder, |make| make(&shelf))?;
    }
    finish(&shelf)?;
    Ok(is_whole)
}

impl<F> Shipment<F> {
    /// Makes it; false where the program for it is missing.
    fn made(&self, folder: &Path, call: impl FnOnce(&F) -> Result<Vec<String>>) -> Result<bool> {
        if let Some((command, package)) = self.needs
            && !program::is_there(command)
        {
            println!(
                "{:7} not made: {command} is missing (package {package})",
                self.name
            );
            return Ok(false);
        }
        for name in call(&self.make).with_context(|| self.name.to_owned())? {
            let size = fs::metadata(folder.join(&name))?.len();
            println!("{:7} {name}, {size} bytes", self.name);
        }
        Ok(true)
    }
}

/// Builds the binary and writes it and its bill of materials.
fn contents(release: &Release, folder: &Path) -> Result<Contents> {
    let binary = binary::build(release)?;
    let bytes = fs::read(&binary).with_context(|| format!("cannot read {}", binary.display()))?;
    println!("binary  {} bytes, static", bytes.len());
    ensure!(
        (bytes.len() as u64) < LARGEST_BINARY_BYTES,
        "the binary has {} bytes, more than {LARGEST_BINARY_BYTES}",
        bytes.len()
    );
    binary::check(&binary)?;
    let contents = Contents::gather(release.clone(), &binary, bytes)?;
    binary::write(&contents, folder)?;
    sbom::write(release, folder)?;
    Ok(contents)
}

/// Writes and signs the sums of all files. Signatures have none: their bytes change with the time.
fn finish(shelf: &Shelf<'_>) -> Result<()> {
    let signatures = [sums::NAME, ".asc", ".gpg", "InRelease"];
    let mut names = shelf.names(&signatures)?;
    if shelf.folder.join(dnf::METADATA).exists() {
        names.push(dnf::METADATA.to_owned());
    }
    sums::write(shelf.folder, &names)?;
    shelf.sign("--detach-sign", sums::NAME, "SHA256SUMS.asc")?;
    println!("in {}", shelf.folder.display());
    Ok(())
}

/// Where everything is put: `dist` in cargo's target folder.
fn folder() -> Result<PathBuf> {
    Ok(metadata::members()?.target_directory.join("dist-files"))
}

/// The repository whose commit is shipped.
fn root() -> PathBuf {
    sources::root()
}

//! The package of Debian and its descendants: an `ar` archive of two others (deb(5)).

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use ar::{Builder, Header};
use sha2::{Digest as _, Sha256};

use super::contents::Contents;
use super::release::DESCRIPTION;
use super::tarball;

/// Makes it.
pub(super) fn make(contents: &Contents, folder: &Path) -> Result<String> {
    let architecture = architecture()?;
    let version = &contents.release.version;
    let name = format!("fathom_{version}_{architecture}.deb");
    fs::write(folder.join(&name), package(contents, architecture)?)?;
    Ok(name)
}

fn package(contents: &Contents, architecture: &str) -> Result<Vec<u8>> {
    let epoch_s = contents.release.epoch_s;
    let control = control(contents, architecture);
    let sums = sums(contents);
    let files = [
        ("control", 0o644, control.as_bytes()),
        ("sha256sums", 0o644, sums.as_bytes()),
    ];
    let members = [
        ("debian-binary", b"2.0\n".to_vec()),
        (
            "control.tar.gz",
            tarball::gzip(&tarball::tar_of(&files, epoch_s)?)?,
        ),
        ("data.tar.gz", tarball::gzip(&tarball::tar(contents, "")?)?),
    ];
    let mut builder = Builder::new(Vec::new());
    for (name, bytes) in members {
        let mut header = Header::new(name.into(), bytes.len() as u64);
        header.set_mode(0o100_644);
        header.set_mtime(epoch_s);
        builder
            .append(&header, bytes.as_slice())
            .with_context(|| name.to_owned())?;
    }
    builder.into_inner().context("the package")
}

/// A static binary depends on nothing. Other hosts and `ssh://` need the client of OpenSSH.
fn control(contents: &Contents, architecture: &str) -> String {
    format!(
        "Package: fathom\n\
         Version: {}\n\
         Architecture: {architecture}\n\
         Maintainer: The Fathom developers <fathom@localhost>\n\
         Installed-Size: {}\n\
         Section: utils\n\
         Priority: optional\n\
         Recommends: openssh-client\n\
         Description: {}\n {}\n",
        contents.release.version,
        contents.size_bytes().div_ceil(1024),
        contents.release.summary,
        DESCRIPTION.trim_end().replace('\n', "\n "),
    )
}

fn sums(contents: &Contents) -> String {
    let line = |path: &str, bytes: &[u8]| format!("{:x}  {path}\n", Sha256::digest(bytes));
    let lines = contents.items.iter();
    lines.map(|item| line(&item.path, &item.bytes)).collect()
}

fn architecture() -> Result<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Ok("amd64"),
        "aarch64" => Ok("arm64"),
        other => bail!("Debian's word for {other} is not known here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dist::contents::example;

    #[test]
    fn a_package_has_its_three_members_and_the_same_bytes_again() {
        let bytes = package(&example(), "amd64").unwrap();
        let mut archive = ar::Archive::new(bytes.as_slice());
        let mut told = Vec::new();
        while let Some(entry) = archive.next_entry() {
            let entry = entry.unwrap();
            let header = entry.header();
            told.push(format!(
                "{} {:o} {}",
                String::from_utf8_lossy(header.identifier()),
                header.mode(),
                header.mtime()
            ));
        }
        let expected = [
            "debian-binary 100644 1700000000",
            "control.tar.gz 100644 1700000000",
            "data.tar.gz 100644 1700000000",
        ];
        assert_eq!(told, expected);
        assert_eq!(package(&example(), "amd64").unwrap(), bytes);
    }

    #[test]
    fn the_control_file_names_what_is_installed() {
        let expected = "\
Package: fathom
Version: 1.2.3
Architecture: amd64
Maintainer: The Fathom developers <fathom@localhost>
Installed-Size: 1
Section: utils
Priority: optional
Recommends: openssh-client
Description: Storage-performance workbench
 Puts the load of a real application on a disk, array, volume or file system,
 measures what it delivers, and says how far the number may be trusted and why.
";
        assert_eq!(control(&example(), "amd64"), expected);
    }
}

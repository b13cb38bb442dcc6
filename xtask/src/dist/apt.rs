//! The folder as a repository of apt, without folders inside (sources.list(5)).

use std::fs;
use std::process::Command;

use anyhow::Result;

use super::shelf::Shelf;
use super::{program, tarball};

/// Writes the lists of all packages in the folder.
pub(super) fn make(shelf: &Shelf<'_>) -> Result<Vec<String>> {
    let folder = shelf.folder;
    let commit = format!("--date=@{}", shelf.release.epoch_s);
    let date = program::text(Command::new("date").args(["--utc", "--rfc-email", &commit]))?;
    let index = |words: &[&str]| {
        let mut command = Command::new("apt-ftparchive");
        command
            .args(["-o", "APT::FTPArchive::Release::Origin=Fathom", "-o"])
            .arg(format!("APT::FTPArchive::Release::Date={}", date.trim()))
            .args(words)
            .current_dir(folder);
        program::output(&mut command)
    };
    let packages = index(&["packages", "."])?;
    fs::write(folder.join("Packages"), &packages)?;
    fs::write(folder.join("Packages.gz"), tarball::gzip(&packages)?)?;
    // It would have the sum of an earlier one.
    shelf.remove("Release")?;
    fs::write(folder.join("Release"), index(&["release", "."])?)?;
    shelf.sign("--detach-sign", "Release", "Release.gpg")?;
    shelf.sign("--clear-sign", "Release", "InRelease")?;
    Ok(["Packages", "Packages.gz", "Release"]
        .map(str::to_owned)
        .to_vec())
}

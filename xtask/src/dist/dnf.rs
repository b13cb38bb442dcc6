//! The folder as a repository of dnf and zypper.

use std::fs;
use std::process::Command;
use std::time::{Duration, SystemTime};

use anyhow::Result;

use super::program;
use super::shelf::Shelf;

/// The list of lists, whose signature covers the sums of everything else.
pub(super) const METADATA: &str = "repodata/repomd.xml";

/// Writes the lists of all packages in the folder.
pub(super) fn make(shelf: &Shelf<'_>) -> Result<Vec<String>> {
    let folder = shelf.folder;
    let epoch_s = shelf.release.epoch_s;
    // The lists have the time of each file.
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(epoch_s);
    for name in shelf.names(&[])? {
        let file = fs::File::options().write(true).open(folder.join(name))?;
        file.set_modified(time)?;
    }
    let mut command = Command::new("createrepo_c");
    command
        .args(["--quiet", "--no-database", "--set-timestamp-to-revision"])
        .args(["--revision", &epoch_s.to_string(), "."])
        .current_dir(folder);
    program::output(&mut command)?;
    shelf.sign("--detach-sign", METADATA, "repodata/repomd.xml.asc")?;
    Ok(vec![METADATA.to_owned()])
}

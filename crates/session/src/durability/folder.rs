//! The folder of a run in a directory, and the files in it.

use std::path::{Path, PathBuf};

/// The name of the folder.
pub(super) fn name(run: u64) -> String {
    format!("fathom-durability-{run:016x}")
}

/// The file with the areas of all promises that are about blocks.
pub(super) fn blocks(folder: &Path) -> PathBuf {
    folder.join("blocks.dat")
}

/// One of the files that records are appended to.
pub(super) fn records(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("records.{number}"))
}

/// The file whose name others take.
pub(super) fn named(folder: &Path) -> PathBuf {
    folder.join("named")
}

/// The file that is to take the name.
pub(super) fn draft(folder: &Path) -> PathBuf {
    folder.join("named.new")
}

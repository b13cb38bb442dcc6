//! A system that nothing is written for yet.

use std::io;

use tempfile::TempDir;

/// A folder below that for temporary files, which is the user's own.
pub(crate) fn private_folder() -> io::Result<TempDir> {
    tempfile::tempdir()
}

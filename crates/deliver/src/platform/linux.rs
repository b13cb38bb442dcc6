//! Linux.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;

use tempfile::TempDir;

/// A folder that nobody but its owner may enter, until it is dropped.
///
/// # Errors
///
/// What the system said.
pub(crate) fn private_folder() -> io::Result<TempDir> {
    let owner_alone = Permissions::from_mode(0o700);
    tempfile::Builder::new().permissions(owner_alone).tempdir()
}

//! Space that is kept for the time when a disk is full: a file of blocks that holds nothing.

use std::io;
use std::path::{Path, PathBuf};

use fathom_platform::fs::{FallocateFlags, fallocate};

use crate::door::Door;

/// A reserve, be it there or not.
#[derive(Clone, Debug)]
pub struct Reserve {
    path: PathBuf,
}

impl Reserve {
    /// The one in the folder of a file.
    pub fn beside(file: &Path) -> Self {
        let mut path = file.as_os_str().to_owned();
        path.push("-reserve");
        Self { path: path.into() }
    }

    /// Makes it if it is not there. Where the disk has no space for it there is none.
    pub fn keep(&self, door: &Door, bytes: u64) {
        if std::fs::symlink_metadata(&self.path).is_ok() {
            return;
        }
        if let Ok(file) = door.create_private(&self.path)
            && fallocate(&file, FallocateFlags::empty(), 0, bytes).is_err()
        {
            // An empty one would look like space.
            let _ = self.release();
        }
    }

    /// Returns the space to the file system.
    ///
    /// # Errors
    ///
    /// What the system said; [`io::ErrorKind::NotFound`] where there is none.
    pub fn release(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::MetadataExt as _;

    #[test]
    fn a_reserve_has_blocks_until_it_is_released() {
        let folder = tempfile::tempdir().expect("a folder");
        let reserve = Reserve::beside(&folder.path().join("file"));
        for _ in 0..2 {
            reserve.keep(&Door::default(), 1 << 20);
        }
        let meta = std::fs::metadata(folder.path().join("file-reserve")).expect("it is there");
        assert!(meta.blocks() >= 2048, "{}", meta.blocks());
        reserve.release().expect("it was there");
        let error = reserve.release().expect_err("it is gone");
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
    }
}

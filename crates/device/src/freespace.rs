//! How much room a file system has.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::DeviceError;

/// Room on a file system, from statvfs(3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FreeSpace {
    /// Size of the file system.
    pub total_bytes: u64,
    /// What nobody has taken.
    pub free_bytes: u64,
    /// What this user may take of it: less where blocks are reserved for root.
    pub available_bytes: u64,
}

impl FreeSpace {
    /// Room on the file system that an existing path lies on.
    pub fn of_path(path: &Path) -> Result<Self, DeviceError> {
        let stat = fathom_platform::fs::statvfs(path)
            .map_err(|errno| DeviceError::read(path, std::io::Error::from(errno)))?;
        Ok(Self {
            total_bytes: stat.f_blocks * stat.f_frsize,
            free_bytes: stat.f_bfree * stat.f_frsize,
            available_bytes: stat.f_bavail * stat.f_frsize,
        })
    }

    /// Files and directories that this user may still make on the file system that an existing
    /// path lies on; none where they are not counted.
    pub fn inodes(path: &Path) -> Result<Option<u64>, DeviceError> {
        let stat = fathom_platform::fs::statvfs(path)
            .map_err(|errno| DeviceError::read(path, std::io::Error::from(errno)))?;
        Ok((stat.f_files > 0).then_some(stat.f_favail))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_not_more_than_the_whole() {
        let space = FreeSpace::of_path(Path::new("/")).unwrap();
        assert!(space.total_bytes > 0);
        assert!(space.available_bytes <= space.free_bytes);
        assert!(space.free_bytes <= space.total_bytes);
        assert_eq!(
            FreeSpace::of_path(Path::new("/no/such/path"))
                .unwrap_err()
                .to_string(),
            "cannot read /no/such/path: No such file or directory (os error 2)"
        );
    }
}

//! How much room a file system has.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::DeviceError;

/// Share of a file system that stays free: one part in this number.
const RESERVE_PARTS: u64 = 20;

/// What stays free of a large file system: 5 % of 100 TB would refuse a file of 1 GiB for nothing.
const RESERVE_MAX_BYTES: u64 = 4 << 30;

/// Room on a file system, from statvfs(3).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

    /// What a run leaves to others: 5 % of the file system, at most 4 GiB.
    pub fn reserve_bytes(self) -> u64 {
        (self.total_bytes / RESERVE_PARTS).min(RESERVE_MAX_BYTES)
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
    fn five_percent_stay_free_but_no_more_than_four_gibibytes() {
        let reserve = |total_bytes| {
            let space = FreeSpace {
                total_bytes,
                free_bytes: total_bytes,
                available_bytes: total_bytes,
            };
            space.reserve_bytes()
        };
        assert_eq!(
            [16 << 20, 20 << 30, 80 << 30, 100 << 40].map(reserve),
            [838_860, 1 << 30, 4 << 30, 4 << 30]
        );
    }

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

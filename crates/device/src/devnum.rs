//! The number the kernel knows a device by. Names and symlinks vary, this does not.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::DeviceError;

/// Major and minor number of a device.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DevNum {
    /// Driver.
    pub major: u32,
    /// Device within the driver.
    pub minor: u32,
}

impl DevNum {
    /// A number from its parts.
    pub const fn new(major: u32, minor: u32) -> Self {
        Self { major, minor }
    }

    /// Splits `st_dev` or `st_rdev`.
    pub fn from_raw(raw: u64) -> Self {
        Self {
            major: fathom_platform::fs::major(raw),
            minor: fathom_platform::fs::minor(raw),
        }
    }

    /// Major 0 belongs to file systems without one block device: tmpfs, overlay, btrfs, NFS.
    pub const fn is_anonymous(self) -> bool {
        self.major == 0
    }
}

impl fmt::Display for DevNum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.major, self.minor)
    }
}

impl FromStr for DevNum {
    type Err = DeviceError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let malformed = || DeviceError::malformed("device number", text);
        let (major, minor) = text.trim().split_once(':').ok_or_else(malformed)?;
        let part = |digits: &str| digits.parse().map_err(|_| malformed());
        Ok(Self {
            major: part(major)?,
            minor: part(minor)?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_sysfs_prints() {
        assert_eq!("254:0\n".parse::<DevNum>().unwrap(), DevNum::new(254, 0));
        assert_eq!(DevNum::new(8, 17).to_string(), "8:17");
        for bad in ["", "8", "8:", ":1", "8:1:2", "a:b", "-1:0"] {
            assert!(bad.parse::<DevNum>().is_err(), "{bad:?}");
        }
    }
}

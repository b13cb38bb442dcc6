//! Reads the kernel's description of block devices below a root directory, `/sys` in life and a
//! captured tree in tests.

use fathom_core::SmallSort as _;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::devnum::DevNum;
use crate::error::DeviceError;

/// A sysfs tree.
#[derive(Clone, Debug)]
pub struct Sysfs {
    root: PathBuf,
}

impl Default for Sysfs {
    fn default() -> Self {
        Self::at("/sys")
    }
}

impl Sysfs {
    /// The tree below `root`.
    pub fn at(root: impl Into<PathBuf>) -> Self {
        Self { root: root.into() }
    }

    /// Where the tree begins.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Kernel names of all block devices, partitions included, sorted so that `sda2` comes before
    /// `sda10`.
    pub fn block_names(&self) -> Result<Vec<String>, DeviceError> {
        self.names(Path::new("class/block"))
    }

    /// The same where an empty answer must not mean that nobody could look: without a tree it is an
    /// error.
    pub fn block_names_for_certain(&self) -> Result<Vec<String>, DeviceError> {
        let dir = self.root.join("class/block");
        fs::metadata(&dir).map_err(|error| DeviceError::read(dir, error))?;
        self.block_names()
    }

    /// The directory of a block device, without symbolic links, so that a partition's parent
    /// directory is its disk.
    pub fn block_dir(&self, name: &str) -> Result<PathBuf, DeviceError> {
        let link = self.root.join("class/block").join(name);
        match fs::canonicalize(&link) {
            Ok(dir) => Ok(dir),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(DeviceError::NoDevice {
                device: name.to_owned(),
            }),
            Err(error) => Err(DeviceError::read(link, error)),
        }
    }

    /// The kernel name of a device number; an error if there is no such block device.
    pub fn block_name(&self, dev: DevNum) -> Result<String, DeviceError> {
        let link = self.root.join("dev/block").join(dev.to_string());
        let no_device = || DeviceError::NoDevice {
            device: dev.to_string(),
        };
        match fs::canonicalize(&link) {
            Ok(dir) => Ok(dir
                .file_name()
                .ok_or_else(no_device)?
                .to_string_lossy()
                .into_owned()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(no_device()),
            Err(error) => Err(DeviceError::read(link, error)),
        }
    }

    /// Entries of a directory below the root, sorted; empty if it does not exist.
    pub fn names(&self, below_root: &Path) -> Result<Vec<String>, DeviceError> {
        names_in(&self.root.join(below_root))
    }
}

/// Entries of a directory, sorted by kernel-name order; empty if it does not exist.
pub(crate) fn names_in(dir: &Path) -> Result<Vec<String>, DeviceError> {
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(DeviceError::read(dir, error)),
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| DeviceError::read(dir, error))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.small_sort_by(|a, b| name_order(a).cmp(&name_order(b)));
    Ok(names)
}

/// Sort key that splits off a trailing number: disks count, and `sda10` follows `sda9`.
fn name_order(name: &str) -> (&str, u64, &str) {
    let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
    let (stem, number) = name.split_at(name.len() - digits);
    (stem, number.parse().unwrap_or(0), name)
}

/// An attribute's text without the final newline. `None` if the attribute is not there, empty, or
/// the driver refuses to tell it (several do, with `EINVAL`, `ENODEV` or `EIO`).
pub(crate) fn text(dir: &Path, attribute: &str) -> Option<String> {
    let bytes = crate::input::read(dir.join(attribute)).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    (!text.is_empty()).then(|| text.to_owned())
}

/// An attribute parsed; `None` also when its text is not a `T`.
pub(crate) fn value<T: FromStr>(dir: &Path, attribute: &str) -> Option<T> {
    text(dir, attribute)?.parse().ok()
}

/// An attribute that is `0` or `1`.
pub(crate) fn flag(dir: &Path, attribute: &str) -> Option<bool> {
    value::<u8>(dir, attribute).map(|number| number != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_sort_by_number() {
        let mut names = vec![
            "sda10", "nvme0n1", "sda", "sda2", "loop1", "loop0", "dm-11", "dm-2",
        ];
        names.sort_by(|a, b| name_order(a).cmp(&name_order(b)));
        assert_eq!(
            names,
            [
                "dm-2", "dm-11", "loop0", "loop1", "nvme0n1", "sda", "sda2", "sda10"
            ]
        );
    }

    #[test]
    fn absent_is_not_an_error_but_no_device_is() {
        let dir = tempfile::tempdir().unwrap();
        let sysfs = Sysfs::at(dir.path());
        assert_eq!(sysfs.block_names().unwrap(), Vec::<String>::new());
        assert_eq!(text(dir.path(), "size"), None);
        assert_eq!(
            sysfs.block_name(DevNum::new(8, 0)).unwrap_err().to_string(),
            "the kernel has no block device 8:0"
        );
        assert_eq!(
            sysfs.block_dir("sda").unwrap_err().to_string(),
            "the kernel has no block device sda"
        );
    }
}

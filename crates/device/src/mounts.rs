//! What is mounted where: `/proc/self/mountinfo`, format as in proc_pid_mountinfo(5).
//!
//! An own parser because mount points are bytes, the kernel escapes four of them in octal, and
//! options must keep their order to be quoted.

use fathom_platform::unix::ffi::OsStringExt as _;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::devnum::DevNum;
use crate::error::DeviceError;

/// One mounted file system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mount {
    /// What `stat` gives as `st_dev` for its files (not on btrfs, where each subvolume differs).
    pub dev: DevNum,
    /// Directory of the file system that is seen at the mount point: not `/` for bind mounts and
    /// subvolumes.
    pub root: PathBuf,
    /// Where it is mounted.
    pub mount_point: PathBuf,
    /// File-system type, as `ext4`.
    pub fs_type: String,
    /// Device, or whatever the file system calls its source.
    pub source: PathBuf,
    /// Options of this mount, in the kernel's order, as `rw,relatime`.
    pub options: String,
    /// Options of the file system, as `rw,discard`.
    pub super_options: String,
}

impl Mount {
    /// The value of an option `name=value` of the file system.
    pub fn super_option(&self, name: &str) -> Option<&str> {
        self.super_options
            .split(',')
            .find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }
}

/// All mounts that this process can see, in the order they were made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Mounts(pub Vec<Mount>);

impl Mounts {
    /// Reads the mounts of this process.
    pub fn live() -> Result<Self, DeviceError> {
        let path = Path::new("/proc/self/mountinfo");
        Self::parse(&crate::input::read(path).map_err(|error| DeviceError::read(path, error))?)
    }

    /// Parses the text of a mountinfo file.
    pub fn parse(text: &[u8]) -> Result<Self, DeviceError> {
        text.split(|byte| *byte == b'\n')
            .filter(|line| !line.is_empty())
            .map(parse_line)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The mount that an absolute path without symbolic links lies on: the one with the longest
    /// mount point, and of several there the last, which hides the others.
    pub fn of_path(&self, path: &Path) -> Option<&Mount> {
        self.0
            .iter()
            .filter(|mount| path.starts_with(&mount.mount_point))
            .max_by_key(|mount| mount.mount_point.components().count())
    }

    /// Mounts of the file system with this device number.
    pub fn of_device(&self, dev: DevNum) -> impl Iterator<Item = &Mount> {
        self.0.iter().filter(move |mount| mount.dev == dev)
    }
}

fn parse_line(line: &[u8]) -> Result<Mount, DeviceError> {
    let malformed = || DeviceError::malformed("mountinfo", String::from_utf8_lossy(line));
    // Fields are separated by exactly one space; an empty source is an empty field.
    let fields: Vec<&[u8]> = line.split(|byte| *byte == b' ').collect();
    // Between the sixth field and the lone dash there are any number of tags.
    let dash = fields
        .iter()
        .skip(6)
        .position(|field| *field == b"-")
        .ok_or_else(malformed)?
        + 6;
    let field = |index: usize| fields.get(index).copied().ok_or_else(malformed);
    let string = |index| field(index).map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    Ok(Mount {
        dev: string(2)?.parse().map_err(|_| malformed())?,
        root: unescape(field(3)?).into(),
        mount_point: unescape(field(4)?).into(),
        options: string(5)?,
        fs_type: string(dash + 1)?,
        source: unescape(field(dash + 2)?).into(),
        super_options: string(dash + 3)?,
    })
}

/// Undoes the kernel's `\ooo` for space, tab, newline and backslash.
pub(crate) fn unescape(field: &[u8]) -> OsString {
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some((first, tail)) = rest.split_first() {
        let octal = match tail {
            [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..] if *first == b'\\' => {
                Some((a - b'0') << 6 | (b - b'0') << 3 | (c - b'0'))
            }
            _ => None,
        };
        out.push(octal.unwrap_or(*first));
        rest = if octal.is_some() { &tail[3..] } else { tail };
    }
    OsString::from_vec(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const CAPTURED: &[u8] = b"\
22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,resv_strict,resuid=65534
36 27 8:17 / /mnt/my\\040disk rw,noatime shared:1 master:2 - xfs /dev/sdb1 rw,logdev=/dev/sdc1
40 27 0:44 /@home /home rw - btrfs /dev/sdd rw,subvol=/@home
41 27 0:50 / /empty rw - tmpfs  rw
42 36 8:33 / /mnt/my\\040disk rw - vfat /dev/sdc1 rw
";

    #[test]
    fn parses_escapes_tags_and_empty_sources() {
        let mounts = Mounts::parse(CAPTURED).unwrap();
        assert_eq!(
            mounts.0[2],
            Mount {
                dev: DevNum::new(8, 17),
                root: "/".into(),
                mount_point: "/mnt/my disk".into(),
                fs_type: "xfs".into(),
                source: "/dev/sdb1".into(),
                options: "rw,noatime".into(),
                super_options: "rw,logdev=/dev/sdc1".into(),
            }
        );
        assert_eq!(mounts.0[2].super_option("logdev"), Some("/dev/sdc1"));
        assert_eq!(mounts.0[2].super_option("log"), None);
        assert_eq!(mounts.0[3].root, Path::new("/@home"));
        assert_eq!(mounts.0[4].source, Path::new(""));
        assert_eq!(mounts.0.len(), 6);
    }

    #[test]
    fn the_longest_and_then_the_last_mount_wins() {
        let mounts = Mounts::parse(CAPTURED).unwrap();
        let fs_of = |path: &str| mounts.of_path(Path::new(path)).map(|m| m.fs_type.as_str());
        assert_eq!(fs_of("/etc/fstab"), Some("ext4"));
        assert_eq!(fs_of("/home/user/file"), Some("btrfs"));
        assert_eq!(fs_of("/homework"), Some("ext4"));
        assert_eq!(fs_of("/mnt/my disk/a"), Some("vfat"));
        assert_eq!(fs_of("relative"), None);
    }

    #[test]
    fn a_line_without_a_dash_is_named() {
        assert_eq!(
            Mounts::parse(b"36 27 8:17 / /mnt rw shared:1\n")
                .unwrap_err()
                .to_string(),
            "cannot understand mountinfo: \"36 27 8:17 / /mnt rw shared:1\""
        );
    }

    #[test]
    fn reads_this_process() {
        let mounts = Mounts::live().unwrap();
        assert_eq!(
            mounts.of_path(Path::new("/proc/self")).unwrap().fs_type,
            "proc"
        );
    }

    proptest! {
        #[test]
        fn unescape_undoes_the_kernels_escaping(
            name in proptest::collection::vec(any::<u8>(), 0..40)
        ) {
            let mut escaped = Vec::new();
            for byte in &name {
                if b" \t\n\\".contains(byte) {
                    escaped.extend_from_slice(format!("\\{byte:03o}").as_bytes());
                } else {
                    escaped.push(*byte);
                }
            }
            prop_assert_eq!(unescape(&escaped).into_vec(), name);
        }
    }
}

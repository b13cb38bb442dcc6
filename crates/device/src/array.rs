//! Devices put together of others: software RAID as sysfs tells it, and the tables of the device
//! mapper, on which logical volumes lie.

use std::io;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::devnum::DevNum;
use crate::sysfs::{Sysfs, text, value};

/// The kernel counts tables in sectors of 512 bytes.
const SECTOR_BYTES: u64 = 512;

/// How the data of a device, or of one stretch of it, lies on others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Layout {
    /// In the words of the kernel: `raid5`, `striped`, `linear`, `crypt`.
    pub level: String,
    /// Devices that it lies on, those for redundancy included.
    pub members: u32,
    /// What one member takes before it is the next one's turn.
    pub chunk_bytes: Option<u64>,
}

impl Layout {
    /// Of a software RAID by kernel name; none if it is no such thing.
    pub fn of_md(sysfs: &Sysfs, name: &str) -> Option<Self> {
        let dir = sysfs.block_dir(name).ok()?.join("md");
        Some(Self {
            level: text(&dir, "level")?,
            members: value(&dir, "raid_disks")?,
            chunk_bytes: value(&dir, "chunk_size").filter(|bytes| *bytes > 0),
        })
    }

    /// The stretches of a device-mapper device, asked of the device mapper, which only root may.
    ///
    /// # Errors
    ///
    /// What the system said: no permission, no device mapper, no such device.
    pub fn of_dm(dev: DevNum) -> io::Result<Vec<Self>> {
        let table = table(dev)?;
        Ok(table
            .iter()
            .map(|(kind, words)| stretch(kind, words))
            .collect())
    }
}

/// A stretch of a table by the name of its target and its parameters.
fn stretch(kind: &str, words: &str) -> Layout {
    let words: Vec<&str> = words.split_whitespace().collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok());
    let chunk = |at: usize| number(at).filter(|sectors| *sectors > 0);
    let (level, members, sectors) = match kind {
        // The number of stripes and the chunk come first.
        "striped" => (kind, number(0).unwrap_or(0), chunk(1)),
        // The type, the number of parameters, the parameters with the chunk first, the number of
        // members.
        "raid" => {
            let parameters = number(1).unwrap_or(0) as usize;
            let level = words.first().copied().unwrap_or(kind);
            (level, number(2 + parameters).unwrap_or(0), chunk(2))
        }
        // Others name one device, or need the target to be known.
        _ => (kind, 1, None),
    };
    Layout {
        level: level.to_owned(),
        members: members as u32,
        chunk_bytes: sectors.map(|sectors| sectors * SECTOR_BYTES),
    }
}

// ---- The device mapper's interface, `linux/dm-ioctl.h`.

const CONTROL: &str = "/dev/mapper/control";
/// `_IOWR(0xfd, 12, struct dm_ioctl)`.
const DM_TABLE_STATUS: u32 = 0xC138_FD0C;
/// The table, not the state of its targets.
const STATUS_TABLE: u32 = 1 << 4;
/// The table did not fit.
const BUFFER_FULL: u32 = 1 << 8;
/// Bytes of the head, and of what it precedes.
const HEAD: usize = 312;
const ROOM: usize = 1 << 14;
/// Bytes of a target before its parameters.
const TARGET: usize = 40;

#[repr(C, align(8))]
struct Request([u8; ROOM]);

fn table(dev: DevNum) -> io::Result<Vec<(String, String)>> {
    let control = crate::input::open(Path::new(CONTROL))?;
    let mut request = Box::new(Request([0; ROOM]));
    let mut put = |at: usize, bytes: &[u8]| request.0[at..at + bytes.len()].copy_from_slice(bytes);
    put(0, &4_u32.to_ne_bytes());
    put(12, &(ROOM as u32).to_ne_bytes());
    put(16, &(HEAD as u32).to_ne_bytes());
    put(28, &STATUS_TABLE.to_ne_bytes());
    let (major, minor) = (u64::from(dev.major), u64::from(dev.minor));
    let number = (minor & 0xff) | (major << 8) | ((minor & !0xff) << 12);
    put(40, &number.to_ne_bytes());
    // SAFETY: the request is as long as it says in its head and the kernel writes no more; it is
    // aligned as the head has to be.
    unsafe { fathom_platform::ioctl(control, DM_TABLE_STATUS, request.0.as_mut_ptr()) }?;
    targets(&request.0).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
}

/// Kind and parameters of each target of an answer; `None` if it is not as it should be.
fn targets(answer: &[u8]) -> Option<Vec<(String, String)>> {
    let word = |at: usize| {
        let bytes = answer.get(at..at + 4)?;
        Some(u32::from_ne_bytes(bytes.try_into().ok()?))
    };
    let (start, count, flags) = (word(16)? as usize, word(20)?, word(28)?);
    if flags & BUFFER_FULL != 0 {
        return None;
    }
    let string = |from: usize, to: usize| {
        let bytes = answer.get(from..to.min(answer.len()))?;
        let end = bytes.iter().position(|byte| *byte == 0)?;
        String::from_utf8(bytes[..end].to_vec()).ok()
    };
    let mut found = Vec::new();
    let mut at = start;
    for _ in 0..count {
        let kind = string(at + 24, at + TARGET)?;
        found.push((kind, string(at + TARGET, answer.len())?));
        // Counted from the first target.
        at = start + word(at + 20)? as usize;
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::symlink;
    use std::fs;

    fn layout(level: &str, members: u32, chunk_bytes: Option<u64>) -> Layout {
        Layout {
            level: level.to_owned(),
            members,
            chunk_bytes,
        }
    }

    #[test]
    fn tables_tell_stripes_and_chunks() {
        let cases = [
            ("linear", "8:16 2048", layout("linear", 1, None)),
            (
                "striped",
                "4 128 259:1 2048 259:2 2048 259:3 2048 259:4 2048",
                layout("striped", 4, Some(65_536)),
            ),
            (
                "raid",
                "raid5_ls 3 128 region_size 8192 3 253:0 253:1 253:2 253:3 253:4 253:5",
                layout("raid5_ls", 3, Some(65_536)),
            ),
            (
                "raid",
                "raid1 3 0 region_size 4096 2 253:0 253:1 253:2 253:3",
                layout("raid1", 2, None),
            ),
            ("striped", "", layout("striped", 0, None)),
            (
                "crypt",
                "aes-xts-plain64 key 0 8:1 4096",
                layout("crypt", 1, None),
            ),
        ];
        for (kind, words, expected) in cases {
            assert_eq!(stretch(kind, words), expected, "{kind} {words}");
        }
    }

    /// An answer with these targets.
    fn answer(targets: &[(&str, &str)], flags: u32) -> Vec<u8> {
        let mut bytes = vec![0; HEAD];
        bytes[16..20].copy_from_slice(&(HEAD as u32).to_ne_bytes());
        bytes[20..24].copy_from_slice(&(targets.len() as u32).to_ne_bytes());
        bytes[28..32].copy_from_slice(&flags.to_ne_bytes());
        for (kind, words) in targets {
            let at = bytes.len();
            bytes.resize(at + TARGET, 0);
            bytes[at + 24..at + 24 + kind.len()].copy_from_slice(kind.as_bytes());
            bytes.extend(words.as_bytes());
            bytes.push(0);
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            let next = (bytes.len() - HEAD) as u32;
            bytes[at + 20..at + 24].copy_from_slice(&next.to_ne_bytes());
        }
        bytes
    }

    #[test]
    fn answers_of_the_device_mapper_are_read() {
        let table = [("striped", "2 128 8:16 0 8:32 0"), ("linear", "8:48 0")];
        let expected = table.map(|(kind, words)| (kind.to_owned(), words.to_owned()));
        assert_eq!(
            targets(&answer(&table, STATUS_TABLE)),
            Some(expected.to_vec())
        );
        assert_eq!(targets(&answer(&table, BUFFER_FULL)), None);
        let whole = answer(&table, 0);
        assert_eq!(targets(&whole[..whole.len() - 30]), None);
        assert_eq!(targets(&[]), None);
    }

    #[test]
    fn an_array_tells_level_members_and_chunk() {
        let root = tempfile::tempdir().unwrap();
        let md = root.path().join("devices/virtual/block/md0/md");
        fs::create_dir_all(&md).unwrap();
        for (name, text) in [
            ("level", "raid5\n"),
            ("raid_disks", "4\n"),
            ("chunk_size", "524288\n"),
        ] {
            fs::write(md.join(name), text).unwrap();
        }
        let disk = root.path().join("devices/virtual/block/sda");
        fs::create_dir_all(&disk).unwrap();
        fs::create_dir_all(root.path().join("class/block")).unwrap();
        for name in ["md0", "sda"] {
            let device = root.path().join("devices/virtual/block").join(name);
            symlink(device, root.path().join("class/block").join(name)).unwrap();
        }
        let sysfs = Sysfs::at(fs::canonicalize(root.path()).unwrap());
        let expected = layout("raid5", 4, Some(524_288));
        assert_eq!(Layout::of_md(&sysfs, "md0"), Some(expected));
        assert_eq!(Layout::of_md(&sysfs, "sda"), None);
    }
}

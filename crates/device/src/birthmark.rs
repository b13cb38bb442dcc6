//! By what a file or a device is known again later, after its name may have gone to another.

use crate::devnum::DevNum;
use crate::mark::born_ns;
use crate::owner::boot;
use crate::sysfs::{self, Sysfs};
use fathom_platform::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::fs::File;
use std::io;
use std::path::Path;

/// What stays with a file or block device as long as it is the same one: inode and birth time of a
/// file; what a device says of itself, else its number among all that were attached since the
/// machine started. `None` for what is neither.
///
/// # Errors
///
/// What the system said.
pub fn birthmark(file: &File) -> io::Result<Option<String>> {
    let meta = file.metadata()?;
    if meta.is_file() {
        return Ok(Some(format!("file {} {}", meta.ino(), born_ns(file)?)));
    }
    if !meta.file_type().is_block_device() {
        return Ok(None);
    }
    let sysfs = Sysfs::default();
    let found = sysfs.block_name(DevNum::from_raw(meta.rdev()));
    let dir = found.and_then(|name| Ok((sysfs.block_dir(&name)?, name)));
    Ok(dir.ok().and_then(|(dir, name)| of_device(&dir, &name)))
}

/// The directory of a device in sysfs; that of a partition lies in its disk's.
fn of_device(dir: &Path, name: &str) -> Option<String> {
    let is_partition = dir.join("partition").exists();
    let disk = dir.parent().filter(|_| is_partition).unwrap_or(dir);
    let own = [
        "dm/uuid",
        "md/uuid",
        "wwid",
        "device/wwid",
        "serial",
        "device/serial",
    ];
    let said = own.iter().find_map(|file| sysfs::text(disk, file));
    let by = match said.filter(|text| !text.is_empty()) {
        Some(said) => said,
        None => format!("{} since {}", sysfs::text(disk, "diskseq")?, boot()),
    };
    let part = if is_partition { name } else { "whole" };
    Some(format!("device {part} {by}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_file_that_was_made_again_is_another() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mark = || birthmark(&File::open(&path).unwrap()).unwrap().unwrap();
        fs::write(&path, "one").unwrap();
        let first = mark();
        fs::write(&path, "another").unwrap();
        assert_eq!(mark(), first);
        // The first stays, so that its inode is not taken again.
        fs::rename(&path, folder.path().join("elsewhere")).unwrap();
        fs::write(&path, "one").unwrap();
        assert_ne!(mark(), first);
    }

    #[test]
    fn a_device_is_known_by_what_it_says_or_by_when_it_came() {
        let folder = tempfile::tempdir().unwrap();
        let part = folder.path().join("sda/sda1");
        fs::create_dir_all(&part).unwrap();
        fs::write(part.join("partition"), "1\n").unwrap();
        let disk = folder.path().join("sda");
        assert_eq!(of_device(&disk, "sda"), None);
        fs::write(disk.join("diskseq"), "7\n").unwrap();
        let expected = format!("device whole 7 since {}", boot());
        assert_eq!(of_device(&disk, "sda"), Some(expected));
        fs::write(disk.join("serial"), "S123\n").unwrap();
        let expected = Some("device sda1 S123".to_owned());
        assert_eq!(of_device(&part, "sda1"), expected);
    }
}

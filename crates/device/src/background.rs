//! What the software below a target does on its own: the kernel's software RAID, btrfs.
//!
//! A scrub of btrfs is not shown by the kernel in a file; nor is what a RAID controller, a disk or
//! a cloud does by itself.

use std::path::PathBuf;

use crate::sysfs::{Sysfs, text};

/// Files that say what goes on; found once, read as often as needed.
#[derive(Clone, Debug, Default)]
pub struct Background {
    /// The activity, the file, and the word that means none.
    places: Vec<(String, PathBuf, &'static str)>,
}

/// Something that goes on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Activity {
    /// The array, or the device that the file system lies on.
    pub device: String,
    /// The kernel's word for it: `resync`, `check`, `balance`.
    pub what: String,
}

impl Background {
    /// What can be looked at for devices of these names.
    pub fn of(sysfs: &Sysfs, names: &[String]) -> Self {
        let mut places = Vec::new();
        let file_systems = sysfs.root().join("fs/btrfs");
        let ids = sysfs.names("fs/btrfs".as_ref()).unwrap_or_default();
        for name in names {
            if let Ok(dir) = sysfs.block_dir(name) {
                places.push((name.clone(), dir.join("md/sync_action"), "idle"));
            }
            for id in &ids {
                let own = file_systems.join(id);
                if own.join("devices").join(name).exists() {
                    places.push((name.clone(), own.join("exclusive_operation"), "none"));
                }
            }
        }
        places.retain(|(_, file, _)| file.exists());
        Self { places }
    }

    /// What goes on now.
    pub fn look(&self) -> Vec<Activity> {
        let busy = self.places.iter().filter_map(|(device, file, nothing)| {
            let what = text(file.parent()?, file.file_name()?.to_str()?)?;
            (what != *nothing).then(|| Activity {
                device: device.clone(),
                what,
            })
        });
        busy.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fathom_platform::unix::fs::symlink;
    use std::fs;

    #[test]
    fn a_check_of_a_raid_and_a_balance_are_seen() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let file = root.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        };
        write("devices/virtual/block/md0/md/sync_action", "idle\n");
        write("devices/virtual/block/sda/size", "1\n");
        write("fs/btrfs/7f3a/exclusive_operation", "none\n");
        write("fs/btrfs/7f3a/devices/sda", "");
        write("fs/btrfs/features/other", "");
        fs::create_dir_all(root.path().join("class/block")).unwrap();
        for name in ["md0", "sda"] {
            let dir = root.path().join("devices/virtual/block").join(name);
            symlink(dir, root.path().join("class/block").join(name)).unwrap();
        }
        let sysfs = Sysfs::at(fs::canonicalize(root.path()).unwrap());
        let names = ["md0", "sda", "gone"].map(str::to_owned);
        let background = Background::of(&sysfs, &names);
        assert_eq!(background.look(), []);
        write("devices/virtual/block/md0/md/sync_action", "check\n");
        write("fs/btrfs/7f3a/exclusive_operation", "balance\n");
        let activity = |device: &str, what: &str| Activity {
            device: device.to_owned(),
            what: what.to_owned(),
        };
        assert_eq!(
            background.look(),
            [activity("md0", "check"), activity("sda", "balance")]
        );
    }
}

//! Sticks: a job on one is run, and one that is marked takes results.
//!
//! Only what is on USB and carries FAT is mounted, and read-only, until its owner has marked it for
//! results: nothing is changed on any other disk by a look at it.

use fathom_deliver::is_stick_mark;
use fathom_device::guard;
use fathom_device::{BlockDevice, Door, System};
use fathom_image::job::FILE_NAME;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Where they are mounted.
const MEDIA: &str = "/media";

/// A stick that is mounted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Stick {
    folder: PathBuf,
    is_marked: bool,
}

impl Stick {
    /// The file of its job, if it has one.
    pub(super) fn job(&self) -> Option<PathBuf> {
        let file = self.folder.join(FILE_NAME);
        file.is_file().then_some(file)
    }
}

impl fmt::Display for Stick {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let job = if self.job().is_some() {
            ", has a job"
        } else {
            ""
        };
        let mark = if self.is_marked {
            ", takes results"
        } else {
            ""
        };
        write!(f, "{}{job}{mark}", self.folder.display())
    }
}

/// Mounts all that are there, or finds where they are mounted already.
pub(super) fn mount(system: &System) -> Vec<Stick> {
    let names = system.sysfs.block_names().unwrap_or_default();
    let devices = names.iter().map(|name| BlockDevice::read(system, name));
    let candidates = devices
        .filter_map(Result::ok)
        .filter(|device| is_on_usb(system, &device.name) && has_fat(device, system));
    let mut sticks = Vec::new();
    let mut whole = Vec::new();
    for device in candidates {
        // The first block of a file system over a whole stick can be read as a table of partitions.
        if device
            .disk
            .as_ref()
            .is_some_and(|disk| whole.contains(disk))
        {
            continue;
        }
        if let Some(stick) = mount_one(&device) {
            sticks.push(stick);
            whole.push(device.name);
        }
    }
    sticks
}

fn is_on_usb(system: &System, name: &str) -> bool {
    let dir = system.sysfs.block_dir(name);
    dir.is_ok_and(|dir| dir.ancestors().any(|dir| dir.join("idVendor").exists()))
}

/// Whether it is one file system: a disk with partitions carries more.
fn has_fat(device: &BlockDevice, system: &System) -> bool {
    let carried = guard::carries(device, system);
    carried.is_ok_and(|names| names == "vfat" || names == "exfat")
}

fn mount_one(device: &BlockDevice) -> Option<Stick> {
    if let Some(point) = device.mount_points.first() {
        let folder = point.path.clone();
        let is_marked = is_marked(&folder);
        return Some(Stick { folder, is_marked });
    }
    let folder = Path::new(MEDIA).join(&device.name);
    Door::default().make_folder(&folder).ok()?;
    if !mounted("ro", &device.path, &folder) {
        return None;
    }
    let is_marked = is_marked(&folder) && mounted("remount,rw", &device.path, &folder);
    Some(Stick { folder, is_marked })
}

fn mounted(options: &str, device: &Path, folder: &Path) -> bool {
    let mut command = fathom_device::command("mount");
    command.args(["-o", options]).arg(device).arg(folder);
    command.status().is_ok_and(|status| status.success())
}

fn is_marked(folder: &Path) -> bool {
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    entries
        .filter_map(Result::ok)
        .any(|entry| entry.file_name().to_str().is_some_and(is_stick_mark))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stick_says_what_it_is_for() {
        let folder = tempfile::tempdir().unwrap();
        let stick = |is_marked| Stick {
            folder: folder.path().to_owned(),
            is_marked,
        };
        let path = folder.path().display();
        assert!(!is_marked(folder.path()));
        assert_eq!(stick(false).to_string(), path.to_string());
        fs::write(folder.path().join("fathom-lab.stick"), "").unwrap();
        fs::write(folder.path().join("fathom.toml"), "").unwrap();
        assert!(is_marked(folder.path()));
        let expected = format!("{path}, has a job, takes results");
        assert_eq!(stick(true).to_string(), expected);
    }
}

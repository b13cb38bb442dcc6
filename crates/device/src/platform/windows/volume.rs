//! From a path down to the disks of its volume.

use std::io::Result;
use std::path::{Path, PathBuf};

use super::{Calls, DRIVER, disk, u32_at};
use crate::devnum::DevNum;
use crate::mounts::Mount;
use crate::topology::Topology;
use crate::tree::Tree;

const IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS: u32 = 0x0056_0000;
/// Bytes of an extent in the answer, and those before the first.
const EXTENT: usize = 24;
const HEAD: usize = 8;
/// Extents of a volume that are asked for: a spanned one has some more.
const MOST: usize = 128;
/// A number for volumes, which no disk has.
const VOLUMES: u32 = 1 << 16;

/// What lies under an existing disk or volume as a whole, by its name.
pub(crate) fn of_device(calls: &impl Calls, path: &Path) -> Topology {
    let name = path.to_string_lossy();
    // A disk lies on no volume.
    let numbers = disks(calls, &name).or_else(|_| disk::number(calls, &name).map(|one| vec![one]));
    Topology {
        path: path.to_owned(),
        mount: None,
        upper: None,
        devices: trees(calls, numbers.unwrap_or_default()),
    }
}

fn trees(calls: &impl Calls, numbers: Vec<u32>) -> Vec<Tree> {
    let trees = numbers.into_iter().map(|number| Tree {
        device: disk::describe(calls, number),
        children: Vec::new(),
    });
    trees.collect()
}

/// What lies under an existing path: no disk where none is known, as below a share.
pub(crate) fn topology(calls: &impl Calls, path: &Path) -> Result<Topology> {
    let volume = calls.volume(path)?;
    let numbers = disks(calls, &volume.device).unwrap_or_default();
    Ok(Topology {
        path: plain(path),
        mount: Some(Mount {
            dev: DevNum::new(DRIVER, VOLUMES),
            root: "/".into(),
            mount_point: plain(&volume.root),
            fs_type: volume.file_system,
            source: volume.device.into(),
            options: "rw".to_owned(),
            super_options: "rw".to_owned(),
        }),
        upper: None,
        devices: trees(calls, numbers),
    })
}

/// The numbers of the disks that a volume lies on.
fn disks(calls: &impl Calls, volume: &str) -> Result<Vec<u32>> {
    let mut numbers = Vec::new();
    let room = HEAD + MOST * EXTENT;
    let code = IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS;
    let found = calls.control(volume, code, &[], room)?;
    for extent in 0..(u32_at(&found, 0)? as usize).min(MOST) {
        let number = u32_at(&found, HEAD + extent * EXTENT)?;
        if !numbers.contains(&number) {
            numbers.push(number);
        }
    }
    Ok(numbers)
}

/// A path without what tells the system not to look at it.
pub(super) fn plain(path: &Path) -> PathBuf {
    let text = path.to_string_lossy();
    text.strip_prefix(r"\\?\")
        .map_or_else(|| path.to_owned(), PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::super::Volume;
    use super::super::disk::tests::machine;
    use super::*;

    #[test]
    fn a_volume_lies_on_its_disks() {
        let device = r"\\?\Volume{0}".to_owned();
        let mut extents = vec![0; HEAD + 2 * EXTENT];
        extents[0] = 2;
        extents[HEAD] = 2;
        extents[HEAD + EXTENT] = 2;
        let mut calls = machine().with(&device, IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, extents);
        calls.volume = Volume {
            root: r"\\?\E:\".into(),
            device,
            file_system: "ReFS".to_owned(),
        };
        let found = topology(&calls, Path::new(r"E:\data")).unwrap();
        let leaves = found.leaves().into_iter();
        let leaves: Vec<_> = leaves.map(|leaf| (&*leaf.name, leaf.dev)).collect();
        assert_eq!(leaves, [("PhysicalDrive2", DevNum::new(1, 2))]);
        let mount = found.mount.unwrap();
        assert_eq!(
            (&*mount.fs_type, mount.mount_point),
            ("ReFS", r"E:\".into())
        );
        // The volume itself, and its disk, have no mount.
        let whole = |name: &str| {
            let found = of_device(&calls, Path::new(name));
            let names = found.leaves().into_iter().map(|leaf| leaf.name.clone());
            (names.collect::<Vec<_>>(), found.mount)
        };
        let below = (vec!["PhysicalDrive2".to_owned()], None);
        assert_eq!(whole(r"\\?\Volume{0}"), below);
        assert_eq!(whole(r"\\.\PhysicalDrive2"), below);
        assert_eq!(whole(r"\\.\PhysicalDrive9"), (vec![], None));
        // A share has no name, and a volume may not say what it lies on.
        for name in ["", "other"] {
            name.clone_into(&mut calls.volume.device);
            let found = topology(&calls, Path::new(r"E:\data")).unwrap();
            assert_eq!((found.devices, found.mount.is_some()), (vec![], true));
        }
    }
}

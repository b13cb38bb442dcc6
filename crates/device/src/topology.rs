//! From a path or device down to the disks that do the work, and from the disks up to all that is
//! built on them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::block::BlockDevice;
use crate::devnum::DevNum;
use crate::error::DeviceError;
use crate::mounts::Mount;
use crate::namespace::{self, Namespace};
use crate::nodes::NodeKind;
use crate::system::System;
use crate::tree::Tree;

/// Stacks have a few layers; a longer one is a loop in what the system reports.
const DEEPEST: usize = 32;
/// The file system that puts one directory over others.
const OVERLAY: &str = "overlay";

/// What lies under a path.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Topology {
    /// The path asked about, without symbolic links.
    pub path: PathBuf,
    /// The mount a file or directory lies on; none for a device node.
    pub mount: Option<Mount>,
    /// Where that mount is an overlay: the mount that its upper directory lies on, which keeps
    /// what is written; none where this name space does not show it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upper: Option<Mount>,
    /// The device named, or the devices of the file system, each with the devices that it consists
    /// of. Several for btrfs over several devices; none for tmpfs, NFS and others that have no
    /// block device this kernel knows.
    pub devices: Vec<Tree>,
}

impl Topology {
    /// What lies under `path`. A path that does not exist yet is taken to be in its nearest
    /// existing directory.
    pub fn of_path(system: &System, path: &Path) -> Result<Self, DeviceError> {
        let path = nearest_existing(system, path)?;
        if let Some(found) = crate::platform::topology(&path) {
            return found.map_err(|error| DeviceError::read(path, error));
        }
        let node = system
            .nodes
            .stat(&path)
            .map_err(|error| DeviceError::read(&path, error))?;
        if node.kind == NodeKind::Block {
            let tree = down(system, &system.sysfs.block_name(node.device)?, 0)?;
            return Ok(Self {
                path,
                mount: None,
                upper: None,
                devices: vec![tree],
            });
        }
        if node.kind == NodeKind::Char
            && let Namespace::Block(device) = namespace::of_generic(system, node.device, &path)?
        {
            let tree = down(system, &device.name, 0)?;
            return Ok(Self {
                path,
                mount: None,
                upper: None,
                devices: vec![tree],
            });
        }
        let mount = system.mounts.of_path(&path).cloned();
        let upper = mount.as_ref().and_then(|mount| upper(system, mount, 0));
        let devices = if matches!(node.kind, NodeKind::File | NodeKind::Directory) {
            trees(system, &under_file(system, &path, node.on, 0)?, 0)?
        } else {
            Vec::new()
        };
        Ok(Self {
            path,
            mount,
            upper: upper.cloned(),
            devices,
        })
    }

    /// What lies under a block device.
    pub fn of_device(system: &System, dev: DevNum) -> Result<Self, DeviceError> {
        let tree = down(system, &system.sysfs.block_name(dev)?, 0)?;
        Ok(Self {
            path: tree.device.path.clone(),
            mount: None,
            upper: None,
            devices: vec![tree],
        })
    }

    /// The disks at the bottom, each once: those whose counters say what really happened.
    pub fn leaves(&self) -> Vec<&BlockDevice> {
        each_once(self.devices.iter().flat_map(Tree::leaves))
    }

    /// The devices whose counters say what reached the target, each once: the disks at the bottom,
    /// and of a loop device itself. What lies below a loop device is the I/O of its backing file,
    /// which goes through a page cache and a file system of its own and is charged to nobody.
    pub fn witnesses(&self) -> Vec<&BlockDevice> {
        each_once(self.devices.iter().flat_map(Tree::witnesses))
    }

    /// What is above the witnesses and passes requests on to them, each once: device mapper, md and
    /// the like.
    pub fn volumes(&self) -> Vec<&BlockDevice> {
        each_once(self.devices.iter().flat_map(Tree::volumes))
    }

    /// The disks below loop devices, which hold their backing files.
    pub fn below_loops(&self) -> Vec<&BlockDevice> {
        let witnesses = self.witnesses();
        let mut leaves = self.leaves();
        leaves.retain(|leaf| witnesses.iter().all(|one| one.dev != leaf.dev));
        leaves
    }
}

fn nearest_existing(system: &System, path: &Path) -> Result<PathBuf, DeviceError> {
    let mut candidate = path;
    loop {
        match system.nodes.canonical(candidate) {
            Ok(found) => return Ok(found),
            Err(error) => {
                candidate = match candidate.parent() {
                    Some(parent) if parent == Path::new("") => Path::new("."),
                    Some(parent) => parent,
                    None => return Err(DeviceError::read(path, error)),
                }
            }
        }
    }
}

/// The mount that the upper directory of an overlay lies on, through overlays on overlays.
pub(crate) fn upper<'a>(system: &'a System, mount: &Mount, depth: usize) -> Option<&'a Mount> {
    if mount.fs_type != OVERLAY || depth >= DEEPEST {
        return None;
    }
    let dir = system
        .nodes
        .canonical(Path::new(mount.super_option("upperdir")?));
    let below = system.mounts.of_path(&dir.ok()?)?;
    Some(upper(system, below, depth + 1).unwrap_or(below))
}

fn trees(system: &System, names: &[String], depth: usize) -> Result<Vec<Tree>, DeviceError> {
    names.iter().map(|name| down(system, name, depth)).collect()
}

fn down(system: &System, name: &str, depth: usize) -> Result<Tree, DeviceError> {
    let device = BlockDevice::read(system, name)?;
    let children = if depth < DEEPEST {
        trees(system, &below(system, &device, depth)?, depth + 1)?
    } else {
        vec![]
    };
    Ok(Tree { device, children })
}

/// Kernel names of the devices one step down.
fn below(system: &System, device: &BlockDevice, depth: usize) -> Result<Vec<String>, DeviceError> {
    if let Some(disk) = &device.disk {
        return Ok(vec![disk.clone()]);
    }
    if !device.slaves.is_empty() {
        return Ok(device.slaves.clone());
    }
    let Some(file) = &device.backing_file else {
        return Ok(Vec::new());
    };
    match system.backing(device) {
        Some(shown) => match shown.device {
            Some(number) => Ok(vec![system.sysfs.block_name(number)?]),
            None => under_file(system, file, shown.on, depth + 1),
        },
        None => Ok(Vec::new()),
    }
}

/// Kernel names of the devices of the file system that a file lies on.
fn under_file(
    system: &System,
    path: &Path,
    on: DevNum,
    depth: usize,
) -> Result<Vec<String>, DeviceError> {
    if !on.is_anonymous() {
        return Ok(vec![system.sysfs.block_name(on)?]);
    }
    let Some(mount) = system.mounts.of_path(path) else {
        return Ok(Vec::new());
    };
    if mount.fs_type == OVERLAY && depth < DEEPEST {
        // What is written to an overlay goes to its upper directory, if that can be seen.
        let upper = mount.super_option("upperdir").map(Path::new);
        return match upper.map(|dir| (dir, system.nodes.stat(dir))) {
            Some((dir, Ok(node))) => under_file(system, dir, node.on, depth + 1),
            _ => Ok(Vec::new()),
        };
    }
    let Some(source) = system.block_number(&mount.source) else {
        return Ok(Vec::new());
    };
    let name = system.sysfs.block_name(source)?;
    let family = system.btrfs_family(&name)?;
    Ok(if family.is_empty() {
        vec![name]
    } else {
        family
    })
}

/// All block devices, each disk with its partitions and what is built on them above it. Devices of
/// size 0 (unattached loops, unset zram, empty drives) only with `also_empty`.
pub fn list_devices(system: &System, also_empty: bool) -> Result<Vec<Tree>, DeviceError> {
    let mut all = Vec::new();
    for name in system.sysfs.block_names()? {
        match BlockDevice::read(system, &name) {
            Ok(device) if also_empty || device.size_bytes > 0 => all.push(device),
            // Removed between listing and reading.
            Ok(_) | Err(DeviceError::NoDevice { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    let loops_on = loops_by_device(system, &all);
    let is_root = |device: &&BlockDevice| {
        device.disk.is_none()
            && device.slaves.is_empty()
            && !loops_on.iter().any(|(_, name)| *name == device.name)
    };
    Ok(all
        .iter()
        .filter(is_root)
        .map(|device| up(device, &all, &loops_on, 0))
        .collect())
}

/// Loop devices whose backing is itself a block device, with that device's name first.
fn loops_by_device(system: &System, all: &[BlockDevice]) -> Vec<(String, String)> {
    let pair = |device: &BlockDevice| {
        let backing = system.backing(device)?.device?;
        let on = all.iter().find(|other| other.dev == backing)?;
        Some((on.name.clone(), device.name.clone()))
    };
    all.iter().filter_map(pair).collect()
}

fn up(
    device: &BlockDevice,
    all: &[BlockDevice],
    loops_on: &[(String, String)],
    depth: usize,
) -> Tree {
    let loops = loops_on
        .iter()
        .filter(|(on, _)| *on == device.name)
        .map(|(_, name)| name);
    let above = device.partitions.iter().chain(&device.holders).chain(loops);
    let children = above
        .filter(|_| depth < DEEPEST)
        .filter_map(|name| all.iter().find(|other| other.name == *name))
        .map(|child| up(child, all, loops_on, depth + 1))
        .collect();
    Tree {
        device: device.clone(),
        children,
    }
}

/// Those with numbers of their own.
fn each_once<'a>(devices: impl Iterator<Item = &'a BlockDevice>) -> Vec<&'a BlockDevice> {
    let mut found: Vec<&BlockDevice> = Vec::new();
    for device in devices {
        if !found.iter().any(|known| known.dev == device.dev) {
            found.push(device);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Machine;
    use crate::tree::TreeRow;

    /// LVM over a partition, RAID 1 over two partitions, loop over a file on the logical volume,
    /// loop over a disk, a plain disk, an unattached loop.
    fn machine() -> Machine {
        let mut machine = Machine::new();
        machine.disk("sda", DevNum::new(8, 0), 1000);
        machine.partition("sda", "sda1", DevNum::new(8, 1), 100);
        machine.partition("sda", "sda2", DevNum::new(8, 2), 800);
        machine.disk("sdb", DevNum::new(8, 16), 1000);
        machine.partition("sdb", "sdb1", DevNum::new(8, 17), 100);
        machine.disk("sdc", DevNum::new(8, 32), 50);
        machine.disk("dm-0", DevNum::new(252, 0), 500);
        machine.attribute("dm-0", "dm/uuid", "LVM-x");
        machine.attribute("dm-0", "dm/name", "vg-data");
        machine.stack("dm-0", &["sda2"]);
        machine.disk("md0", DevNum::new(9, 0), 100);
        machine.stack("md0", &["sda1", "sdb1"]);
        machine.disk("loop0", DevNum::new(7, 0), 10);
        machine.attribute("loop0", "loop/backing_file", "/data/image\n");
        machine.disk("loop1", DevNum::new(7, 1), 50);
        machine.attribute("loop1", "loop/backing_file", "/dev/sdc\n");
        machine.disk("loop2", DevNum::new(7, 2), 0);
        machine.mount("252:0", "/data", "ext4", "/dev/mapper/vg-data");
        machine.file("/data/image", "252:0", 12);
        machine.mount("0:40", "/tmp", "tmpfs", "tmpfs");
        machine.file("/tmp/scratch", "0:40", 13);
        machine
    }

    fn drawn(trees: &[Tree]) -> Vec<String> {
        let line = |row: TreeRow<'_>| format!("{}{}", row.lead, row.device.name);
        trees.iter().flat_map(Tree::rows).map(line).collect()
    }

    fn names<'a>(devices: &[&'a BlockDevice]) -> Vec<&'a str> {
        devices.iter().map(|device| device.name.as_str()).collect()
    }

    fn leaves(topology: &Topology) -> Vec<&str> {
        names(&topology.leaves())
    }

    #[test]
    fn a_loop_file_on_lvm_ends_at_the_disk() {
        let system = machine().system();
        let topology = Topology::of_path(&system, Path::new("/dev/loop0")).unwrap();
        assert_eq!(
            drawn(&topology.devices),
            ["loop0", "└─dm-0", "  └─sda2", "    └─sda"]
        );
        assert_eq!(leaves(&topology), ["sda"]);
        assert_eq!(names(&topology.witnesses()), ["loop0"]);
        assert_eq!(names(&topology.below_loops()), ["sda"]);
        assert_eq!(topology.mount, None);
        assert_eq!(
            topology,
            Topology::of_device(&system, DevNum::new(7, 0)).unwrap()
        );
    }

    /// Loop over a file on tmpfs, on an overlay that keeps its files there, and over one that was
    /// deleted; a loop device over that; and one over a device, which has no file system.
    #[test]
    fn a_loop_device_says_what_keeps_its_file() {
        let mut machine = machine();
        machine.file("/tmp", "0:40", 2);
        machine.mount("0:41", "/merged", "overlay", "overlay");
        machine.file("/merged/image", "0:41", 14);
        let over = [
            ("loop3", "/tmp/scratch", 1),
            ("loop4", "/tmp/gone (deleted)", 0),
            ("loop5", "/merged/image", 0),
        ];
        for (number, (name, file, direct)) in (3..).zip(over) {
            machine.disk(name, DevNum::new(7, number), 10);
            machine.attribute(name, "loop/backing_file", &format!("{file}\n"));
            machine.attribute(name, "loop/dio", &format!("{direct}\n"));
        }
        let system = machine.system();
        let read = |name: &str| {
            let device = BlockDevice::read(&system, name).unwrap();
            (device.backing_fs, device.backing_direct)
        };
        let kept = |fs_type: &str, direct| (Some(fs_type.to_owned()), direct);
        assert_eq!(read("loop0"), kept("ext4", None));
        assert_eq!(read("loop1"), (None, None));
        assert_eq!(read("loop3"), kept("tmpfs", Some(true)));
        assert_eq!(read("loop4"), kept("tmpfs", Some(false)));
        assert_eq!(read("loop5"), kept("overlay", Some(false)));
        assert_eq!(read("sda"), (None, None));
    }

    #[test]
    fn raid_ends_at_both_disks() {
        let system = machine().system();
        let topology = Topology::of_path(&system, Path::new("/dev/md0")).unwrap();
        assert_eq!(
            drawn(&topology.devices),
            ["md0", "├─sda1", "│ └─sda", "└─sdb1", "  └─sdb"]
        );
        assert_eq!(leaves(&topology), ["sda", "sdb"]);
        assert_eq!(names(&topology.witnesses()), ["sda", "sdb"]);
        assert_eq!(topology.below_loops(), Vec::<&BlockDevice>::new());
    }

    #[test]
    fn a_file_to_be_made_lies_where_its_directory_does() {
        let system = machine().system();
        let topology = Topology::of_path(&system, Path::new("/data/new/file")).unwrap();
        assert_eq!(topology.path, Path::new("/data"));
        assert_eq!(topology.mount.as_ref().unwrap().fs_type, "ext4");
        assert_eq!(drawn(&topology.devices), ["dm-0", "└─sda2", "  └─sda"]);
    }

    #[test]
    fn tmpfs_has_no_device() {
        let system = machine().system();
        let topology = Topology::of_path(&system, Path::new("/tmp/scratch")).unwrap();
        assert_eq!(topology.mount.as_ref().unwrap().fs_type, "tmpfs");
        assert_eq!(topology.devices, []);
    }

    #[test]
    fn btrfs_over_two_disks_and_overlay_upon_it() {
        let mut machine = machine();
        machine.disk("sdd", DevNum::new(8, 48), 10);
        machine.disk("sde", DevNum::new(8, 64), 10);
        machine.btrfs("uuid", &["sdd", "sde"]);
        machine.mount("0:44", "/pool", "btrfs", "/dev/sdd");
        machine.file("/pool/file", "0:99", 5);
        machine.file("/pool/upper", "0:99", 6);
        machine.mount_with(
            "0:50",
            "/merged",
            "overlay",
            "overlay",
            "rw,upperdir=/pool/upper",
        );
        machine.file("/merged/file", "0:50", 7);
        let system = machine.system();
        for path in ["/pool/file", "/merged/file"] {
            let topology = Topology::of_path(&system, Path::new(path)).unwrap();
            assert_eq!(leaves(&topology), ["sdd", "sde"], "{path}");
            let upper = topology.upper.as_ref();
            let upper = upper.map(|mount| mount.fs_type.as_str());
            let expected = (path == "/merged/file").then_some("btrfs");
            assert_eq!(upper, expected, "{path}");
        }
        let sde = BlockDevice::read(&system, "sde").unwrap();
        assert_eq!(sde.mount_points[0].path, Path::new("/pool"));
    }

    #[test]
    fn the_list_shows_what_is_built_on_what() {
        let system = machine().system();
        let shown = [
            "loop0",
            "sda",
            "├─sda1",
            "│ └─md0",
            "└─sda2",
            "  └─dm-0",
            "sdb",
            "└─sdb1",
            "  └─md0",
            "sdc",
            "└─loop1",
        ];
        assert_eq!(drawn(&list_devices(&system, false).unwrap()), shown);
        let with_empty: Vec<_> = drawn(&list_devices(&system, true).unwrap());
        assert_eq!(with_empty[..2], ["loop0", "loop2"]);
        assert_eq!(with_empty.len(), shown.len() + 1);
    }
}

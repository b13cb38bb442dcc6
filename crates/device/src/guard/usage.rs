//! Who uses a device or file now, directly or through whatever is built on it.

use std::fmt;
use std::path::PathBuf;

use crate::block::{BlockDevice, BlockKind, backing_file};
use crate::error::DeviceError;
use crate::nodes::{Node, NodeKind};
use crate::system::System;

/// One use. `device` is the kernel name of the device used, or none if it is the target itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// Its file system is mounted.
    Mounted {
        /// What is mounted.
        device: Option<String>,
        /// Where.
        on: PathBuf,
        /// File-system type.
        fs_type: String,
    },
    /// The kernel swaps to it.
    Swap {
        /// What is swapped to.
        device: Option<String>,
    },
    /// It is a part of an array, a volume or a cache.
    Member {
        /// What is a part.
        device: Option<String>,
        /// Of what, by kernel name.
        of: String,
        /// Sort of the latter.
        kind: BlockKind,
    },
    /// It belongs to a btrfs that is mounted where this process cannot see it.
    MemberOfBtrfs {
        /// What belongs to it.
        device: Option<String>,
    },
    /// It is registered with bcache.
    Bcache {
        /// What is registered.
        device: Option<String>,
    },
    /// A loop device shows it.
    Loop {
        /// What is shown.
        device: Option<String>,
        /// Kernel name of the loop device.
        by: String,
    },
    /// Somebody unknown holds it exclusively.
    Held,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let it = |device: &Option<String>| {
            device
                .as_ref()
                .map_or_else(|| "it".to_owned(), |name| format!("/dev/{name}"))
        };
        match self {
            Self::Mounted {
                device,
                on,
                fs_type,
            } => {
                write!(
                    f,
                    "{} is mounted on {} ({fs_type})",
                    it(device),
                    on.display()
                )
            }
            Self::Swap { device } => write!(f, "{} is in use as swap", it(device)),
            Self::Member { device, of, kind } => {
                write!(f, "{} is part of /dev/{of} ({kind})", it(device))
            }
            Self::MemberOfBtrfs { device } => {
                write!(f, "{} is part of a mounted btrfs", it(device))
            }
            Self::Bcache { device } => write!(f, "{} is registered with bcache", it(device)),
            Self::Loop { device, by } => write!(f, "{} is shown by /dev/{by}", it(device)),
            Self::Held => f.write_str("the kernel says that somebody holds it exclusively"),
        }
    }
}

/// Uses of a device: itself, its partitions, all that is built on them; of a partition's disk,
/// though not of its siblings; and of what a loop device shows.
pub fn of_device(system: &System, target: &BlockDevice) -> Result<Vec<Use>, DeviceError> {
    let mut search = Search {
        system,
        target,
        uses: Vec::new(),
        seen: Vec::new(),
    };
    search.visit(target, Siblings::Too)?;
    if let Some(disk) = &target.disk {
        search.visit(&BlockDevice::read(system, disk)?, Siblings::Not)?;
    }
    if let Some(file) = &target.backing_file {
        search.visit_backing(file)?;
    }
    Ok(search.uses)
}

/// Uses of a regular file.
pub fn of_file(system: &System, file: &Node) -> Result<Vec<Use>, DeviceError> {
    let mut uses = Vec::new();
    for (by, path) in attached_loops(system)? {
        if leads_to(system, &path, file) {
            uses.push(Use::Loop { device: None, by });
        }
    }
    push_direct_uses(system, file, &mut uses);
    Ok(uses)
}

/// Swap files, and file systems mounted from a file without a loop device (as erofs can).
fn push_direct_uses(system: &System, file: &Node, uses: &mut Vec<Use>) {
    if system
        .swaps
        .0
        .iter()
        .any(|area| leads_to(system, &area.path, file))
    {
        uses.push(Use::Swap { device: None });
    }
    for mount in system
        .mounts
        .0
        .iter()
        .filter(|mount| mount.source.is_absolute())
    {
        if leads_to(system, &mount.source, file) {
            uses.push(Use::Mounted {
                device: None,
                on: mount.mount_point.clone(),
                fs_type: mount.fs_type.clone(),
            });
        }
    }
}

fn leads_to(system: &System, path: &std::path::Path, file: &Node) -> bool {
    system
        .nodes
        .stat(path)
        .is_ok_and(|node| node.is_same_storage(file))
}

/// Attached loop devices and what they show.
fn attached_loops(system: &System) -> Result<Vec<(String, PathBuf)>, DeviceError> {
    let mut loops = Vec::new();
    for name in system.sysfs.block_names_for_certain()? {
        match backing_file(&system.sysfs, &name) {
            Ok(Some(path)) => loops.push((name, path)),
            // Removed between listing and reading.
            Ok(None) | Err(DeviceError::NoDevice { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(loops)
}

/// Whether the partitions of a visited disk count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Siblings {
    Too,
    Not,
}

struct Search<'a> {
    system: &'a System,
    target: &'a BlockDevice,
    uses: Vec<Use>,
    seen: Vec<String>,
}

impl Search<'_> {
    fn visit(&mut self, device: &BlockDevice, siblings: Siblings) -> Result<(), DeviceError> {
        if self.seen.contains(&device.name) {
            return Ok(());
        }
        self.seen.push(device.name.clone());
        self.push_uses(device)?;
        if siblings == Siblings::Too {
            for name in &device.partitions {
                self.visit(&BlockDevice::read(self.system, name)?, Siblings::Too)?;
            }
        }
        for name in &device.holders {
            let holder = BlockDevice::read(self.system, name)?;
            self.uses.push(Use::Member {
                device: self.name_of(device),
                of: name.clone(),
                kind: holder.kind,
            });
            self.visit(&holder, Siblings::Too)?;
        }
        for (by, path) in attached_loops(self.system)? {
            let shows_it = self.system.block_number(&path) == Some(device.dev);
            if shows_it && by != self.target.name {
                self.uses.push(Use::Loop {
                    device: self.name_of(device),
                    by: by.clone(),
                });
                self.visit(&BlockDevice::read(self.system, &by)?, Siblings::Too)?;
            }
        }
        Ok(())
    }

    /// What a loop device shows is written to with it: a device must be free too, and a file must
    /// not be used by anyone else.
    fn visit_backing(&mut self, file: &std::path::Path) -> Result<(), DeviceError> {
        let Ok(node) = self.system.nodes.stat(file) else {
            return Ok(());
        };
        if node.kind == NodeKind::Block {
            let device = BlockDevice::by_number(self.system, node.device)?;
            self.visit(&device, Siblings::Too)?;
            if let Some(disk) = &device.disk {
                self.visit(&BlockDevice::read(self.system, disk)?, Siblings::Not)?;
            }
            return Ok(());
        }
        let others = of_file(self.system, &node)?
            .into_iter()
            .filter(|other| !matches!(other, Use::Loop { by, .. } if *by == self.target.name));
        self.uses.extend(others);
        Ok(())
    }

    fn name_of(&self, device: &BlockDevice) -> Option<String> {
        (device.name != self.target.name).then(|| device.name.clone())
    }

    fn push_uses(&mut self, device: &BlockDevice) -> Result<(), DeviceError> {
        let name = self.name_of(device);
        for mount in &device.mount_points {
            self.uses.push(Use::Mounted {
                device: name.clone(),
                on: mount.path.clone(),
                fs_type: mount.fs_type.clone(),
            });
        }
        if device.is_swap {
            self.uses.push(Use::Swap {
                device: name.clone(),
            });
        }
        let is_in_btrfs = !self.system.btrfs_family(&device.name)?.is_empty();
        if is_in_btrfs && device.mount_points.is_empty() {
            self.uses.push(Use::MemberOfBtrfs {
                device: name.clone(),
            });
        }
        let is_bcache_itself = device.kind == BlockKind::Bcache;
        if !is_bcache_itself
            && self
                .system
                .sysfs
                .block_dir(&device.name)?
                .join("bcache")
                .exists()
        {
            self.uses.push(Use::Bcache { device: name });
        }
        Ok(())
    }
}

//! Who uses a device or file now, directly or through whatever is built on it.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use crate::backing::Backing;
use crate::block::{BlockDevice, BlockKind, backing_file, node_path};
use crate::devnum::DevNum;
use crate::error::DeviceError;
use crate::exports::{self, Export};
use crate::nodes::Node;
use crate::openers::Opener;
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
    /// A loop device shows it or not: what that device shows cannot be found out.
    Hidden {
        /// Kernel name of the loop device.
        by: String,
        /// The path that it was attached by, wherever that leads here.
        path: PathBuf,
    },
    /// The kernel serves it to others.
    Exported {
        /// What is served.
        device: Option<String>,
        /// How.
        by: Export,
    },
    /// The kernel serves it to others or not: what the path of the configuration means is unknown.
    HiddenExport(Export),
    /// A process has it open.
    Open {
        /// What is open.
        device: Option<String>,
        /// Which process.
        by: Opener,
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
            Self::Hidden { by, path } => write!(
                f,
                "/dev/{by} may show it: what it shows cannot be found out ({})",
                path.display()
            ),
            Self::Exported { device, by } => {
                write!(f, "the kernel serves {} by {}", it(device), by.by.display())
            }
            Self::HiddenExport(export) => write!(
                f,
                "the kernel may serve it by {}: {} leads to nothing here",
                export.by.display(),
                export.path.display()
            ),
            Self::Open { device, by } => {
                let how = if by.writes { "write" } else { "read" };
                let (name, pid) = (&by.name, by.pid);
                write!(f, "process {pid} ({name}) has {} open to {how}", it(device))
            }
            Self::Held => f.write_str(
                "the kernel reports that another program holds it \
                                       exclusively",
            ),
        }
    }
}

/// Uses of a device that `at` opens, namely of itself, its partitions, all that is built on them;
/// of a partition's disk, though not of its siblings; of what a loop device shows; and loop devices
/// that show its lower devices.
///
/// # Errors
///
/// The kernel's description of a device cannot be read.
pub fn of_device(
    system: &System,
    target: &BlockDevice,
    at: &Path,
) -> Result<Vec<Use>, DeviceError> {
    let mut search = Search {
        system,
        target,
        loops: attached_loops(system, Some((target.dev, at)))?,
        uses: Vec::new(),
        seen: Vec::new(),
        way: vec![target.name.clone()],
        must_be_shut: Vec::new(),
    };
    search.visit(target, Siblings::Too)?;
    search.descend(target, Below::All)?;
    if search.uses.is_empty() {
        search
            .uses
            .extend(search.loops.iter().filter_map(Loop::if_hidden));
    }
    if search.uses.is_empty() {
        search.push_exports()?;
    }
    if search.uses.is_empty() {
        search.push_openers()?;
    }
    Ok(search.uses)
}

/// Uses of a regular file that `at` opens, other than that processes have it open.
///
/// # Errors
///
/// The kernel's description of a device cannot be read.
pub fn of_file(system: &System, file: &Node, at: &Path) -> Result<Vec<Use>, DeviceError> {
    let loops = attached_loops(system, None)?;
    let mut uses = Vec::new();
    push_loops_of_file(&loops, file, None, &mut uses);
    push_direct_uses(system, file, &mut uses);
    let nodes = [(*file, None)];
    let (served, unknown) = exported(system, &nodes)?;
    uses.extend(served);
    let mut hidden: Vec<Use> = loops.iter().filter_map(Loop::if_hidden).collect();
    hidden.extend(unknown);
    // A file that nobody has open is shown by no loop device, and not served.
    if uses.is_empty() && !hidden.is_empty() && system.nodes.is_open(at).unwrap_or(true) {
        return Ok(hidden);
    }
    Ok(uses)
}

/// Which of these the kernel serves, and what it serves that cannot be resolved.
fn exported(
    system: &System,
    nodes: &[(Node, Option<String>)],
) -> Result<(Vec<Use>, Vec<Use>), DeviceError> {
    let (mut served, mut unknown) = (Vec::new(), Vec::new());
    for by in exports::all(system)? {
        let Ok(found) = system.nodes.stat(&by.path) else {
            unknown.push(Use::HiddenExport(by));
            continue;
        };
        let of = nodes.iter().find(|(node, _)| node.is_same_storage(&found));
        if let Some((_, device)) = of {
            let device = device.clone();
            served.push(Use::Exported { device, by });
        }
    }
    Ok((served, unknown))
}

/// Processes that have a regular file open.
///
/// # Errors
///
/// Processes cannot be looked at.
pub fn openers_of_file(system: &System, file: &Node) -> Result<Vec<Use>, DeviceError> {
    let openers = openers(system, &[*file])?;
    let openers = openers
        .into_iter()
        .map(|(_, by)| Use::Open { device: None, by });
    Ok(openers.collect())
}

fn openers(system: &System, nodes: &[Node]) -> Result<Vec<(usize, Opener)>, DeviceError> {
    let found = system.nodes.openers(nodes);
    found.map_err(|error| DeviceError::read("/proc", error))
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

fn leads_to(system: &System, path: &Path, file: &Node) -> bool {
    system
        .nodes
        .stat(path)
        .is_ok_and(|node| node.is_same_storage(file))
}

/// An attached loop device.
struct Loop {
    name: String,
    /// What it shows; none if that cannot be found out.
    shows: Option<Backing>,
    /// The path that it was attached by.
    path: PathBuf,
}

impl Loop {
    fn if_hidden(&self) -> Option<Use> {
        self.shows.is_none().then(|| Use::Hidden {
            by: self.name.clone(),
            path: self.path.clone(),
        })
    }
}

/// Attached loop devices and what they show; `opened` opens the one of this number, also where it
/// has no node in `/dev`.
fn attached_loops(
    system: &System,
    opened: Option<(DevNum, &Path)>,
) -> Result<Vec<Loop>, DeviceError> {
    let mut loops = Vec::new();
    for name in system.sysfs.block_names_for_certain()? {
        let path = match backing_file(&system.sysfs, &name) {
            Ok(Some(path)) => path,
            // No loop device, not attached, or removed between listing and reading.
            Ok(None) | Err(DeviceError::NoDevice { .. }) => continue,
            Err(error) => return Err(error),
        };
        let number = match BlockDevice::read(system, &name) {
            Ok(device) => device.dev,
            Err(DeviceError::NoDevice { .. }) => continue,
            Err(error) => return Err(error),
        };
        let node = match opened {
            Some((of, at)) if of == number => at.to_owned(),
            _ => node_path(&name),
        };
        let shows = match system.nodes.loop_backing(&node, number) {
            Ok(None) => continue,
            Ok(known) => known,
            // Whoever may not ask has the path alone.
            Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
                let node = system.nodes.stat(&path);
                node.ok().as_ref().map(Backing::of_node)
            }
            Err(_) => None,
        };
        loops.push(Loop { name, shows, path });
    }
    Ok(loops)
}

/// Loop devices that show a file, except the one that leads to it.
fn push_loops_of_file(loops: &[Loop], file: &Node, way: Option<&str>, uses: &mut Vec<Use>) {
    for one in loops {
        let shows_it = one.shows.is_some_and(|shown| shown.is_file(file));
        if shows_it && way != Some(&one.name) {
            uses.push(Use::Loop {
                device: None,
                by: one.name.clone(),
            });
        }
    }
}

/// Whether the partitions of a visited disk count.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Siblings {
    Too,
    Not,
}

/// What must be free of a device below the target.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// All of it: its bytes are those of the target.
    All,
    /// It is shared with others, which the kernel keeps apart; a loop device that shows it is not.
    Shared,
}

struct Search<'a> {
    system: &'a System,
    target: &'a BlockDevice,
    loops: Vec<Loop>,
    uses: Vec<Use>,
    seen: Vec<String>,
    /// The target and what was found below it.
    way: Vec<String>,
    /// What no process may have open, with its name if it is another device than the target.
    must_be_shut: Vec<(Node, Option<String>)>,
}

impl Search<'_> {
    fn visit(&mut self, device: &BlockDevice, siblings: Siblings) -> Result<(), DeviceError> {
        if self.seen.contains(&device.name) {
            return Ok(());
        }
        self.seen.push(device.name.clone());
        self.must_be_shut
            .push((Node::of_device(device.dev), self.name_of(device)));
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
        self.visit_loops(device)
    }

    /// Loop devices that show a device, and all that is built on them.
    fn visit_loops(&mut self, device: &BlockDevice) -> Result<(), DeviceError> {
        let shows_it = |one: &&Loop| {
            one.shows
                .is_some_and(|shown| shown.device == Some(device.dev))
        };
        let names = self
            .loops
            .iter()
            .filter(shows_it)
            .map(|one| one.name.clone());
        for by in names.collect::<Vec<_>>() {
            if self.way.contains(&by) {
                continue;
            }
            self.uses.push(Use::Loop {
                device: self.name_of(device),
                by: by.clone(),
            });
            self.visit(&BlockDevice::read(self.system, &by)?, Siblings::Too)?;
        }
        Ok(())
    }

    /// Everything that is written to with a device: the disk of a partition, what a loop device
    /// shows, the members of a volume or an array.
    fn descend(&mut self, device: &BlockDevice, below: Below) -> Result<(), DeviceError> {
        if let Some(disk) = &device.disk {
            let disk = BlockDevice::read(self.system, disk)?;
            self.step_down(&disk, below, Siblings::Not)?;
        }
        for name in &device.slaves {
            let member = BlockDevice::read(self.system, name)?;
            self.step_down(&member, Below::Shared, Siblings::Not)?;
        }
        let own = self.loops.iter().find(|one| one.name == device.name);
        match own.and_then(|one| one.shows) {
            Some(Backing {
                device: Some(number),
                ..
            }) => {
                let shown = BlockDevice::by_number(self.system, number)?;
                self.step_down(&shown, below, Siblings::Too)
            }
            Some(shown) => {
                let (file, way) = (shown.file(), Some(device.name.as_str()));
                push_loops_of_file(&self.loops, &file, way, &mut self.uses);
                push_direct_uses(self.system, &file, &mut self.uses);
                self.must_be_shut.push((file, None));
                Ok(())
            }
            None => Ok(()),
        }
    }

    fn step_down(
        &mut self,
        device: &BlockDevice,
        below: Below,
        siblings: Siblings,
    ) -> Result<(), DeviceError> {
        self.way.push(device.name.clone());
        match below {
            Below::All => self.visit(device, siblings)?,
            Below::Shared => self.visit_loops(device)?,
        }
        self.descend(device, below)
    }

    fn push_exports(&mut self) -> Result<(), DeviceError> {
        let (served, unknown) = exported(self.system, &self.must_be_shut)?;
        self.uses.extend(served);
        if self.uses.is_empty() {
            self.uses.extend(unknown);
        }
        Ok(())
    }

    fn push_openers(&mut self) -> Result<(), DeviceError> {
        let nodes: Vec<Node> = self.must_be_shut.iter().map(|(node, _)| *node).collect();
        for (place, by) in openers(self.system, &nodes)? {
            let device = self.must_be_shut[place].1.clone();
            self.uses.push(Use::Open { device, by });
        }
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

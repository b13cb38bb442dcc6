//! Nothing is destroyed: whether a run may write to a path.
//!
//! The rules, in the order in which a refusal is given, so that the first answer is the one that
//! no option can change:
//!
//! 0. where only reading was asked for, nothing is written at all,
//!    and nothing on a disk or volume as a whole, where the system does not show who uses it;
//! 1. directories, pipes and sockets are no targets, and neither is anything in `/proc`, `/sys`
//!    or, unless it is there already as a device, `/dev`;
//! 2. what is in use is never written to: mounted, swap, part of an array or volume, shown by a
//!    loop device, held by anyone; for a device also whatever is built on it, its partitions, and
//!    the disk it is a partition of;
//! 3. a device must be named in a permission, by any of its names;
//! 4. and with all that it and its partitions carry, if they carry anything: signatures, or data of
//!    which nothing is known, unless a run of Fathom wrote them;
//! 5. a file must be ours, or to be overwritten by permission, or not exist yet.
//!
//! Where the host has a list of what may be written ([`allow`]), that takes the place of the
//! permissions of rules 3 and 4, and limits rule 5 to the folders that it names. A foreign file
//! with a second name may belong outside of them, and is refused.
//!
//! An NVMe namespace has two nodes, a block device and a generic character device: every rule is
//! about the block device, whichever is named.

pub mod allow;
pub mod permission;
pub mod refusal;
#[cfg(test)]
mod tests;
pub mod usage;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use fathom_platform::fs::OFlags;

pub use allow::{AllowError, AllowList};
pub use permission::{Destroy, PermissionError, Permissions};
pub use refusal::{GuardError, Refusal};
pub use usage::Use;

use crate::block::{BlockDevice, node_path};
use crate::devnum::DevNum;
use crate::input::open_with;
use crate::namespace::{self, Namespace};
use crate::nodes::{Node, NodeKind};
use crate::pin::Pin;
use crate::platform;
use crate::signature::{DATA, Extent, Signature, join, look};
use crate::system::System;

/// What a cleared target is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClearedKind {
    /// Does not exist: create it, and nothing else (`O_CREAT | O_EXCL`).
    NewFile,
    /// A file that an earlier run made.
    OwnFile,
    /// Somebody's file, given up by `--overwrite`.
    ForeignFile,
    /// A device given up by `--destroy`, and what is lost on it.
    BlockDevice(Vec<Signature>),
    /// An NVMe namespace by its generic character device, given up by `--destroy`, and what is lost
    /// on it.
    Namespace(Vec<Signature>),
    /// A device that keeps nothing, or one given up by `--destroy`.
    CharDevice,
}

/// A target that may be written to.
#[derive(Clone, Debug)]
pub struct Cleared {
    /// The path as given.
    pub path: PathBuf,
    /// The kind of device or file.
    pub kind: ClearedKind,
    /// What was examined; none for a new file.
    pin: Option<Arc<Pin>>,
    /// The block device of the same namespace, of an NVMe generic device.
    block: Option<Arc<Pin>>,
}

impl Cleared {
    /// Makes sure that what was opened is what was cleared, since a name can be turned to point
    /// elsewhere in between.
    pub fn confirm(&self, opened: &File) -> Result<(), GuardError> {
        let found = Node::of_open(opened).map_err(|error| self.refuse(Refusal::Unknown(error)))?;
        let is_new = found.kind == NodeKind::File && found.size_bytes == 0;
        let mut examined = self.pin.iter().chain(&self.block).peekable();
        let is_same = if examined.peek().is_none() {
            is_new
        } else {
            examined.any(|pin| pin.node().is_same_storage(&found))
        };
        if is_same {
            Ok(())
        } else {
            Err(self.refuse(Refusal::Changed))
        }
    }

    /// The block device that shows what is written: the target itself, or of an NVMe generic device
    /// the one of the same namespace.
    pub const fn block(&self) -> Option<&Arc<Pin>> {
        match (&self.kind, &self.block) {
            (ClearedKind::BlockDevice(_), _) => self.pin.as_ref(),
            (_, block) => block.as_ref(),
        }
    }

    /// Claims a block device, or that of an NVMe generic device, so that nobody can mount it or
    /// build on it while the returned file is kept; other opens, without `O_EXCL`, stay possible.
    /// For other targets nothing is to be claimed.
    pub fn claim(&self) -> Result<Option<File>, GuardError> {
        let Some(pin) = self.block() else {
            return Ok(None);
        };
        let opened = open_with(pin.at(), OFlags::EXCL);
        let file = opened.map_err(|error| match error.kind() {
            io::ErrorKind::ResourceBusy => self.refuse(Refusal::InUse(vec![Use::Held])),
            _ => self.refuse(Refusal::Unknown(error)),
        })?;
        self.confirm(&file)?;
        Ok(Some(file))
    }

    /// Opens what was cleared to read and write, and nothing else that its name may lead to by now;
    /// of an NVMe generic device the block device.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn open(&self) -> io::Result<File> {
        let pin = self.block().or(self.pin.as_ref());
        let pin = pin.ok_or(io::ErrorKind::NotFound)?;
        pin.open(OFlags::RDWR)
    }

    fn refuse(&self, refusal: Refusal) -> GuardError {
        refused(&self.path, refusal)
    }
}

/// Whether `path` may be written to, given these permissions, on this system.
pub fn check_write(
    path: &Path,
    permissions: &Permissions,
    system: &System,
) -> Result<Cleared, GuardError> {
    if permissions.read_only {
        return Err(refused(path, Refusal::OnlyReading));
    }
    if system.nodes.is_unguarded(path, None) {
        return Err(refused(path, Refusal::Unguarded));
    }
    match system.nodes.pin(path) {
        Ok(pin) => check_pinned(path, &Arc::new(pin), permissions, system),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let kind =
                check_new(path, permissions, system).map_err(|refusal| refused(path, refusal))?;
            Ok(Cleared {
                path: path.to_owned(),
                kind,
                pin: None,
                block: None,
            })
        }
        Err(error) => Err(refused(path, Refusal::Unknown(error))),
    }
}

/// Whether what `path` led to when it was pinned may be written to. Every question is about that,
/// wherever the path leads by now.
pub fn check_pinned(
    path: &Path,
    pin: &Arc<Pin>,
    permissions: &Permissions,
    system: &System,
) -> Result<Cleared, GuardError> {
    if permissions.read_only {
        return Err(refused(path, Refusal::OnlyReading));
    }
    let node = pin.node();
    if system.nodes.is_unguarded(path, Some(node.kind)) {
        return Err(refused(path, Refusal::Unguarded));
    }
    let alone = |kind| (kind, None);
    let found = match node.kind {
        NodeKind::File => check_file(pin.at(), node, permissions, system).map(alone),
        NodeKind::Block => check_block(pin.at(), node.device, permissions, system)
            .map(ClearedKind::BlockDevice)
            .map(alone),
        NodeKind::Char => check_char(pin, permissions, system),
        other => Err(Refusal::NoTarget(other)),
    };
    let (kind, block) = found.map_err(|refusal| refused(path, refusal))?;
    Ok(Cleared {
        path: path.to_owned(),
        kind,
        pin: Some(Arc::clone(pin)),
        block,
    })
}

fn refused(path: &Path, refusal: Refusal) -> GuardError {
    GuardError {
        path: path.to_owned(),
        refusal,
    }
}

fn check_new(
    path: &Path,
    permissions: &Permissions,
    system: &System,
) -> Result<ClearedKind, Refusal> {
    if system.nodes.has_entry(path) {
        return Err(Refusal::Dangling);
    }
    let parent = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    match system.nodes.stat(parent) {
        Ok(node) if node.kind == NodeKind::Directory => {}
        _ => return Err(Refusal::NoDirectory(parent.to_owned())),
    }
    refuse_kernel_files(parent, system)?;
    refuse_unlisted(parent, permissions, system)?;
    system
        .nodes
        .may_create_in(parent)
        .map_err(|error| Refusal::NotWritable(parent.to_owned(), error))?;
    Ok(ClearedKind::NewFile)
}

/// Refuses what lies in no folder of the host's list, if it has one; whether that allows to
/// overwrite files there.
fn refuse_unlisted(
    path: &Path,
    permissions: &Permissions,
    system: &System,
) -> Result<bool, Refusal> {
    let Some(list) = &permissions.allow else {
        return Ok(false);
    };
    let path = system.nodes.canonical(path).map_err(Refusal::Unknown)?;
    list.of_path(&path)
        .ok_or_else(|| Refusal::NotListed(list.path().to_owned()))
}

/// File systems whose files are switches of the kernel, and `/dev`, where a mistyped device name
/// would become a file in memory.
fn refuse_kernel_files(path: &Path, system: &System) -> Result<(), Refusal> {
    const KERNEL: &[&str] = &[
        "bpf",
        "cgroup",
        "cgroup2",
        "configfs",
        "debugfs",
        "devpts",
        "devtmpfs",
        "efivarfs",
        "mqueue",
        "proc",
        "pstore",
        "securityfs",
        "selinuxfs",
        "sysfs",
        "tracefs",
    ];
    let path = system.nodes.canonical(path).map_err(Refusal::Unknown)?;
    match system.mounts.of_path(&path) {
        Some(mount)
            if KERNEL.contains(&mount.fs_type.as_str())
                || mount.mount_point == Path::new("/dev") =>
        {
            Err(Refusal::KernelFile(mount.fs_type.clone()))
        }
        _ => Ok(()),
    }
}

fn check_file(
    path: &Path,
    node: &Node,
    permissions: &Permissions,
    system: &System,
) -> Result<ClearedKind, Refusal> {
    refuse_kernel_files(path, system)?;
    refuse_used(platform::uses_of_file(system, node, path)?)?;
    refuse_used(platform::openers_of_file(system, node)?)?;
    let may_overwrite = refuse_unlisted(path, permissions, system)? || permissions.overwrite;
    // A file that cannot be opened to look for the mark is somebody else's.
    if system.nodes.is_marked(path).unwrap_or(false) {
        Ok(ClearedKind::OwnFile)
    } else if permissions.allow.is_some() && node.links > 1 {
        Err(Refusal::Linked { links: node.links })
    } else if may_overwrite {
        Ok(ClearedKind::ForeignFile)
    } else {
        Err(Refusal::NotOurs {
            size_bytes: node.size_bytes,
        })
    }
}

fn refuse_used(uses: Vec<Use>) -> Result<(), Refusal> {
    if uses.is_empty() {
        Ok(())
    } else {
        Err(Refusal::InUse(uses))
    }
}

fn check_char(
    pin: &Pin,
    permissions: &Permissions,
    system: &System,
) -> Result<(ClearedKind, Option<Arc<Pin>>), Refusal> {
    const NULL: DevNum = DevNum::new(1, 3);
    const ZERO: DevNum = DevNum::new(1, 5);
    let number = pin.node().device;
    if number == NULL || number == ZERO {
        return Ok((ClearedKind::CharDevice, None));
    }
    match namespace::of_generic(system, number, pin.at())? {
        Namespace::None => {
            let naming = permissions.naming(NodeKind::Char, number, None, system);
            check_named(&naming, NodeKind::Char, &Carried::default(), permissions)?;
            Ok((ClearedKind::CharDevice, None))
        }
        Namespace::Block(device) => {
            let block = namespace::pin_block(system, &device).map_err(Refusal::Unknown)?;
            let by = |kind, number| permissions.naming(kind, number, Some(&device), system);
            let naming = [by(NodeKind::Char, number), by(NodeKind::Block, device.dev)].concat();
            let kind = NodeKind::Char;
            let carried = check_device(block.at(), &device, kind, &naming, permissions, system)?;
            Ok((ClearedKind::Namespace(carried), Some(Arc::new(block))))
        }
        Namespace::Unknown { id } => Err(Refusal::NoBlockDevice { id }),
    }
}

fn check_block(
    path: &Path,
    number: DevNum,
    permissions: &Permissions,
    system: &System,
) -> Result<Vec<Signature>, Refusal> {
    let device = BlockDevice::by_number(system, number)?;
    let kind = NodeKind::Block;
    let naming = permissions.naming(kind, number, Some(&device), system);
    check_device(path, &device, kind, &naming, permissions, system)
}

/// What a block device carries, if it may be written to: by its node at `path`, or by another of
/// kind `kind` that leads to the same blocks.
fn check_device(
    path: &Path,
    device: &BlockDevice,
    kind: NodeKind,
    naming: &[&Destroy],
    permissions: &Permissions,
    system: &System,
) -> Result<Vec<Signature>, Refusal> {
    refuse_used(usage::of_device(system, device, path)?)?;
    let is_named = !naming.is_empty();
    match system.nodes.is_held(path) {
        Ok(true) => return Err(Refusal::InUse(vec![Use::Held])),
        Err(error) if is_named => return Err(Refusal::Unknown(error)),
        // Without a permission the answer is no anyhow, and that is the better message.
        Ok(false) | Err(_) => {}
    }
    if device.read_only {
        return Err(Refusal::ReadOnly);
    }
    let carried = match carried(path, device, system) {
        Ok(carried) => carried,
        Err(refusal) if is_named => return Err(refusal),
        Err(_) => Carried::default(),
    };
    check_named(naming, kind, &carried, permissions)?;
    Ok(carried.signatures)
}

/// What a device and each of its partitions carry, in the words of `--destroy`; empty where it is
/// nothing known.
///
/// # Errors
///
/// A refusal where that cannot be found out.
pub fn carries(device: &BlockDevice, system: &System) -> Result<String, GuardError> {
    let path = &device.path;
    let found = carried(path, device, system).map_err(|refusal| refused(path, refusal))?;
    Ok(join(&found.signatures))
}

/// What a device carries.
#[derive(Debug, Default)]
struct Carried {
    signatures: Vec<Signature>,
    /// What the first data that nothing is known of look like.
    look: Option<String>,
}

impl Carried {
    fn add(&mut self, path: &Path, extent: Extent, system: &System) -> io::Result<()> {
        let found = system.nodes.signatures(path, extent)?;
        let data = found.iter().find(|one| one.name == DATA);
        if let Some(data) = data.filter(|_| self.look.is_none()) {
            let offset = extent.start_bytes + data.offset_bytes;
            let bytes = system.nodes.first_bytes(path, offset)?;
            self.look = Some(format!("at offset {offset}: {}", look(&bytes)));
        }
        self.signatures.extend(found);
        Ok(())
    }
}

/// What the device and each of its partitions carry.
fn carried(path: &Path, device: &BlockDevice, system: &System) -> Result<Carried, Refusal> {
    let mut all = Carried::default();
    all.add(path, Extent::whole(device.size_bytes), system)
        .map_err(Refusal::Unknown)?;
    for name in &device.partitions {
        let partition = BlockDevice::read(system, name)?;
        let size_bytes = partition.size_bytes;
        let node = node_path(name);
        // Without a node of its own (as in a container) the partition is read through its disk.
        let added = if system.block_number(&node) == Some(partition.dev) {
            all.add(&node, Extent::whole(size_bytes), system)
        } else {
            let start_bytes = partition.start_bytes.unwrap_or(0);
            let extent = Extent {
                start_bytes,
                size_bytes,
            };
            all.add(path, extent, system)
        };
        added.map_err(Refusal::Unknown)?;
    }
    Ok(all)
}

/// Whether one of the permissions that name the device names exactly what it carries.
fn check_named(
    naming: &[&Destroy],
    kind: NodeKind,
    carried: &Carried,
    permissions: &Permissions,
) -> Result<(), Refusal> {
    let found = &carried.signatures;
    let carries = join(found);
    let look = carried.look.clone();
    let list = permissions
        .allow
        .as_ref()
        .map(|list| list.path().to_owned());
    let Some(first) = naming.first() else {
        if let Some(list) = list {
            return Err(Refusal::NotListed(list));
        }
        return Err(Refusal::NotNamed {
            kind,
            carries,
            look,
        });
    };
    if naming.iter().any(|permission| permission.covers(found)) {
        return Ok(());
    }
    if let Some(list) = list {
        // A list stays when what it expected is gone: the first run has written over it.
        if found.is_empty() {
            return Ok(());
        }
        return Err(Refusal::ListedOther {
            list,
            named: first
                .signature
                .as_deref()
                .unwrap_or(allow::EMPTY)
                .to_owned(),
            carries,
            look,
        });
    }
    Err(match &first.signature {
        None => Refusal::Carries { carries, look },
        Some(named) if found.is_empty() => Refusal::CarriesNothing {
            named: named.clone(),
        },
        Some(named) => Refusal::CarriesOther {
            named: named.clone(),
            carries,
            look,
        },
    })
}

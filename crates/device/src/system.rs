//! A view of the machine at one moment: device tree, mounts, swap, and a way to ask about paths.

use fathom_platform::unix::ffi::OsStrExt as _;
use std::fmt;
use std::path::{Path, PathBuf};

use crate::backing::Backing;
use crate::block::BlockDevice;
use crate::devnum::DevNum;
use crate::error::DeviceError;
use crate::mounts::{Mount, Mounts};
use crate::nodes::{NodeKind, Nodes};
use crate::platform;
use crate::swap::Swaps;
use crate::sysfs::Sysfs;

/// Everything that questions about devices are answered from.
pub struct System {
    /// The kernel's device tree.
    pub sysfs: Sysfs,
    /// What is mounted.
    pub mounts: Mounts,
    /// What is swapped to.
    pub swaps: Swaps,
    /// Paths.
    pub nodes: Box<dyn Nodes>,
}

impl System {
    /// The running system, mounts and swap as of now.
    pub fn live() -> Result<Self, DeviceError> {
        platform::system()
    }

    /// The block device that a path is the node of, through symbolic links.
    pub fn block_number(&self, path: &Path) -> Option<DevNum> {
        let node = self.nodes.stat(path).ok()?;
        (node.kind == NodeKind::Block).then_some(node.device)
    }

    /// What a loop device shows: by the kernel's numbers, or by the path that it was attached by
    /// where those are not available.
    pub(crate) fn backing(&self, device: &BlockDevice) -> Option<Backing> {
        let path = device.backing_file.as_ref()?;
        match self.nodes.loop_backing(&device.path, device.dev) {
            Ok(found) => found,
            Err(_) => self.nodes.stat(path).ok().as_ref().map(Backing::of_node),
        }
    }

    /// Whether a block device is used as swap.
    pub fn swap_on(&self, dev: DevNum) -> bool {
        self.swaps
            .0
            .iter()
            .any(|area| self.block_number(&area.path) == Some(dev))
    }

    /// Mounts whose file system lies on this block device, be it one of several.
    pub fn mounts_of(&self, dev: DevNum, name: &str) -> Result<Vec<&Mount>, DeviceError> {
        let family = self.btrfs_family(name)?;
        let is_in_family = |number| {
            self.sysfs
                .block_name(number)
                .is_ok_and(|name| family.contains(&name))
        };
        let is_source = |path: &PathBuf| {
            self.block_number(path)
                .is_some_and(|number| number == dev || is_in_family(number))
        };
        let on_device = |mount: &&Mount| {
            mount.dev == dev || (mount.dev.is_anonymous() && sources(mount).iter().any(is_source))
        };
        Ok(self.mounts.0.iter().filter(on_device).collect())
    }

    /// All devices of the mounted btrfs that this device is part of, itself included; empty if it
    /// is part of none. mountinfo names only one of them.
    pub fn btrfs_family(&self, name: &str) -> Result<Vec<String>, DeviceError> {
        let below = Path::new("fs/btrfs");
        for uuid in self.sysfs.names(below)? {
            let family = self.sysfs.names(&below.join(uuid).join("devices"))?;
            if family.iter().any(|member| member == name) {
                return Ok(family);
            }
        }
        Ok(Vec::new())
    }
}

/// The paths that a mount's source names: bcachefs joins several with colons.
fn sources(mount: &Mount) -> Vec<PathBuf> {
    let bytes = mount.source.as_os_str().as_bytes();
    if !bytes.starts_with(b"/") {
        return Vec::new();
    }
    let mut paths = vec![mount.source.clone()];
    if mount.fs_type == "bcachefs" {
        let part = |part| PathBuf::from(std::ffi::OsStr::from_bytes(part));
        paths.extend(bytes.split(|byte| *byte == b':').map(part));
    }
    paths
}

impl fmt::Debug for System {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("System")
            .field("sysfs", &self.sysfs)
            .field("mounts", &self.mounts)
            .field("swaps", &self.swaps)
            .finish_non_exhaustive()
    }
}

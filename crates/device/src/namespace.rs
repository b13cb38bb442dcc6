//! The block device of an NVMe namespace that is named by its generic character device,
//! `/dev/ngXnY`.
//!
//! Both lead to the same blocks, and only of the block device does the kernel say who uses it and
//! what it carries. The numbers in the two names need not agree: with several paths the one counts
//! controllers and the other subsystems. So it is the block device of the same subsystem with the
//! same namespace identifier.

use fathom_platform::fd::AsFd as _;
use std::io;
use std::path::Path;

use crate::block::BlockDevice;
use crate::devnum::DevNum;
use crate::error::DeviceError;
use crate::input;
use crate::nodes::NodeKind;
use crate::pin::Pin;
use crate::sysfs::{names_in, value};
use crate::system::System;

/// The class of the kernel that these character devices are of.
const GENERIC: &str = "nvme-generic";

/// What is known of the namespace behind a character device.
#[derive(Debug)]
pub enum Namespace {
    /// It is no NVMe generic device.
    None,
    /// The same blocks as this device.
    Block(Box<BlockDevice>),
    /// A namespace for which no block device stands, or more than one could.
    Unknown {
        /// Its identifier.
        id: u32,
    },
}

/// The namespace that a character device is a way to. `at` opens it.
///
/// # Errors
///
/// It is one, and its identifier or its block device cannot be read.
pub fn of_generic(system: &System, number: DevNum, at: &Path) -> Result<Namespace, DeviceError> {
    let link = system
        .sysfs
        .root()
        .join("dev/char")
        .join(number.to_string());
    let Ok(dir) = std::fs::canonicalize(&link) else {
        return Ok(Namespace::None);
    };
    let class = std::fs::read_link(dir.join("subsystem"));
    let is_generic = class.is_ok_and(|class| class.ends_with(GENERIC));
    let Some(above) = dir.parent().filter(|_| is_generic) else {
        return Ok(Namespace::None);
    };
    let id = system.nodes.namespace_id(at);
    let id = id.map_err(|error| DeviceError::read(at, error))?;
    let is_it = |name: &String| {
        let beside = above.join(name);
        let is_block = system.sysfs.block_dir(name).is_ok_and(|dir| dir == beside);
        is_block && value::<u32>(&beside, "nsid") == Some(id)
    };
    let mut names = names_in(above)?;
    names.retain(is_it);
    match names.as_slice() {
        [name] => Ok(Namespace::Block(Box::new(BlockDevice::read(system, name)?))),
        _ => Ok(Namespace::Unknown { id }),
    }
}

/// Holds a block device by its node, if that is its node.
///
/// # Errors
///
/// What the system said; [`io::ErrorKind::NotFound`] if the node is another device's.
pub fn pin_block(system: &System, device: &BlockDevice) -> io::Result<Pin> {
    let pin = system.nodes.pin(&device.path)?;
    let node = pin.node();
    if (node.kind, node.device) == (NodeKind::Block, device.dev) {
        return Ok(pin);
    }
    let words = format!("{} is the node of another device", device.path.display());
    Err(io::Error::new(io::ErrorKind::NotFound, words))
}

/// Most bytes of one command, which nobody splits; none if it is unknown.
pub fn most_command_bytes(system: &System, device: &BlockDevice) -> Option<u64> {
    let queue = system.sysfs.block_dir(&device.name).ok()?.join("queue");
    let kib: u64 = value(&queue, "max_hw_sectors_kb")?;
    Some(kib * 1024)
}

/// Bytes that one append to a zone of a namespace can move, where they are fewer: the controller
/// has a limit of its own for these.
pub fn most_append_bytes(system: &System, device: &BlockDevice) -> Option<u64> {
    let queue = system.sysfs.block_dir(&device.name).ok()?.join("queue");
    value(&queue, "zone_append_max_bytes").filter(|most| *most > 0)
}

/// Asks an NVMe generic device which namespace it is a way to. It is opened for reading.
pub(crate) fn id(at: &Path) -> io::Result<u32> {
    let device = input::open(at)?;
    fathom_nvme::namespace_id(device.as_fd())
}

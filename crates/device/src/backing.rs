//! What a loop device shows, by the kernel's numbers (loop(4), `LOOP_GET_STATUS64`).
//!
//! The path in sysfs is the one that the file had when the device was attached, in the mount
//! namespace of whoever attached it. Here it may lead to nothing or to something else.

use fathom_platform::io::Errno;
use std::fs::File;
use std::io;
use std::path::Path;

use crate::devnum::DevNum;
use crate::input;
use crate::nodes::{Node, NodeKind};

const LOOP_GET_STATUS64: u32 = 0x4C05;

/// What a loop device shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Backing {
    /// The block device, if it shows one.
    pub device: Option<DevNum>,
    /// The file system of the file or node.
    pub on: DevNum,
    /// Its inode there.
    pub inode: u64,
}

impl Backing {
    /// What a path leads to, if it can be shown.
    pub const fn of_node(node: &Node) -> Self {
        Self {
            device: match node.kind {
                NodeKind::Block => Some(node.device),
                _ => None,
            },
            on: node.on,
            inode: node.inode,
        }
    }

    /// The regular file that it shows if it shows no device.
    pub const fn file(&self) -> Node {
        Node {
            kind: NodeKind::File,
            on: self.on,
            inode: self.inode,
            device: DevNum::new(0, 0),
            size_bytes: 0,
            links: 1,
        }
    }

    /// Whether it is this regular file.
    pub fn is_file(&self, file: &Node) -> bool {
        self.device.is_none() && self.file().is_same_storage(file)
    }
}

/// The first fields of `struct loop_info64`, and space for the rest.
#[repr(C)]
struct Status {
    on: u64,
    inode: u64,
    device: u64,
    rest: [u64; 26],
}

/// What the loop device of this number shows, which `node` is to lead to; none if nothing is
/// attached.
///
/// # Errors
///
/// What the system said; [`io::ErrorKind::NotFound`] if the node leads elsewhere.
pub fn of_loop(node: &Path, number: DevNum) -> io::Result<Option<Backing>> {
    let file = input::open(node)?;
    let found = Node::of(&file.metadata()?);
    if (found.kind, found.device) != (NodeKind::Block, number) {
        return Err(io::ErrorKind::NotFound.into());
    }
    status(&file)
}

fn status(file: &File) -> io::Result<Option<Backing>> {
    let mut status = Status {
        on: 0,
        inode: 0,
        device: 0,
        rest: [0; 26],
    };
    // SAFETY: the pointer is to a writable structure of 232 bytes, as long as the kernel's, which
    // writes no more; every pattern of bits is a value of it.
    match unsafe { fathom_platform::ioctl(file, LOOP_GET_STATUS64, &raw mut status) } {
        Ok(_) => {}
        Err(Errno::NXIO) => return Ok(None),
        Err(errno) => return Err(errno.into()),
    }
    // Of a regular file older kernels give the device of its file system here.
    let shows_device = status.device != 0 && status.device != status.on;
    Ok(Some(Backing {
        device: shows_device.then(|| DevNum::from_raw(status.device)),
        on: DevNum::from_raw(status.on),
        inode: status.inode,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_structure_is_as_long_as_the_kernels() {
        assert_eq!(size_of::<Status>(), 232);
    }

    #[test]
    fn what_is_no_such_device_is_not_asked() {
        let null = of_loop(Path::new("/dev/null"), DevNum::new(7, 0));
        assert_eq!(null.unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}

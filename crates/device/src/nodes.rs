//! What the guard and the topology ask of the file system, as a trait, so that both can be tried
//! on machines that do not exist.

use fathom_platform::unix::fs::{FileTypeExt as _, MetadataExt as _};
use std::fmt;
use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use fathom_platform::fs::{Access, OFlags};

use crate::backing::{self, Backing};
use crate::devnum::DevNum;
use crate::input::open_with;
use crate::mark;
use crate::namespace;
use crate::openers::{self, Opener};
use crate::pin::Pin;
use crate::signature::{self, Extent, Signature};

/// What a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Regular file.
    File,
    Directory,
    /// Block device.
    Block,
    /// Character device.
    Char,
    /// Named pipe.
    Fifo,
    Socket,
}

impl fmt::Display for NodeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::File => "regular file",
            Self::Directory => "directory",
            Self::Block => "block device",
            Self::Char => "character device",
            Self::Fifo => "named pipe",
            Self::Socket => "socket",
        })
    }
}

/// Identity of what a path leads to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its type.
    pub kind: NodeKind,
    /// Device number of the file system it lies on (`st_dev`).
    pub on: DevNum,
    /// Inode number there.
    pub inode: u64,
    /// Device number it stands for (`st_rdev`), if it is a device.
    pub device: DevNum,
    /// Length of a regular file.
    pub size_bytes: u64,
    /// Names that a regular file has (hard links).
    pub links: u64,
}

impl Node {
    /// Identity of an open file or of `fs::metadata`.
    pub fn of(meta: &fs::Metadata) -> Self {
        let file_type = meta.file_type();
        let kind = if file_type.is_dir() {
            NodeKind::Directory
        } else if file_type.is_block_device() {
            NodeKind::Block
        } else if file_type.is_char_device() {
            NodeKind::Char
        } else if file_type.is_fifo() {
            NodeKind::Fifo
        } else if file_type.is_socket() {
            NodeKind::Socket
        } else {
            NodeKind::File
        };
        Self {
            kind,
            on: DevNum::from_raw(meta.dev()),
            inode: meta.ino(),
            device: DevNum::from_raw(meta.rdev()),
            size_bytes: meta.len(),
            links: meta.nlink(),
        }
    }

    /// Identity of an open file.
    ///
    /// # Errors
    ///
    /// What the system said.
    pub fn of_open(file: &fs::File) -> io::Result<Self> {
        let meta = match file.metadata() {
            Ok(meta) => meta,
            Err(error) => {
                let number = fathom_platform::device_number(file).ok_or(error)?;
                return Ok(Self::of_device(DevNum::from_raw(number)));
            }
        };
        let (on, inode) =
            fathom_platform::identity(file).unwrap_or_else(|_| (meta.dev(), meta.ino()));
        let on = DevNum::from_raw(on);
        Ok(Self {
            on,
            inode,
            ..Self::of(&meta)
        })
    }

    /// A block device, by whichever node.
    pub const fn of_device(device: DevNum) -> Self {
        Self {
            kind: NodeKind::Block,
            on: DevNum::new(0, 0),
            inode: 0,
            device,
            size_bytes: 0,
            links: 1,
        }
    }

    /// Whether both lead to the same storage: the same device, or the same file.
    pub fn is_same_storage(&self, other: &Self) -> bool {
        match (self.kind, other.kind) {
            (NodeKind::Block, NodeKind::Block) | (NodeKind::Char, NodeKind::Char) => {
                self.device == other.device
            }
            (a, b) => a == b && (self.on, self.inode) == (other.on, other.inode),
        }
    }
}

/// Questions about paths. Nothing here changes anything.
pub trait Nodes: Send + Sync {
    /// What the path leads to, through symbolic links.
    fn stat(&self, path: &Path) -> io::Result<Node>;
    /// What the path leads to, held fast where that can be done, for all further questions.
    fn pin(&self, path: &Path) -> io::Result<Pin> {
        Ok(Pin::loose(path, self.stat(path)?))
    }
    /// Whether this is a whole disk or volume, by its name or by what it leads to, on a system that
    /// does not show which programs use it.
    fn is_unguarded(&self, _path: &Path, _kind: Option<NodeKind>) -> bool {
        false
    }
    /// The absolute path without symbolic links.
    fn canonical(&self, path: &Path) -> io::Result<PathBuf>;
    /// Whether the last component itself exists, be it a symbolic link to nowhere.
    fn has_entry(&self, path: &Path) -> bool;
    /// Whether new files can be made in this directory.
    fn may_create_in(&self, dir: &Path) -> io::Result<()>;
    /// Whether the file carries the mark of a file made by Fathom.
    fn is_marked(&self, path: &Path) -> io::Result<bool>;
    /// Whether someone holds the block device exclusively: a mounted file system, swap, a stacked
    /// driver, in whichever name space.
    fn is_held(&self, path: &Path) -> io::Result<bool>;
    /// The identifier of the NVMe namespace that a generic character device is a way to.
    fn namespace_id(&self, path: &Path) -> io::Result<u32>;
    /// What the loop device of this number shows, which the path is a node of; none if nothing is
    /// attached.
    fn loop_backing(&self, node: &Path, number: DevNum) -> io::Result<Option<Backing>>;
    /// Whether somebody has a regular file open, the kernel included. This process must not.
    fn is_open(&self, file: &Path) -> io::Result<bool>;
    /// Other processes that have any of these open, with the place of it in the list.
    fn openers(&self, wanted: &[Node]) -> io::Result<Vec<(usize, Opener)>>;
    /// What this part of a block device carries.
    fn signatures(&self, path: &Path, extent: Extent) -> io::Result<Vec<Signature>>;
    /// The first bytes from an offset on, for a message.
    fn first_bytes(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>>;
}

/// The running system.
#[derive(Clone, Copy, Debug, Default)]
pub struct LiveNodes;

impl Nodes for LiveNodes {
    fn stat(&self, path: &Path) -> io::Result<Node> {
        match fs::metadata(path) {
            Ok(meta) => Ok(Node::of(&meta)),
            Err(_) if fathom_platform::is_device_name(path) => Pin::of(path).map(|pin| *pin.node()),
            Err(error) => Err(error),
        }
    }

    fn is_unguarded(&self, path: &Path, kind: Option<NodeKind>) -> bool {
        let is_device = || fathom_platform::is_device_name(path) || kind == Some(NodeKind::Block);
        !fathom_platform::SHOWS_USERS && is_device()
    }

    fn pin(&self, path: &Path) -> io::Result<Pin> {
        Pin::of(path)
    }

    fn canonical(&self, path: &Path) -> io::Result<PathBuf> {
        if fathom_platform::is_device_name(path) {
            // It is in no folder, and has to be there.
            return self.stat(path).map(|_| path.to_owned());
        }
        fs::canonicalize(path)
    }

    fn has_entry(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    fn may_create_in(&self, dir: &Path) -> io::Result<()> {
        Ok(fathom_platform::fs::access(
            dir,
            Access::WRITE_OK | Access::EXEC_OK,
        )?)
    }

    fn is_marked(&self, path: &Path) -> io::Result<bool> {
        mark::is_marked(&crate::input::open(path)?, path)
    }

    fn is_held(&self, path: &Path) -> io::Result<bool> {
        // O_EXCL without O_CREAT means, for block devices only: fail if anyone else claimed it.
        match open_with(path, OFlags::EXCL) {
            Ok(_claim_ends_here) => Ok(false),
            Err(error) if error.kind() == io::ErrorKind::ResourceBusy => Ok(true),
            Err(error) => Err(error),
        }
    }

    fn namespace_id(&self, path: &Path) -> io::Result<u32> {
        namespace::id(path)
    }

    fn loop_backing(&self, node: &Path, number: DevNum) -> io::Result<Option<Backing>> {
        backing::of_loop(node, number)
    }

    fn is_open(&self, file: &Path) -> io::Result<bool> {
        openers::is_open(file)
    }

    fn openers(&self, wanted: &[Node]) -> io::Result<Vec<(usize, Opener)>> {
        openers::of(wanted)
    }

    fn signatures(&self, path: &Path, extent: Extent) -> io::Result<Vec<Signature>> {
        signature::examine(&crate::input::open(path)?, extent)
    }

    fn first_bytes(&self, path: &Path, offset: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = crate::input::open(path)?;
        file.seek(SeekFrom::Start(offset))?;
        file.take(4096).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

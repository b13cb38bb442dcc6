//! Files.

use std::fs::{File, Metadata, OpenOptions};
use std::num::NonZeroU64;
use std::path::{Component, Path, Prefix};

use super::fd::{AsFd, BorrowedFd, OwnedFd};
use super::io::{Errno, Result};

pub use super::unix::fs::Identity;
pub use super::{ioctl_blksszget, seek, statvfs};

pub type RawMode = u32;

/// The folder that the process works in.
pub const CWD: BorrowedFd<'static> = BorrowedFd(None);

bits! {
    OFlags {
        RDONLY = 0, WRONLY = 1, RDWR = 2, CREATE = 1 << 2, EXCL = 1 << 3, TRUNC = 1 << 4,
        APPEND = 1 << 5, CLOEXEC = 1 << 6, NOCTTY = 1 << 7, NONBLOCK = 1 << 8, NOFOLLOW = 1 << 9,
        PATH = 1 << 10, DIRECTORY = 1 << 11, DIRECT = 1 << 12, DSYNC = 1 << 13, TMPFILE = 1 << 14,
    }
    Mode {
        RWXU = 0o700, RWXG = 0o070, RWXO = 0o007, WGRP = 0o020, WOTH = 0o002, SVTX = 0o1000,
    }
    AtFlags {
        SYMLINK_NOFOLLOW = 1, SYMLINK_FOLLOW = 2, REMOVEDIR = 4, EMPTY_PATH = 8,
    }
    StatxFlags { TYPE = 1, INO = 2, BTIME = 4, DIOALIGN = 8, }
    FallocateFlags { KEEP_SIZE = 1, PUNCH_HOLE = 2, }
    RenameFlags { NOREPLACE = 1, EXCHANGE = 2, }
    XattrFlags { CREATE = 1, }
    IFlags { NOCOW = 1, }
    Access { WRITE_OK = 1, EXEC_OK = 2, }
}

impl Mode {
    pub const fn from_raw_mode(mode: RawMode) -> Self {
        Self::from_bits_truncate(mode)
    }
}

#[derive(Clone, Copy, Debug)]
pub enum Advice {
    Normal,
    Random,
    Sequential,
    DontNeed,
}

#[derive(Clone, Copy, Debug)]
pub enum FlockOperation {
    NonBlockingLockExclusive,
    NonBlockingLockShared,
    Unlock,
}

#[derive(Clone, Copy, Debug)]
pub enum SeekFrom {
    Data(u64),
    Hole(u64),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileType {
    RegularFile,
    Directory,
    Symlink,
    Fifo,
    Socket,
    CharacterDevice,
    BlockDevice,
    Unknown,
}

const REGULAR: RawMode = 0o100_000;
const DIRECTORY: RawMode = 0o040_000;
const BLOCK: RawMode = 0o060_000;

impl FileType {
    pub const fn from_raw_mode(mode: RawMode) -> Self {
        match mode & 0o170_000 {
            REGULAR => Self::RegularFile,
            DIRECTORY => Self::Directory,
            BLOCK => Self::BlockDevice,
            _ => Self::Unknown,
        }
    }
}

/// What is known of a file.
#[derive(Clone, Copy, Debug)]
#[expect(clippy::struct_field_names, reason = "the names of stat(2)")]
pub struct Stat {
    pub st_mode: RawMode,
    pub st_size: i64,
    pub st_dev: u64,
    pub st_ino: u64,
    pub st_rdev: u64,
    pub st_uid: u32,
    pub st_nlink: u64,
}

impl Stat {
    fn of(file: &File) -> std::io::Result<Self> {
        let meta = match file.metadata() {
            Ok(meta) => meta,
            Err(error) => {
                let number = super::device_number(file);
                let device = number.map(Self::of_device);
                return device.ok_or_else(|| super::without_number(file, error));
            }
        };
        let (device, inode) = super::identity(file).unwrap_or_else(|_| {
            let identity = Identity::of(&meta);
            (identity.device, identity.inode)
        });
        Ok(Self {
            st_mode: mode_of(&meta),
            st_size: meta.len() as i64,
            st_dev: device,
            st_ino: inode,
            st_rdev: 0,
            st_uid: 0,
            st_nlink: 1,
        })
    }

    /// A disk or volume as a whole.
    const fn of_device(number: u64) -> Self {
        Self {
            st_mode: BLOCK | 0o400,
            st_size: 0,
            st_dev: 0,
            st_ino: 0,
            st_rdev: number,
            st_uid: 0,
            st_nlink: 1,
        }
    }
}

pub(crate) fn mode_of(meta: &Metadata) -> RawMode {
    if meta.is_file() {
        REGULAR | 0o600
    } else if meta.is_dir() {
        DIRECTORY | 0o700
    } else {
        0
    }
}

#[derive(Clone, Copy, Debug)]
pub struct StatFs {
    pub f_type: i64,
}

#[derive(Clone, Copy, Debug)]
pub struct StatVfs {
    pub f_frsize: u64,
    pub f_blocks: u64,
    pub f_bfree: u64,
    pub f_bavail: u64,
    pub f_files: u64,
    pub f_favail: u64,
}

#[derive(Clone, Copy, Debug)]
pub struct StatxTimestamp {
    pub tv_sec: i64,
    pub tv_nsec: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct Statx {
    pub stx_mask: u32,
    pub stx_mode: u16,
    pub stx_ino: u64,
    pub stx_btime: StatxTimestamp,
    pub stx_dev_major: u32,
    pub stx_dev_minor: u32,
    pub stx_rdev_major: u32,
    pub stx_rdev_minor: u32,
    pub stx_dio_mem_align: u32,
    pub stx_dio_offset_align: u32,
}

pub fn major(device: u64) -> u32 {
    (device >> 32) as u32
}

pub fn minor(device: u64) -> u32 {
    device as u32
}

/// Opens a file, as far as `std` can: what asks for more than that is refused. Disks and volumes as
/// a whole are opened to read only.
///
/// # Errors
///
/// What the system said.
pub fn open(path: impl AsRef<Path>, flags: OFlags, _: Mode) -> Result<OwnedFd> {
    if flags.intersects(OFlags::DIRECTORY | OFlags::TMPFILE) {
        return Err(Errno::NOSYS);
    }
    let (path, writes) = (
        path.as_ref(),
        flags.intersects(OFlags::WRONLY | OFlags::RDWR),
    );
    let changes = OFlags::CREATE | OFlags::TRUNC | OFlags::APPEND;
    if is_device_name(path) {
        if writes || flags.intersects(changes) {
            return Err(Errno::ACCESS);
        }
        if flags.contains(OFlags::PATH) {
            return device(path);
        }
    }
    if flags.contains(OFlags::NOFOLLOW)
        && std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink())
    {
        return Err(Errno::LOOP);
    }
    #[expect(clippy::disallowed_methods, reason = "what the doors call")]
    let mut options = OpenOptions::new();
    if flags.contains(OFlags::PATH) {
        super::as_a_place(&mut options, !flags.contains(OFlags::NOFOLLOW));
        let opened = options.open(path).map(OwnedFd::from);
        return opened.map_err(|error| Errno::of(&error));
    }
    if !writes && path.is_dir() {
        return Err(Errno::ISDIR);
    }
    super::as_storage(&mut options, flags)?;
    let opened = options
        .read(!flags.contains(OFlags::WRONLY))
        .write(writes && !flags.contains(OFlags::APPEND))
        .append(flags.contains(OFlags::APPEND))
        .create(flags.contains(OFlags::CREATE) && !flags.contains(OFlags::EXCL))
        .create_new(flags.contains(OFlags::CREATE | OFlags::EXCL))
        .truncate(flags.contains(OFlags::TRUNC))
        .open(path);
    let opened = opened.map_err(|error| Errno::of(&error))?;
    // A link can lead to a disk, or to a volume over several, which has no number.
    if writes && opened.metadata().is_err() {
        return Err(Errno::ACCESS);
    }
    Ok(opened.into())
}

/// Opens a disk or volume neither to read nor to write.
fn device(name: &Path) -> Result<OwnedFd> {
    #[expect(clippy::disallowed_methods, reason = "opened without a right")]
    let mut options = OpenOptions::new();
    let opened = super::without_rights(&mut options).open(name);
    opened.map(OwnedFd::from).map_err(|error| Errno::of(&error))
}

/// Whether it is no name in a file system: a disk, a volume as a whole, a port.
pub fn is_device_name(path: &Path) -> bool {
    if path.to_string_lossy().starts_with(r"\??\") {
        return true;
    }
    let mut components = path.components();
    let Some(Component::Prefix(prefix)) = components.next() else {
        return false;
    };
    let is_name = match prefix.kind() {
        Prefix::Disk(_) => true,
        Prefix::UNC(server, _) => server != "?" && server != ".",
        // Without a separator behind it, this is the volume as a whole.
        Prefix::VerbatimDisk(_) | Prefix::VerbatimUNC(..) => {
            components.next() == Some(Component::RootDir)
        }
        Prefix::DeviceNS(_) | Prefix::Verbatim(_) => false,
    };
    !is_name
}

fn with<T>(file: impl AsFd, ask: impl FnOnce(&File) -> std::io::Result<T>) -> Result<T> {
    let file = file.as_fd().0.ok_or(Errno::NOSYS)?;
    ask(file).map_err(|error| Errno::of(&error))
}

/// What is known of an open file.
///
/// # Errors
///
/// What the system said.
pub fn fstat(file: impl AsFd) -> Result<Stat> {
    with(file, Stat::of)
}

/// The same of a path.
///
/// # Errors
///
/// What the system said.
pub fn stat(path: impl AsRef<Path>) -> Result<Stat> {
    fstat(open(path, OFlags::PATH, Mode::empty())?)
}

/// Has what was written reach the disk.
///
/// # Errors
///
/// What the system said.
pub fn fsync(file: impl AsFd) -> Result<()> {
    with(file, File::sync_all)
}

/// The same without what is not needed to read it.
///
/// # Errors
///
/// What the system said.
pub fn fdatasync(file: impl AsFd) -> Result<()> {
    with(file, File::sync_data)
}

/// Sets the length of a file.
///
/// # Errors
///
/// What the system said.
pub fn ftruncate(file: impl AsFd, bytes: u64) -> Result<()> {
    with(file, |file| file.set_len(bytes))
}

/// Rights are known when they are used.
///
/// # Errors
///
/// None.
pub fn access(_: impl AsRef<Path>, _: Access) -> Result<()> {
    Ok(())
}

/// Advice is not given.
///
/// # Errors
///
/// Always.
pub fn fadvise(_: impl AsFd, _: u64, _: Option<NonZeroU64>, _: Advice) -> Result<()> {
    Err(Errno::NOSYS)
}

/// The flags that it was opened with. They cannot be changed.
///
/// # Errors
///
/// None.
pub fn fcntl_getfl(_: impl AsFd) -> Result<OFlags> {
    Ok(OFlags::empty())
}

/// Changes none.
///
/// # Errors
///
/// Of any but that nothing is waited for, which is never so here.
pub fn fcntl_setfl(_: impl AsFd, flags: OFlags) -> Result<()> {
    let is_nothing = OFlags::NONBLOCK.contains(flags);
    is_nothing.then_some(()).ok_or(Errno::NOSYS)
}

/// The entries of a folder.
#[derive(Debug)]
pub struct Dir(());

#[derive(Debug)]
pub struct DirEntry(());

impl DirEntry {
    pub fn file_name(&self) -> &std::ffi::CStr {
        c""
    }
}

impl Dir {
    /// # Errors
    ///
    /// Always.
    pub fn read_from(_: impl AsFd) -> Result<Self> {
        Err(Errno::NOSYS)
    }
}

impl Iterator for Dir {
    type Item = Result<DirEntry>;

    fn next(&mut self) -> Option<Self::Item> {
        None
    }
}

absent! {
    fallocate(A, B, C, D) -> ();
    fgetxattr(A, B, C) -> usize;
    flock(A, B) -> ();
    fsetxattr(A, B, C, D) -> ();
    fstatfs(A) -> StatFs;
    ioctl_getflags(A) -> IFlags;
    linkat(A, B, C, D, E) -> ();
    mkdir(A, B) -> ();
    mkdirat(A, B, C) -> ();
    openat(A, B, C, D) -> OwnedFd;
    renameat(A, B, C, D) -> ();
    renameat_with(A, B, C, D, E) -> ();
    rmdir(A) -> ();
    statat(A, B, C) -> Stat;
    statx(A, B, C, D) -> Statx;
    syncfs(A) -> ();
    unlinkat(A, B, C) -> ();
}

//! A system that is used through `std` only.

use std::fs::{File, OpenOptions};
use std::io::{Error, ErrorKind, Read as _, Result, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use super::fs::OFlags;
use super::io::Errno;
use super::unix::fs::FileExt;

/// Which file is open is not known.
///
/// # Errors
///
/// Always.
pub fn identity(_: &File) -> Result<(u64, u64)> {
    Err(Error::from(ErrorKind::Unsupported))
}

/// Which file has a name is not known.
///
/// # Errors
///
/// Always.
pub fn identity_at(_: &Path) -> Result<(u64, u64)> {
    Err(Error::from(ErrorKind::Unsupported))
}

/// Requests to end are not received.
#[derive(Debug)]
pub struct Requests(());

impl Requests {
    /// The numbers of the signals that stand for them.
    pub const ALL: [i32; 0] = [];

    /// # Errors
    ///
    /// None.
    pub fn receive() -> Result<Self> {
        Ok(Self(()))
    }
}

impl Iterator for Requests {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        None
    }
}

/// Requests pass by no cache here, and no write waits for the disk.
pub(crate) fn as_storage(_: &mut OpenOptions, flags: OFlags) -> super::io::Result<()> {
    let is_plain = !flags.intersects(OFlags::DIRECT | OFlags::DSYNC);
    is_plain.then_some(()).ok_or(Errno::NOSYS)
}

/// Why an open file has no attributes.
pub(crate) const fn without_number(_: &File, error: Error) -> Error {
    error
}

/// No open file is known to be a disk.
pub const fn device_number(_: &File) -> Option<u64> {
    None
}

absent! {
    /// Bytes of a disk.
    block_bytes(A) -> u64;
    /// Bytes of a sector of the disk below a file.
    ioctl_blksszget(A) -> u32;
    /// The next part of a file that was written or that was not.
    seek(A, B) -> u64;
    /// Free space.
    statvfs(A) -> super::fs::StatVfs;
    /// Renames a file without replacing one.
    rename_new(A, B) -> ();
}

/// The file is for one thread at a time here.
impl FileExt for File {
    fn read_at(&self, bytes: &mut [u8], offset: u64) -> Result<usize> {
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.read(bytes)
    }

    fn write_at(&self, bytes: &[u8], offset: u64) -> Result<usize> {
        let mut file = self;
        file.seek(SeekFrom::Start(offset))?;
        file.write(bytes)
    }
}

/// Places are opened to read.
pub(crate) fn as_a_place(options: &mut OpenOptions, _: bool) -> &mut OpenOptions {
    options.read(true)
}

/// The same.
pub(crate) fn without_rights(options: &mut OpenOptions) -> &mut OpenOptions {
    options.read(true)
}

/// What imitates the system under us, as in `Wine 8.0`: nothing that is measured there is a
/// property of storage.
pub const fn emulator() -> Option<String> {
    None
}

//! Linux, through rustix and std.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd as _};
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

pub use rustix::{fs, io, param, process, rand, system, termios, thread};
pub use std::os::{fd, unix};

/// Which file is open: the number of its file system, and its own there.
///
/// # Errors
///
/// What the system said.
pub fn identity(file: &File) -> std::io::Result<(u64, u64)> {
    file.metadata().map(|meta| (meta.dev(), meta.ino()))
}

/// The same of a name, which is not followed if it is a link.
///
/// # Errors
///
/// What the system said.
pub fn identity_at(path: &Path) -> std::io::Result<(u64, u64)> {
    let meta = std::fs::symlink_metadata(path)?;
    Ok((meta.dev(), meta.ino()))
}

/// Asks the driver of an open file; its answer, which is not negative.
///
/// # Safety
///
/// The request reads and writes no more than what `data` points to and the buffers that this names,
/// which the caller borrows for the call.
///
/// # Errors
///
/// What the system said.
pub unsafe fn ioctl<T>(file: impl AsFd, request: u32, data: *mut T) -> io::Result<u32> {
    let number = file.as_fd().as_raw_fd();
    #[allow(clippy::cast_lossless, reason = "it is an int for musl")]
    let request = request as _;
    // SAFETY: by the contract; the descriptor is borrowed for the call.
    let answer = unsafe { libc::ioctl(number, request, data) };
    u32::try_from(answer).map_err(|_| {
        let error = std::io::Error::last_os_error();
        io::Errno::from_io_error(&error).unwrap_or(io::Errno::IO)
    })
}

/// Bytes of an open block device.
///
/// # Errors
///
/// What the system said.
pub fn block_bytes(file: impl AsFd) -> io::Result<u64> {
    /// `BLKGETSIZE64` of `linux/fs.h`, of 64-bit systems.
    const BLKGETSIZE64: u32 = 0x8008_1272;
    let mut bytes = 0_u64;
    // SAFETY: the operation writes one `u64`, reads nothing and has no effect but its answer.
    unsafe { ioctl(file, BLKGETSIZE64, &raw mut bytes) }?;
    Ok(bytes)
}

/// Whether all requests to a block device have to be aligned, those through the page cache too.
pub const ALIGNED_DEVICES: bool = false;

/// Whether the system shows who uses a disk or volume.
pub const SHOWS_USERS: bool = true;

/// Whether a name is that of a disk or volume and in no file system. Here all of them are in
/// `/dev`.
pub const fn is_device_name(_: &Path) -> bool {
    false
}

/// The number of an open disk or volume that has no attributes of a file. Here all have some.
pub const fn device_number(_: &File) -> Option<u64> {
    None
}

/// What imitates the system under us, as in `Wine 8.0`: nothing that is measured there is a
/// property of storage.
pub const fn emulator() -> Option<String> {
    None
}

/// Renames a file without replacing one.
///
/// # Errors
///
/// What the system said; [`io::Errno::INVAL`] where the file system cannot promise it.
pub fn rename_new(from: &Path, to: &Path) -> io::Result<()> {
    fs::renameat_with(fs::CWD, from, fs::CWD, to, fs::RenameFlags::NOREPLACE)
}

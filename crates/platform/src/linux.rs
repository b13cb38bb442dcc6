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

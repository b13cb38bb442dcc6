//! Linux, through rustix and std.

use std::os::fd::{AsFd, AsRawFd as _};

pub use rustix::{fs, io, param, process, rand, system, termios, thread};
pub use std::os::{fd, unix};

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

//! Descriptors that somebody else opened.

use std::io;
use std::os::fd::{FromRawFd as _, OwnedFd};

/// A copy of the descriptor of this number.
///
/// # Errors
///
/// If there is none of this number.
pub(crate) fn inherited(number: i32) -> io::Result<OwnedFd> {
    // SAFETY: `F_DUPFD_CLOEXEC` takes numbers alone: of one that is not open it makes an error.
    let copy = unsafe { libc::fcntl(number, libc::F_DUPFD_CLOEXEC, 0) };
    if copy < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: `fcntl` has just made this descriptor, which nobody else knows.
    Ok(unsafe { OwnedFd::from_raw_fd(copy) })
}

//! `pread` and `pwrite` as bare system calls: the library's wrappers are points at which a thread
//! can be cancelled, which costs them some fifty instructions a call and us nothing we need.

use rustix::io::Errno;
use std::os::fd::{AsRawFd as _, OwnedFd};

/// Reads into `buffer` from `offset`; gives the bytes read, which may be fewer.
#[inline]
pub(super) fn read(fd: &OwnedFd, buffer: &mut [u8], offset: u64) -> Result<usize, Errno> {
    // SAFETY: the kernel writes at most the length of the buffer, which is borrowed for the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_pread64,
            fd.as_raw_fd(),
            buffer.as_mut_ptr(),
            buffer.len(),
            offset,
        )
    };
    checked(answer)
}

/// Writes `buffer` at `offset`; gives the bytes written, which may be fewer.
#[inline]
pub(super) fn write(fd: &OwnedFd, buffer: &[u8], offset: u64) -> Result<usize, Errno> {
    // SAFETY: the kernel reads at most the length of the buffer, which is borrowed for the call.
    let answer = unsafe {
        libc::syscall(
            libc::SYS_pwrite64,
            fd.as_raw_fd(),
            buffer.as_ptr(),
            buffer.len(),
            offset,
        )
    };
    checked(answer)
}

#[inline]
fn checked(answer: libc::c_long) -> Result<usize, Errno> {
    usize::try_from(answer).map_err(|_| {
        let code = std::io::Error::last_os_error().raw_os_error();
        Errno::from_raw_os_error(code.unwrap_or(libc::EIO))
    })
}
